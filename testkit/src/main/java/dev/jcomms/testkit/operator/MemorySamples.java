package dev.jcomms.testkit.operator;

import static dev.jcomms.testkit.operator.Case.HERE;
import static dev.jcomms.testkit.operator.Samples.ALL;
import static dev.jcomms.testkit.operator.Samples.SHAPES;
import static dev.jcomms.testkit.operator.Samples.arranged;
import static dev.jcomms.testkit.operator.Samples.f32;
import static dev.jcomms.testkit.operator.Samples.longs;
import static dev.jcomms.testkit.operator.Samples.t;

import dev.jcomms.tensor.DType;
import java.util.List;

/** Tensors made, filled, copied, converted; and random ones. */
final class MemorySamples {
  private MemorySamples() {}

  static void add(Samples s) {
    for (DType dtype : ALL) {
      for (long[] shape : SHAPES) {
        made(s, dtype, shape);
        for (TensorSpec x : arranged(t(dtype, shape))) {
          like(s, x);
          copies(s, x);
        }
        random(s, dtype, shape);
      }
      ranges(s, dtype);
    }
    refused(s);
  }

  private static void made(Samples s, DType dtype, long[] shape) {
    s.addHeader("empty.memory_format", shape, dtype, null, HERE);
    s.add("zeros", shape, dtype, null, HERE);
    s.add("ones", shape, dtype, null, HERE);
    s.add("full", shape, 3, dtype, null, HERE);
    s.add("full", shape, 2.5, dtype, null, HERE);
    s.add("full", shape, 7, null, null, HERE);
    s.add("full", shape, true, null, null, HERE);
    s.add("scalar_tensor", 3, dtype, null, HERE);
  }

  private static void like(Samples s, TensorSpec x) {
    s.addHeader("empty_like", x);
    s.addHeader("empty_like", x, DType.F64, null, HERE);
    s.add("zeros_like", x);
    s.add("ones_like", x);
    s.add("full_like", x, 3);
    s.add("full_like", x, 2.5, DType.F32);
    s.add("new_zeros", x, longs(2, 2));
    s.add("new_ones", x, longs(2, 2));
    s.add("new_full", x, longs(3), 2);
    s.addHeader("new_empty", x, longs(3));
    s.addHeader("rand_like", x);
    s.addHeader("randn_like", x);
    s.addHeader("randint_like", x, 5L);
  }

  private static void copies(Samples s, TensorSpec x) {
    s.add("clone", x);
    s.add("_to_copy", x);
    for (DType to : ALL) {
      s.add("_to_copy", x, to);
      s.add("to.dtype", x, to);
      s.add("copy_", x, t(to, x.sizes()).salted(1));
    }
    s.add("copy_", x, t(x.dtype()));
    s.add("copy_", x, t(x.dtype(), x.sizes()).salted(1).with(Arrangement.TURNED));
    s.add("copy", x, t(x.dtype(), x.sizes()).salted(1));
    s.add("fill_.Scalar", x, 3);
    s.add("fill_.Scalar", x, 2.5);
    s.add("fill_.Tensor", x, f32());
    s.add("fill_.Tensor", x, f32(1));
    s.add("fill.Scalar", x, 4);
    s.add("zero_", x);
    s.add("item", x);
    s.add("_local_scalar_dense", t(x.dtype()));
  }

  private static void ranges(Samples s, DType dtype) {
    s.add("arange", 5, dtype, null, HERE);
    s.add("arange", 0, dtype, null, HERE);
    s.add("arange.start", 2, 7, dtype, null, HERE);
    s.add("arange.start_step", 1, 8, 3, dtype, null, HERE);
    s.add("arange.start_step", 5, -5, -2, dtype, null, HERE);
    s.add("arange.start_step", 0, 1, 0.25, dtype, null, HERE);
    s.add("linspace", 0, 1, 5L, dtype, null, HERE);
    s.add("linspace", -3, 9, 1L, dtype, null, HERE);
    s.add("linspace", 2, 2, 0L, dtype, null, HERE);
    s.add("eye", 3L, dtype, null, HERE);
    s.add("eye.m", 2L, 4L, dtype, null, HERE);
    s.addHeader("randperm", 7L, dtype, null, HERE);
  }

  private static void random(Samples s, DType dtype, long[] shape) {
    TensorSpec x = t(dtype, shape);
    s.addHeader("rand", shape, dtype, null, HERE);
    s.addHeader("randn", shape, dtype, null, HERE);
    s.addHeader("randint", 9L, shape, dtype, null, HERE);
    s.addHeader("randint.low", 2L, 9L, shape, dtype, null, HERE);
    s.addHeader("uniform_", x, -1.0, 1.0);
    s.addHeader("normal_", x, 0.0, 2.0);
    s.addHeader("exponential_", x, 1.5);
    s.addHeader("random_", x);
    s.addHeader("random_.from", x, 0L, 5L);
    s.addHeader("bernoulli_.float", x, 0.4);
    s.addHeader("bernoulli", x.with(Content.PROBABILITY));
    s.addHeader("bernoulli.p", x, 0.5);
    s.addHeader("multinomial", x.with(Content.POSITIVE), 1L, true);
  }

  private static void refused(Samples s) {
    s.add("zeros", longs(-1), DType.F32, null, HERE);
    s.add("arange.start_step", 0, 5, 0, null, null, HERE);
    s.add("arange.start_step", 0, 5, -1, null, null, HERE);
    s.add("arange", -1, null, null, HERE);
    s.add("arange", 3, null, null, HERE);
    s.add("arange", 2.5, null, null, HERE);
    s.add("linspace", 0, 1, -1L, null, null, HERE);
    s.add("linspace", 0, 1, 3L, null, null, HERE);
    s.add("eye", -1L, null, null, HERE);
    s.add("full", longs(2), 1, null, null, HERE);
    s.add("full", longs(2), 1.5, null, null, HERE);
    s.add("copy_", f32(2, 3), f32(2));
    s.add("copy_", f32(3), f32(2, 3));
    s.add("item", f32(2));
    s.addHeader("uniform_", f32(2), 2.0, 1.0);
    s.addHeader("normal_", f32(2), 0.0, -1.0);
    s.addHeader("random_.from", f32(2), 5L, 5L);
    s.addHeader("randint.low", 5L, 5L, longs(2), null, null, HERE);
    s.addHeader("randperm", -1L, null, null, HERE);
    s.addHeader("bernoulli.p", f32(2), 1.5);
    s.addHeader("multinomial", f32(3).with(Content.POSITIVE), 4L, false);
    s.addHeader("multinomial", f32(2, 3).with(Content.POSITIVE), 2L, false);
    for (double p : new double[] {0.0, 1.0}) {
      s.add("bernoulli.p", f32(5), p);
      s.add("bernoulli_.float", f32(5), p);
    }
    for (List<Object> sizes : List.of(Samples.list(longs(2, 3), longs(3, 1)))) {
      s.addHeader("empty_strided", sizes.get(0), sizes.get(1), DType.F32, null, HERE);
    }
  }
}
