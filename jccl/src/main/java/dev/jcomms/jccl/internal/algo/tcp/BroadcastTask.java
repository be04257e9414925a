package dev.jcomms.jccl.internal.algo.tcp;

import java.lang.foreign.MemorySegment;

/** Memory of all ranks that is to become the root's. */
public record BroadcastTask(MemorySegment memory, long bytes, int root) {}
