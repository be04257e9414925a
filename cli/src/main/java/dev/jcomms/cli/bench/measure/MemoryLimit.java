package dev.jcomms.cli.bench.measure;

import dev.jcomms.cli.bench.op.Form;
import dev.jcomms.cli.bench.op.MemoryWork;
import dev.jcomms.cli.bench.op.Operation;
import dev.jcomms.cli.bench.op.Place;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The limit of memory: every rank does its {@link MemoryWork} on arrays of its own, all ranks at
 * once, and nobody waits for anybody. Numbers are summed as f32 whatever the dtype is: it is their
 * bytes that take time.
 */
final class MemoryLimit implements Limit {
  private static final int BLOCK = 4096; // elements: what is summed is still in the first cache

  private final Operation op;
  private final Place place;
  private final float[][] sources;
  private final float[][] places;

  private MemoryLimit(Operation op, Place place, float[][] sources, float[][] places) {
    this.op = op;
    this.place = place;
    this.sources = sources;
    this.places = places;
  }

  /** For sizes up to {@code most}; none on all ranks if any lacks the memory. */
  static Limit create(Operation op, Place place, long most, Together together) {
    int sourceCount = 1;
    int placeCount = 1;
    long floats = 0;
    for (Form form : op.forms()) {
      MemoryWork work = op.memoryWork(place, most, form);
      sourceCount = Math.max(sourceCount, work.sources());
      placeCount = Math.max(placeCount, work.places());
      floats = Math.max(floats, floats(Math.max(work.sumBytes(), work.copyBytes())));
    }
    float[][] sources = null;
    float[][] places = null;
    if (floats <= Integer.MAX_VALUE - 8) {
      try {
        sources = new float[sourceCount][(int) floats];
        places = new float[placeCount][(int) floats];
      } catch (OutOfMemoryError e) {
        sources = null; // a limit less, and all ranks hear of it
      }
    }
    boolean missing = together.most(sources == null ? 1 : 0)[0] > 0;
    return missing ? Limit.none() : new MemoryLimit(op, place, sources, places);
  }

  @Override
  public Optional<Batch> of(long bytes, Form form) {
    boolean anybody =
        IntStream.range(0, place.ranks())
            .mapToObj(rank -> new Place(rank, place.ranks(), place.root()))
            .anyMatch(rank -> !op.memoryWork(rank, bytes, form).isNone());
    if (!anybody) return Optional.empty();
    MemoryWork work = op.memoryWork(place, bytes, form);
    int sums = (int) floats(work.sumBytes());
    int copies = (int) floats(work.copyBytes());
    return Optional.of(
        iterations -> {
          long begin = System.nanoTime();
          for (int i = 0; i < iterations; i++) {
            if (sums > 0) sum(sums, work.sources(), work.places());
            if (copies > 0) System.arraycopy(sources[0], 0, places[0], 0, copies);
          }
          return System.nanoTime() - begin;
        });
  }

  /** Block by block, so that memory is read once and written once. */
  private void sum(int length, int sourceCount, int placeCount) {
    for (int from = 0; from < length; from += BLOCK) {
      int to = Math.min(length, from + BLOCK);
      add(sources[0], sources[1], places[0], from, to);
      int s = 2;
      for (; s + 1 < sourceCount; s += 2) add(sources[s], sources[s + 1], from, to);
      if (s < sourceCount) add(places[0], sources[s], places[0], from, to);
      for (int p = 1; p < placeCount; p++) {
        System.arraycopy(places[0], from, places[p], from, to - from);
      }
    }
  }

  /** A loop that the compiler turns into vector instructions; so is the next. */
  private static void add(float[] a, float[] b, float[] sum, int from, int to) {
    for (int i = from; i < to; i++) sum[i] = a[i] + b[i];
  }

  private void add(float[] a, float[] b, int from, int to) {
    float[] sum = places[0];
    for (int i = from; i < to; i++) sum[i] += a[i] + b[i];
  }

  private static long floats(long bytes) {
    return Math.ceilDiv(bytes, (long) Float.BYTES);
  }

  @Override
  public void close() {}
}
