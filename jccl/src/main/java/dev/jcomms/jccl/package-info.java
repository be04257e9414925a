/**
 * Algorithms of the backend {@code jccl} as values: what there is ({@link
 * dev.jcomms.jccl.AlgorithmCollection}), which to take ({@link dev.jcomms.jccl.Selector}), how to
 * write one ({@link dev.jcomms.jccl.Algorithm}), how a communicator gets them ({@link
 * dev.jcomms.jccl.Jccl}), and which is best here ({@link dev.jcomms.jccl.Tuner}).
 */
package dev.jcomms.jccl;
