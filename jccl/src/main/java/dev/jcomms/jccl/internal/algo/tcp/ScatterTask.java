package dev.jcomms.jccl.internal.algo.tcp;

import java.lang.foreign.MemorySegment;

/**
 * The root's inputs are to go to the ranks, one each and all of one size.
 *
 * @param inputs null but at the root
 */
public record ScatterTask(Blocks inputs, MemorySegment output, long bytes, int root) {}
