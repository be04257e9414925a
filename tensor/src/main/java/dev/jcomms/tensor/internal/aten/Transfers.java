package dev.jcomms.tensor.internal.aten;

import dev.jcomms.tensor.Devices;
import dev.jcomms.tensor.Storage;
import dev.jcomms.tensor.Tensor;
import dev.jcomms.tensor.internal.TensorAccess;
import dev.jcomms.tensor.spi.DeviceProvider;

/**
 * Copies between any two tensors with nothing but the devices' plain byte copies: a view on a
 * device is brought to the host with the memory under it, read or changed there, and taken back.
 */
final class Transfers {
  private Transfers() {}

  static Tensor copy(Tensor to, Tensor from) {
    if (!to.storage().isOpaque()) {
      to.copyFrom(toHost(from));
    } else if (bytesAlike(to, from)) {
      long bytes = to.bytes();
      DeviceProvider provider = Devices.provider(to.device());
      if (from.storage().isOpaque()) {
        provider.copy(from.storage(), start(from), to.storage(), start(to), bytes);
      } else {
        provider.upload(from.segment(), to.storage(), start(to));
      }
    } else if (to.isContiguous()) {
      Tensor staged = Tensor.empty(to.dtype(), to.shape()).copyFrom(toHost(from));
      Devices.provider(to.device()).upload(staged.segment(), to.storage(), start(to));
    } else if (to.elements() > 0) {
      Tensor source = toHost(from); // first: it may share memory with the target
      Tensor staged = toHost(to);
      staged.copyFrom(source);
      Devices.provider(to.device()).upload(staged.storage().segment(), to.storage(), start(to));
    }
    return to;
  }

  /** The tensor itself if Java can read it, else a host copy with the same strides. */
  static Tensor toHost(Tensor t) {
    if (!t.storage().isOpaque()) {
      return t;
    }
    long bytes = span(t) * t.dtype().bytes();
    Storage host = Storage.allocate(bytes);
    if (bytes > 0) {
      Devices.provider(t.device()).download(t.storage(), start(t), host.segment());
    }
    return Tensor.over(host, t.dtype(), t.shape(), TensorAccess.strides(t), 0);
  }

  /** Elements from the first one to the last one in memory. */
  private static long span(Tensor t) {
    if (t.elements() == 0) {
      return 0;
    }
    long span = 1;
    long[] sizes = TensorAccess.sizes(t.shape());
    long[] strides = TensorAccess.strides(t);
    for (int d = 0; d < sizes.length; d++) {
      span += (sizes[d] - 1) * strides[d];
    }
    return span;
  }

  private static boolean bytesAlike(Tensor to, Tensor from) {
    return to.dtype() == from.dtype()
        && to.shape().equals(from.shape())
        && to.isContiguous()
        && from.isContiguous()
        && (!from.storage().isOpaque() || from.device().type().equals(to.device().type()));
  }

  private static long start(Tensor t) {
    return t.offset() * t.dtype().bytes();
  }
}
