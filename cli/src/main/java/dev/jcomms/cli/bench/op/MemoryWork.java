package dev.jcomms.cli.bench.op;

/**
 * The least that one rank does to memory in an operation, when all ranks share the work.
 *
 * @param sumBytes the length of what it sums out of {@code sources} places
 * @param places where each sum is written
 * @param copyBytes what it copies besides
 */
public record MemoryWork(long sumBytes, int sources, int places, long copyBytes) {
  public static final MemoryWork NONE = new MemoryWork(0, 0, 0, 0);

  static MemoryWork sum(long bytes, int sources, int places) {
    return new MemoryWork(bytes, sources, places, 0);
  }

  static MemoryWork copy(long bytes) {
    return new MemoryWork(0, 0, 0, bytes);
  }

  public boolean isNone() {
    return sumBytes == 0 && copyBytes == 0;
  }
}
