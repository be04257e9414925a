package dev.jcomms.tensor.internal.autograd;

import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Device;
import dev.jcomms.tensor.Ops;
import dev.jcomms.tensor.Scalar;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import dev.jcomms.tensor.dispatch.Dispatcher;
import dev.jcomms.tensor.internal.TensorAccess;

/** Where the elements of a tensor lie in its storage. */
public record Geometry(long[] sizes, long[] strides, long offset) {
  static Geometry of(Tensor t) {
    return new Geometry(TensorAccess.sizes(t.shape()), TensorAccess.strides(t), t.offset());
  }

  /** The same place in a storage that begins {@code at} elements later. */
  Geometry from(long at) {
    return new Geometry(sizes, strides, offset - at);
  }

  Tensor viewOf(Tensor storage) {
    return (Tensor) Dispatcher.call("aten::as_strided", storage, sizes, strides, offset);
  }

  /** Elements of the storage up to the last one. */
  long end() {
    long end = offset + 1;
    for (int d = 0; d < sizes.length; d++) {
      if (sizes[d] == 0) {
        return offset;
      }
      end += (sizes[d] - 1) * strides[d];
    }
    return end;
  }

  /**
   * Whether two elements may be the same memory: dimensions, by stride, do not clear each other.
   */
  boolean overlaps() {
    long[] order = new long[sizes.length];
    int count = 0;
    for (int d = 0; d < sizes.length; d++) {
      if (sizes[d] == 0) {
        return false;
      }
      if (sizes[d] > 1) {
        order[count++] = d;
      }
    }
    for (int i = 1; i < count; i++) {
      for (int j = i; j > 0 && strides[(int) order[j]] < strides[(int) order[j - 1]]; j--) {
        long swap = order[j];
        order[j] = order[j - 1];
        order[j - 1] = swap;
      }
    }
    long reach = 0;
    for (int i = 0; i < count; i++) {
      int d = (int) order[i];
      if (strides[d] <= reach) {
        return true;
      }
      reach += (sizes[d] - 1) * strides[d];
    }
    return false;
  }

  /**
   * The gradient of a tensor of geometry {@code input}, of whose storage {@code gradient} belongs
   * to the view {@code output}. Elements that several of the view's share get the sum; elements of
   * the input that share memory get equal parts.
   */
  public static Tensor stridedBackward(Tensor gradient, Geometry input, Geometry output) {
    long at = Math.min(input.offset, output.offset);
    Geometry in = input.from(at);
    Geometry out = output.from(at);
    long length = Math.max(in.end(), out.end());
    Tensor storage = zeros(gradient.dtype(), gradient.device(), length);
    if (out.overlaps()) {
      storage = out.addedTo(storage, Ops.reshape(gradient, -1));
    } else {
      Ops.copy_(out.viewOf(storage), gradient);
    }
    if (in.overlaps()) {
      Tensor one = Ops.fill_(zeros(gradient.dtype(), gradient.device(), 1), Scalar.ONE);
      Tensor none = zeros(gradient.dtype(), gradient.device(), length);
      Tensor sharers = in.addedTo(none, Ops.expand(one, Shape.of(in.sizes).elements()));
      storage = Ops.div(storage, sharers); // where there is no sharer, no element looks
    }
    return in.viewOf(storage);
  }

  /** A storage with a number added for each element that lies there. */
  private Tensor addedTo(Tensor storage, Tensor numbers) {
    Tensor places = viewOf(Tensor.arange(storage.elements())).copy().view(-1);
    Tensor index = places.to(storage.device());
    return (Tensor) Dispatcher.call("aten::index_add", storage, 0L, index, numbers, 1L);
  }

  static Tensor zeros(DType dtype, Device device, long... sizes) {
    return (Tensor) Dispatcher.call("aten::zeros", sizes, dtype, null, device, null);
  }
}
