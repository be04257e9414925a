package dev.jcomms.jccl.internal.algo.tcp;

/**
 * Every rank has a block for every other.
 *
 * @param equalSizes whether all blocks of all ranks are of one size, and all know it
 */
public record AllToAllTask(Blocks outputs, Blocks inputs, boolean equalSizes) {}
