/** All-to-all over messages. */
package dev.jcomms.jccl.internal.algo.alltoall;
