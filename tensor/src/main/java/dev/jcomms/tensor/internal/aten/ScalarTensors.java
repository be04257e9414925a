package dev.jcomms.tensor.internal.aten;

import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Device;
import dev.jcomms.tensor.Ops;
import dev.jcomms.tensor.Scalar;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;

/** Numbers as 0-d tensors, for operators that take a tensor there. */
final class ScalarTensors {
  private ScalarTensors() {}

  /**
   * A number beside a tensor, of such a dtype that the two promote as the tensor and the number do:
   * the dtype of both, but of a half's operand the bits that a half has not are kept.
   */
  static Tensor beside(Tensor like, Scalar value) {
    DType both = Promotion.of(like, value);
    boolean half = both == DType.F16 || both == DType.BF16;
    return of(value, half && like.shape().dims() > 0 ? DType.F32 : both, like.device());
  }

  static Tensor of(Scalar value, DType dtype, Device device) {
    if (!device.equals(Device.CPU)) {
      return Ops.fill_(Ops.empty(dtype, new long[0], device), value);
    }
    return switch (dtype) {
      case F32 -> Tensor.wrap(new float[] {(float) value.toDouble()}, Shape.scalar());
      case F64 -> Tensor.wrap(new double[] {value.toDouble()}, Shape.scalar());
      case I64 -> Tensor.wrap(new long[] {value.toLong()}, Shape.scalar());
      case I32 -> Tensor.wrap(new int[] {(int) value.toLong()}, Shape.scalar());
      case F16, BF16, F8E4M3, F8E5M2 -> Tensor.scalar(dtype, value.toDouble());
      case I16, I8, U8 -> Tensor.scalar(dtype, value.toLong());
      case BOOL -> Tensor.scalar(dtype, value.toBoolean() ? 1L : 0L);
    };
  }
}
