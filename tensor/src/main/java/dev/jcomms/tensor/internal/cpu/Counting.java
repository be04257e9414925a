package dev.jcomms.tensor.internal.cpu;

import static dev.jcomms.tensor.internal.cpu.Refusals.check;

import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;

/** How often each number occurs. */
public final class Counting {
  private Counting() {}

  public static Tensor bincount(Tensor self, Tensor weights, long minlength) {
    String op = "bincount";
    if (!self.dtype().isInteger()) {
      throw Refusals.dtype(op, self.dtype());
    }
    check(minlength >= 0, op + ": minlength=" + minlength + " is negative");
    check(self.shape().dims() == 1, op + ": needs a vector, but has shape=" + self.shape());
    check(
        weights == null || weights.shape().equals(self.shape()),
        op + ": there must be as many weights as numbers");
    long[] numbers = self.toLongArray();
    long length = minlength;
    for (long n : numbers) {
      check(n >= 0, op + ": " + n + " is negative");
      length = Math.max(length, n + 1);
    }
    if (weights == null) {
      long[] counts = new long[Math.toIntExact(length)];
      for (long n : numbers) {
        counts[(int) n]++;
      }
      return Tensor.of(counts);
    }
    double[] each = weights.toDoubleArray();
    double[] sums = new double[Math.toIntExact(length)];
    boolean single = weights.dtype() == DType.F32;
    for (int i = 0; i < numbers.length; i++) {
      double sum = sums[(int) numbers[i]] + each[i];
      sums[(int) numbers[i]] = single ? (float) sum : sum;
    }
    Shape shape = Shape.of(length);
    return Tensor.empty(single ? DType.F32 : DType.F64, shape).copyFrom(Tensor.wrap(sums, shape));
  }
}
