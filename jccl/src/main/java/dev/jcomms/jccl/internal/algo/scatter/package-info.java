/** Scatter over messages. */
package dev.jcomms.jccl.internal.algo.scatter;
