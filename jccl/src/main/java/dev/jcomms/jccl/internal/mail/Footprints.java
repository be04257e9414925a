package dev.jcomms.jccl.internal.mail;

import dev.jcomms.tensor.Tensor;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Where the tensors of many jobs lie, so that those which overlap another are found without looking
 * at all of them. Any thread.
 *
 * <p>Those of about the same length are kept together, in the order of their addresses: what
 * overlaps begins not far before, or within.
 */
final class Footprints {
  private static final Comparator<Print> ORDER =
      Comparator.comparingLong(Print::start).thenComparingLong(Print::number);

  /** The memory of one part of a job. */
  private record Print(long start, long number, MemorySegment memory, Job job, Part part) {
    /** Something that comes before all that begin there, and after all others. */
    static Print before(long start) {
      return new Print(start, -1, null, null, null);
    }

    /** Parts that are done use nothing any more. */
    boolean isInUse() {
      return part.tensor() != null && !job.isOver();
    }
  }

  /** By the place of the highest bit of the length. */
  private final AtomicReferenceArray<ConcurrentSkipListSet<Print>> byLength =
      new AtomicReferenceArray<>(Long.SIZE);

  /** Those in the Java heap, which have no address. */
  private final Set<Print> elsewhere = ConcurrentHashMap.newKeySet();

  private final Map<Job, List<Print>> prints = new ConcurrentHashMap<>();
  private final AtomicLong next = new AtomicLong();

  void add(Job job) {
    List<Print> own = new ArrayList<>(job.parts().size());
    for (Part part : job.parts()) {
      Tensor tensor = part.tensor();
      if (tensor != null && tensor.bytes() > 0) {
        MemorySegment memory = tensor.segment();
        own.add(new Print(memory.address(), next.getAndIncrement(), memory, job, part));
      }
    }
    prints.put(job, own);
    own.forEach(print -> like(print.memory).add(print));
  }

  /** Where those are that are of the same kind. */
  private Set<Print> like(MemorySegment memory) {
    if (!memory.isNative()) {
      return elsewhere;
    }
    int place = Long.SIZE - 1 - Long.numberOfLeadingZeros(memory.byteSize());
    if (byLength.get(place) == null) {
      byLength.compareAndSet(place, null, new ConcurrentSkipListSet<>(ORDER));
    }
    return byLength.get(place);
  }

  void remove(Job job) {
    List<Print> own = prints.remove(job);
    if (own != null) {
      own.forEach(print -> like(print.memory).remove(print));
    }
  }

  /**
   * A job that is not over and uses memory which overlaps a tensor; null for none.
   *
   * @param writers whether only those count that write it
   */
  Job overlapping(Tensor tensor, boolean writers) {
    MemorySegment memory = tensor.segment();
    if (!memory.isNative()) {
      return first(elsewhere, memory, writers);
    }
    long end = memory.address() + memory.byteSize();
    for (int place = 0; place < Long.SIZE; place++) {
      ConcurrentSkipListSet<Print> some = byLength.get(place);
      if (some != null && !some.isEmpty()) {
        long longest = 2L << place;
        Print from = Print.before(Math.max(0, memory.address() - longest));
        Job job = first(some.subSet(from, Print.before(end)), memory, writers);
        if (job != null) {
          return job;
        }
      }
    }
    return null;
  }

  private static Job first(Iterable<Print> some, MemorySegment memory, boolean writers) {
    for (Print print : some) {
      if (print.isInUse()
          && (print.part.writes() || !writers)
          && print.memory.asOverlappingSlice(memory).isPresent()) {
        return print.job;
      }
    }
    return null;
  }
}
