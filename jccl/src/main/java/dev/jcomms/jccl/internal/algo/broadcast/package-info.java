/** Broadcast over messages. */
package dev.jcomms.jccl.internal.algo.broadcast;
