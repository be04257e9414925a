/**
 * Collectives among the ranks of one host, through memory they share.
 *
 * <p>Two words recur. An operation is <em>staged</em> when what it moves is copied through the
 * ranks' stages, a chunk at a time; it is <em>direct</em> when ranks reach into each other's
 * tensors and nothing is copied twice.
 */
package dev.jcomms.jccl.internal.algo.host;
