package dev.jcomms.tensor.internal.cpu;

import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Generator;
import dev.jcomms.tensor.Tensor;
import dev.jcomms.tensor.internal.Elements;
import java.lang.foreign.ValueLayout;
import java.lang.ref.Reference;

/** Dropout that tells what it dropped. */
public final class Dropout {
  private Dropout() {}

  /** Result and mask. Training unless told otherwise. */
  public static Tensor[] forward(Tensor input, double p, Boolean train) {
    if (input.elements() == 0) {
      return new Tensor[] {input.copy(), Tensor.empty(input.dtype(), input.shape())};
    }
    if (train != null && !train) {
      return new Tensor[] {input.copy(), Tensor.full(DType.BOOL, input.shape(), 1L)};
    }
    Refusals.floating("native_dropout", input);
    Tensor mask = Tensor.empty(DType.BOOL, input.shape());
    Randoms.bernoulli(mask, 1 - p, (Generator) null);
    return new Tensor[] {backward(input, mask, p == 1 ? 0 : 1 / (1 - p)), mask};
  }

  /** What was kept, scaled. */
  public static Tensor backward(Tensor gradOutput, Tensor mask, double scale) {
    Tensor grad = Dense.of(gradOutput.dtype().isFloating() ? gradOutput : gradOutput.to(DType.F32));
    Tensor kept = Dense.of(mask.expand(grad.shape()).to(DType.BOOL));
    DType dtype = grad.dtype();
    Tensor out = Tensor.empty(dtype, grad.shape());
    int bytes = dtype.bytes();
    double factor = dtype == DType.F64 ? scale : (float) scale;
    for (long i = 0; i < grad.elements(); i++) {
      double keep =
          Memory.ALL.get(ValueLayout.JAVA_BYTE, Dense.address(kept) + i) != 0 ? factor : 0;
      Elements.putDouble(
          Memory.ALL,
          dtype,
          Dense.address(out) + i * bytes,
          Elements.getDouble(Memory.ALL, dtype, Dense.address(grad) + i * bytes) * keep);
    }
    Reference.reachabilityFence(grad);
    Reference.reachabilityFence(kept);
    Reference.reachabilityFence(out);
    return out;
  }
}
