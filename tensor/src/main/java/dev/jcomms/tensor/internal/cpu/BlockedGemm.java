package dev.jcomms.tensor.internal.cpu;

import dev.jcomms.tensor.internal.cpu.simd.VectorTiles;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.ref.Reference;
import java.util.function.Supplier;

/**
 * C = alpha A B + beta C of floats or doubles, any strides.
 *
 * <p>Both operands are packed, a block at a time, into strips that a {@link Tile} reads in order;
 * packing is the only copy made of them, and the only place that knows their strides. A strip of A
 * stays in the first-level cache while the strips of a block of B, in the second-level one, pass
 * by.
 *
 * @param <T> arrays of the elements
 */
final class BlockedGemm<T> {
  static final BlockedGemm<float[]> FLOATS =
      new BlockedGemm<>(new PlainFloatTile(), Simd.isLikely() ? VectorTiles::floats : null);
  static final BlockedGemm<double[]> DOUBLES =
      new BlockedGemm<>(new PlainDoubleTile(), Simd.isLikely() ? VectorTiles::doubles : null);

  /** Elements of the inner dimension that are multiplied at a time. */
  static final int INNER = 256;

  private static final long FLOPS_THAT_MATTER = 1L << 22;

  private final Strips<T> strips;
  private final Takeover<Tile<T>> tiles;
  private final ThreadLocal<Worker<T>> workers;

  /**
   * @param vectors null if there are none here
   */
  private BlockedGemm(Tile<T> plain, Supplier<Tile<T>> vectors) {
    strips = plain.strips();
    tiles = new Takeover<>(plain, vectors, this::course, FLOPS_THAT_MATTER);
    workers = ThreadLocal.withInitial(workers(strips));
  }

  /** What a thread multiplies with. */
  interface Worker<T> {
    void multiply(GemmJob job, Tile<T> tile);
  }

  @SuppressWarnings("unchecked") // a worker of these strips is one of their arrays
  private static <T> Supplier<Worker<T>> workers(Strips<T> strips) {
    MethodHandle maker =
        Loop.maker(MethodHandles.lookup(), GemmWorker.class, Worker.class, Strips.class);
    return () -> {
      try {
        return (Worker<T>) (Worker<?>) maker.invokeExact(strips);
      } catch (RuntimeException | Error e) {
        throw e;
      } catch (Throwable e) {
        throw new AssertionError(e); // the constructor declares nothing
      }
    };
  }

  void run(GemmJob job) {
    long flops = 2L * job.m() * job.n() * Math.max(1, job.k());
    run(job, tiles.take(flops));
  }

  void run(GemmJob job, Tile<T> tile) {
    if (job.k() == 0) {
      for (int i = 0; i < job.m(); i++) {
        for (int j = 0; j < job.n(); j++) {
          strips.scale(job.beta(), job.atC(i, j));
        }
      }
    } else {
      workers.get().multiply(job, tile);
    }
  }

  private long course(Tile<T> tile) {
    int repeats = 4;
    int elements = tile.rows() * tile.columns();
    T a = strips.fit(null, tile.rows() * tile.copies() * INNER);
    T b = strips.fit(null, tile.columns() * INNER);
    T out = strips.fit(null, elements);
    T lines = strips.fit(null, tile.rows() * INNER);
    long bytes = (long) tile.columns() * strips.bytes();
    MemorySegment memory = Arena.ofAuto().allocate(bytes * INNER, 64);
    long start = System.nanoTime();
    for (int i = 0; i < repeats; i++) {
      tile.spread(lines, INNER, a, 0);
      tile.gather(memory.address(), bytes, INNER, b, 0);
      tile.multiply(INNER, a, 0, b, 0, out);
      tile.add(out, 0, memory.address());
    }
    Reference.reachabilityFence(memory);
    return (System.nanoTime() - start) * 256 / elements;
  }
}
