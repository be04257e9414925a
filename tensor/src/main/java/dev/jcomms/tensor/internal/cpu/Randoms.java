package dev.jcomms.tensor.internal.cpu;

import static dev.jcomms.tensor.internal.cpu.Refusals.check;

import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Generator;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import java.lang.ref.Reference;

/**
 * Tensors filled with random numbers. Each element takes 64 bits of a draw at its own position, so
 * threads do not matter. In place; they return self. A generator of null is the device's default.
 */
public final class Randoms {
  private static final int BLOCK = 512;
  private static final double UNIT = 0x1p-53;

  private Randoms() {}

  public static Tensor uniform(Tensor self, double from, double to, Generator generator) {
    String op = "uniform_";
    Refusals.floating(op, self);
    double max = largest(self.dtype());
    check(
        Math.abs(from) <= max && Math.abs(to) <= max && to - from <= max,
        op + ": from=" + from + " to=" + to + " is out of range of " + self.dtype());
    check(from <= to, op + ": from=" + from + " is above to=" + to);
    int bits = precision(self.dtype());
    double unit = Math.scalb(1.0, -bits);
    return fill(
        self,
        generator,
        (random, x, n) -> {
          for (int i = 0; i < n; i++) {
            x[i] = (random[i] >>> 64 - bits) * unit * (to - from) + from;
          }
        });
  }

  public static Tensor normal(Tensor self, double mean, double std, Generator generator) {
    String op = "normal_";
    check(std >= 0, op + ": std=" + std + " must not be negative");
    Refusals.floatingUnlessEmpty(op, self);
    return fill(
        self,
        generator,
        (random, x, n) -> {
          for (int i = 0; i < n; i += 2) {
            long second = i + 1 < n ? random[i + 1] : random[i] * 0x9E3779B97F4A7C15L;
            double radius = Math.sqrt(-2 * Math.log(((random[i] >>> 11) + 1) * UNIT));
            double angle = 2 * Math.PI * ((second >>> 11) * UNIT);
            x[i] = radius * Math.cos(angle) * std + mean;
            if (i + 1 < n) {
              x[i + 1] = radius * Math.sin(angle) * std + mean;
            }
          }
        });
  }

  public static Tensor exponential(Tensor self, double lambd, Generator generator) {
    String op = "exponential_";
    Refusals.floatingUnlessEmpty(op, self);
    check(lambd > 0, op + ": lambd=" + lambd + " must be positive");
    return fill(
        self,
        generator,
        (random, x, n) -> {
          for (int i = 0; i < n; i++) {
            // Never zero, which would be no waiting time at all.
            x[i] = -Math.log(1 - ((random[i] >>> 11) + 0.5) * UNIT) / lambd;
          }
        });
  }

  public static Tensor bernoulli(Tensor self, double p, Generator generator) {
    check(p >= 0 && p <= 1, "bernoulli_: p=" + p + " is not within 0 and 1");
    return fill(
        self,
        generator,
        (random, x, n) -> {
          for (int i = 0; i < n; i++) {
            x[i] = (random[i] >>> 11) * UNIT < p ? 1 : 0;
          }
        });
  }

  /** An element is one with the probability at its place; p broadcasts to self. */
  public static Tensor bernoulli(Tensor self, Tensor p, Generator generator) {
    String op = "bernoulli_";
    Refusals.floatingUnlessEmpty(op, p);
    double[] chances = p.expand(self.shape()).toDoubleArray();
    for (double chance : chances) {
      check(chance >= 0 && chance <= 1, op + ": p has " + chance + ", not within 0 and 1");
    }
    double[] values = new double[chances.length];
    Generator.State draw = draw(self, generator, values.length);
    long[] random = new long[BLOCK];
    for (int at = 0; at < values.length; at += BLOCK) {
      int n = Math.min(BLOCK, values.length - at);
      Philox.fill(draw, at, random, n);
      for (int i = 0; i < n; i++) {
        values[at + i] = (random[i] >>> 11) * UNIT < chances[at + i] ? 1 : 0;
      }
    }
    return self.copyFrom(Tensor.wrap(values, self.shape()));
  }

  /** Whole numbers from {@code from} up to, without, {@code to}; null is the dtype's last. */
  public static Tensor random(Tensor self, long from, Long to, Generator generator) {
    String op = "random_";
    DType dtype = self.dtype();
    long last = to == null ? mostWhole(dtype) : to - 1;
    check(to == null || from < to, op + ": from=" + from + " is not below to=" + to);
    check(
        within(dtype, from) && within(dtype, last),
        op + ": from=" + from + " to=" + to + " is out of range of " + dtype);
    long range = last - from + 1; // zero if it is all of 2^64
    Tensor work = Tensor.empty(DType.I64, self.shape());
    Generator.State draw = draw(self, generator, self.elements());
    Parallel.run(
        (self.elements() + BLOCK - 1) / BLOCK,
        16,
        (first, end) -> {
          long[] random = new long[BLOCK];
          for (long block = first; block < end; block++) {
            long at = block * BLOCK;
            int n = (int) Math.min(BLOCK, self.elements() - at);
            Philox.fill(draw, at, random, n);
            for (int i = 0; i < n; i++) {
              // The high half of a product spreads evenly without a division.
              long v = range == 0 ? random[i] : Math.unsignedMultiplyHigh(random[i], range);
              Memory.ALL.set(Strided.LONG, Dense.address(work) + (at + i) * 8, from + v);
            }
          }
        });
    self.copyFrom(work);
    return self;
  }

  /** A permutation of 0 to n - 1. */
  public static Tensor randperm(long n, DType dtype, Generator generator) {
    String op = "randperm";
    check(n >= 0, op + ": n=" + n + " is negative");
    check(
        n == 0 || within(dtype, n - 1) && n - 1 <= mostWhole(dtype),
        op + ": n=" + n + " does not fit dtype=" + dtype);
    long[] order = new long[Math.toIntExact(n)];
    Tensor out = Tensor.empty(dtype, Shape.of(n));
    Generator.State draw = draw(out, generator, n);
    long[] random = new long[BLOCK];
    for (int at = 0; at < order.length; at += BLOCK) {
      int count = Math.min(BLOCK, order.length - at);
      Philox.fill(draw, at, random, count);
      for (int i = at; i < at + count; i++) {
        int j = (int) Math.unsignedMultiplyHigh(random[i - at], i + 1L);
        order[i] = order[j];
        order[j] = i;
      }
    }
    return out.copyFrom(Tensor.wrap(order));
  }

  /** Indexes drawn with the probabilities, not necessarily of sum 1, of each row. */
  public static Tensor multinomial(
      Tensor self, long numSamples, boolean replacement, Generator generator) {
    String op = "multinomial";
    int dims = self.shape().dims();
    check(dims == 1 || dims == 2, op + ": needs 1 or 2 dims, but has shape=" + self.shape());
    Refusals.floating(op, self);
    check(numSamples > 0, op + ": num_samples=" + numSamples + " must be positive");
    int classes = Math.toIntExact(self.shape().size(-1));
    check(
        replacement || numSamples <= classes,
        op + ": num_samples=" + numSamples + " without replacement from " + classes);
    int rows = dims == 1 ? 1 : Math.toIntExact(self.shape().size(0));
    double[] weights = self.toDoubleArray();
    int samples = Math.toIntExact(numSamples);
    long[] out = new long[rows * samples];
    int each = replacement ? samples : classes;
    Generator.State draw = draw(self, generator, (long) rows * (each + 1));
    for (int row = 0; row < rows; row++) {
      double[] p = java.util.Arrays.copyOfRange(weights, row * classes, (row + 1) * classes);
      double sum = 0;
      for (double v : p) {
        check(
            v >= 0 && v < Double.POSITIVE_INFINITY,
            op + ": a probability of " + v + " is negative or not finite");
        sum += v;
      }
      check(sum > 0, op + ": the probabilities of row " + row + " add up to nothing");
      long[] random = new long[each];
      Philox.fill(draw, (long) row * (each + each % 2), random, each);
      if (replacement) {
        drawn(p, sum, random, out, row * samples);
      } else {
        race(p, random, out, row * samples, samples);
      }
    }
    Shape shape = dims == 1 ? Shape.of(samples) : Shape.of(rows, samples);
    return Tensor.empty(DType.I64, shape).copyFrom(Tensor.wrap(out, shape));
  }

  private static void drawn(double[] p, double sum, long[] random, long[] out, int at) {
    double[] upTo = new double[p.length];
    double total = 0;
    int last = 0;
    for (int i = 0; i < p.length; i++) {
      total += p[i];
      upTo[i] = total;
      last = p[i] > 0 ? i : last;
    }
    for (int i = 0; i < random.length; i++) {
      double u = (random[i] >>> 11) * UNIT * sum;
      int low = 0;
      int high = last;
      while (low < high) { // the first that goes beyond u
        int middle = (low + high) >>> 1;
        if (upTo[middle] > u) {
          high = middle;
        } else {
          low = middle + 1;
        }
      }
      out[at + i] = low;
    }
  }

  /** Every class waits an exponential time by its rate; the first to arrive are the sample. */
  private static void race(double[] p, long[] random, long[] out, int at, int samples) {
    Integer[] order = new Integer[p.length];
    double[] arrival = new double[p.length];
    for (int i = 0; i < p.length; i++) {
      order[i] = i;
      arrival[i] = -Math.log(1 - ((random[i] >>> 11) + 0.5) * UNIT) / p[i];
    }
    java.util.Arrays.sort(order, (a, b) -> Double.compare(arrival[a], arrival[b]));
    for (int i = 0; i < samples; i++) {
      out[at + i] = order[i];
    }
  }

  private interface Distribution {
    void transform(long[] random, double[] x, int n);
  }

  private static Tensor fill(Tensor self, Generator generator, Distribution distribution) {
    Generator.State draw = draw(self, generator, self.elements());
    return Strided.inPlace(
        self,
        work -> {
          DType dtype = work.dtype();
          Parallel.run(
              (work.elements() + BLOCK - 1) / BLOCK,
              16,
              (first, last) -> {
                long[] random = new long[BLOCK];
                double[] x = new double[BLOCK];
                for (long block = first; block < last; block++) {
                  long at = block * BLOCK;
                  int n = (int) Math.min(BLOCK, work.elements() - at);
                  Philox.fill(draw, at, random, n);
                  distribution.transform(random, x, n);
                  Lines.write(x, Dense.address(work) + at * dtype.bytes(), dtype, n);
                }
              });
          Reference.reachabilityFence(work);
        });
  }

  private static Generator.State draw(Tensor self, Generator generator, long numbers) {
    Generator g = generator == null ? Generator.defaultFor(self.device()) : generator;
    check(
        g.device().equals(self.device()),
        "the generator is for " + g.device() + ", but the tensor is on " + self.device());
    return g.draw(Philox.blocks(numbers));
  }

  /** Bits of the fraction, with the one that is not stored. */
  private static int precision(DType dtype) {
    return switch (dtype) {
      case F64 -> 53;
      case F16 -> 11;
      case BF16 -> 8;
      default -> 24;
    };
  }

  private static double largest(DType dtype) {
    return switch (dtype) {
      case F64 -> Double.MAX_VALUE;
      case F16 -> 65504;
      case BF16 -> 0x1.fep127;
      default -> Float.MAX_VALUE;
    };
  }

  /** The last whole number up to which the dtype has all. */
  private static long mostWhole(DType dtype) {
    return switch (dtype) {
      case I64 -> Long.MAX_VALUE;
      case I32 -> Integer.MAX_VALUE;
      case I16 -> Short.MAX_VALUE;
      case I8 -> Byte.MAX_VALUE;
      case U8 -> 255;
      case BOOL -> 1;
      default -> 1L << precision(dtype);
    };
  }

  private static boolean within(DType dtype, long value) {
    return switch (dtype) {
      case I64, F64, F32, BF16 -> true;
      case F16 -> Math.abs((double) value) <= 65504;
      case U8, BOOL -> value >= 0 && value <= mostWhole(dtype);
      default -> value >= -mostWhole(dtype) - 1 && value <= mostWhole(dtype);
    };
  }
}
