package dev.jcomms.jccl.internal.algo.message;

import dev.jcomms.jccl.internal.pattern.Shards;
import dev.jcomms.tensor.Tensor;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;

/** One place in memory for each rank: a list of tensors, or sections of one. Immutable. */
public final class Blocks {
  private final MemorySegment[] segments;
  private final long[] offsets;
  private final long[] bytes;

  private Blocks(MemorySegment[] segments, long[] offsets, long[] bytes) {
    this.segments = segments;
    this.offsets = offsets;
    this.bytes = bytes;
  }

  /** One tensor each. */
  public static Blocks of(List<Tensor> tensors) {
    MemorySegment[] segments = tensors.stream().map(Tensor::segment).toArray(MemorySegment[]::new);
    long[] bytes = tensors.stream().mapToLong(Tensor::bytes).toArray();
    return new Blocks(segments, new long[segments.length], bytes);
  }

  /** Equal sections of a tensor. */
  public static Blocks sections(Tensor tensor, int count) {
    return sized(tensor.segment(), fill(count, tensor.bytes() / count));
  }

  /** Sections of a tensor of so many rows each. */
  public static Blocks rows(Tensor tensor, List<Long> rows) {
    long total = rows.stream().mapToLong(Long::longValue).sum();
    long row = total == 0 ? 0 : tensor.bytes() / total;
    return sized(tensor.segment(), rows.stream().mapToLong(count -> count * row).toArray());
  }

  /** Shards of memory. */
  static Blocks shards(MemorySegment memory, Shards shards, int elementBytes) {
    long[] bytes = new long[shards.count()];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = shards.length(i) * elementBytes;
    }
    return sized(memory, bytes);
  }

  /** One of so many parts of each block; parts begin at multiples of so many bytes. */
  Blocks part(int part, int parts, int unit) {
    long[] at = new long[bytes.length];
    long[] length = new long[bytes.length];
    for (int i = 0; i < bytes.length; i++) {
      Shards cut = Task.cut(bytes[i] / unit, unit, parts);
      at[i] = offsets[i] + cut.offset(part) * unit;
      length[i] = cut.length(part) * unit;
    }
    return new Blocks(segments, at, length);
  }

  private static Blocks sized(MemorySegment memory, long[] bytes) {
    MemorySegment[] segments = new MemorySegment[bytes.length];
    Arrays.fill(segments, memory);
    long[] offsets = new long[bytes.length];
    for (int i = 1; i < bytes.length; i++) {
      offsets[i] = offsets[i - 1] + bytes[i - 1];
    }
    return new Blocks(segments, offsets, bytes);
  }

  private static long[] fill(int count, long value) {
    long[] values = new long[count];
    Arrays.fill(values, value);
    return values;
  }

  public int count() {
    return bytes.length;
  }

  public MemorySegment segment(int block) {
    return segments[block];
  }

  /** Where in its segment a block begins. */
  public long at(int block) {
    return offsets[block];
  }

  public long bytes(int block) {
    return bytes[block];
  }

  /** Bytes of all blocks. */
  public long total() {
    return Arrays.stream(bytes).sum();
  }

  /** Bytes of the largest block. */
  public long largest() {
    return Arrays.stream(bytes).max().orElse(0);
  }

  /** Whether any block's tensor shares memory with this. */
  public boolean overlap(MemorySegment memory) {
    return Arrays.stream(segments).anyMatch(its -> its.asOverlappingSlice(memory).isPresent());
  }

  /** Whether all blocks are of one size. */
  public boolean areEqual() {
    return Arrays.stream(bytes).allMatch(b -> b == bytes[0]);
  }

  /** Copies memory into a block, unless it is the block. */
  public void fill(int block, MemorySegment from, long at) {
    MemorySegment source = from.asSlice(at, bytes[block]);
    MemorySegment target = segments[block].asSlice(offsets[block], bytes[block]);
    if (!isSame(source, target)) {
      target.copyFrom(source);
    }
  }

  private static boolean isSame(MemorySegment a, MemorySegment b) {
    return a.address() == b.address() && a.heapBase().equals(b.heapBase());
  }
}
