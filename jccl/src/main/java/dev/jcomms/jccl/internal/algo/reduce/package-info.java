/** Reduce over messages. */
package dev.jcomms.jccl.internal.algo.reduce;
