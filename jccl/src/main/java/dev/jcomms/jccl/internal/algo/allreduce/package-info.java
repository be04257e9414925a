/** All-reduce over messages. */
package dev.jcomms.jccl.internal.algo.allreduce;
