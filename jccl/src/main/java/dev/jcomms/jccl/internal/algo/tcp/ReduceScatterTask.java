package dev.jcomms.jccl.internal.algo.tcp;

import java.lang.foreign.MemorySegment;

/**
 * Blocks of all ranks to be reduced: each rank gets the results of one, its own.
 *
 * @param inputs this rank's parts of all blocks
 * @param outputAt where in {@code output} this rank's results go
 */
public record ReduceScatterTask(
    Blocks inputs, MemorySegment output, long outputAt, Arithmetic arithmetic) {}
