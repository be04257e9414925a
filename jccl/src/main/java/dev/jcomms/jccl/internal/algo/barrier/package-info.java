/** Barrier over messages. */
package dev.jcomms.jccl.internal.algo.barrier;
