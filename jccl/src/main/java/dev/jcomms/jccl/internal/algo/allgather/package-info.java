/** All-gather over messages. */
package dev.jcomms.jccl.internal.algo.allgather;
