package dev.jcomms.testkit.operator;

import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Device;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import dev.jcomms.tensor.dispatch.Dispatcher;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.Collectors;

/** A tensor to be, on whatever device: the same elements and strides each time it is made. */
record TensorSpec(DType dtype, long[] sizes, Arrangement arrangement, Content content, int salt) {
  static TensorSpec of(DType dtype, long... sizes) {
    return new TensorSpec(dtype, sizes, Arrangement.PLAIN, Content.ANY, 0);
  }

  TensorSpec with(Arrangement other) {
    return new TensorSpec(dtype, sizes, other.fits(sizes) ? other : arrangement, content, salt);
  }

  TensorSpec with(Content other) {
    return new TensorSpec(dtype, sizes, arrangement, other, salt);
  }

  TensorSpec with(DType other) {
    return new TensorSpec(other, sizes, arrangement, content, salt);
  }

  /** Other numbers of the same kind. */
  TensorSpec salted(int other) {
    return new TensorSpec(dtype, sizes, arrangement, content, other);
  }

  /** The memory under the tensor, on the cpu. */
  Tensor base() {
    Tensor base = Tensor.empty(dtype, Shape.of(arrangement.base(sizes)));
    long n = base.elements();
    double[] numbers = new double[(int) n];
    Random random = new Random(31L * salt + Arrays.hashCode(sizes) + 7L * dtype.ordinal());
    for (int i = 0; i < n; i++) {
      numbers[i] = content.at(random, dtype, i, n);
    }
    return base.copyFrom(Tensor.wrap(numbers, base.shape()));
  }

  Tensor on(Device device) {
    return arranged(base().to(device));
  }

  private Tensor arranged(Tensor base) {
    return arrangement == Arrangement.PLAIN
        ? base
        : (Tensor)
            Dispatcher.call(
                "aten::as_strided",
                base,
                sizes,
                arrangement.strides(sizes),
                arrangement.base(sizes).length == 0 || base.elements() == 0
                    ? 0L
                    : arrangement.offset());
  }

  boolean isFloating() {
    return dtype.isFloating();
  }

  /** {@code f32[2,3] turned}. */
  @Override
  public String toString() {
    String extra = content.label().isEmpty() ? "" : " " + content.label();
    return dtype
        + Arrays.stream(sizes).mapToObj(Long::toString).collect(Collectors.joining(",", "[", "]"))
        + arrangement.label
        + extra;
  }
}
