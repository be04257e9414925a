package dev.jcomms.tensor.internal;

/**
 * Visits two strided layouts of one shape together, in logical order, as few and long runs as the
 * strides allow: neighbouring dimensions that both layouts step through evenly become one, so two
 * contiguous layouts are a single run.
 */
public final class PairWalk {
  /** What is done with a run. */
  public interface Run {
    /**
     * Takes {@code n} elements from {@code a} on, {@code aStep} apart, beside those of {@code b};
     * all counted in elements. Returns false to end the walk.
     */
    boolean accept(long a, long aStep, long b, long bStep, long n);
  }

  private PairWalk() {}

  /** Walks until the end or until a run says false; returns whether the end was reached. */
  public static boolean walk(
      long[] sizes, long[] aStrides, long aOffset, long[] bStrides, long bOffset, Run run) {
    int last = -1; // dimensions kept so far, less one
    long[] size = new long[sizes.length];
    long[] as = new long[sizes.length];
    long[] bs = new long[sizes.length];
    for (int d = 0; d < sizes.length; d++) {
      if (sizes[d] == 0) {
        return true;
      }
      if (sizes[d] == 1) {
        continue;
      }
      if (last >= 0 && as[last] == aStrides[d] * sizes[d] && bs[last] == bStrides[d] * sizes[d]) {
        size[last] *= sizes[d];
      } else {
        size[++last] = sizes[d];
      }
      as[last] = aStrides[d];
      bs[last] = bStrides[d];
    }
    if (last < 0) {
      return run.accept(aOffset, 1, bOffset, 1, 1);
    }
    long[] index = new long[last];
    long a = aOffset;
    long b = bOffset;
    while (run.accept(a, as[last], b, bs[last], size[last])) {
      int d = last - 1;
      while (d >= 0 && ++index[d] == size[d]) {
        index[d] = 0;
        a -= as[d] * (size[d] - 1);
        b -= bs[d] * (size[d] - 1);
        d--;
      }
      if (d < 0) {
        return true;
      }
      a += as[d];
      b += bs[d];
    }
    return false;
  }
}
