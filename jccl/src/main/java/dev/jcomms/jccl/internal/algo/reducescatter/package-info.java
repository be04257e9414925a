/** Reduce-scatter over messages. */
package dev.jcomms.jccl.internal.algo.reducescatter;
