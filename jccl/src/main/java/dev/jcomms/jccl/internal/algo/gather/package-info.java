/** Gather over messages. */
package dev.jcomms.jccl.internal.algo.gather;
