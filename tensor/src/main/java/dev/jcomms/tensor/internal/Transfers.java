package dev.jcomms.tensor.internal;

import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Device;
import dev.jcomms.tensor.Devices;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Storage;
import dev.jcomms.tensor.Tensor;
import dev.jcomms.tensor.spi.DeviceProvider;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;

/**
 * Copies between any two tensors with nothing but the devices' plain byte copies: a view on a
 * device is brought to the host with the memory under it, read or changed there, and taken back.
 * Devices are never asked to move nothing.
 */
public final class Transfers {
  private Transfers() {}

  /** Writes the elements of {@code from}, converted and broadcast. */
  public static Tensor copy(Tensor to, Tensor from) {
    if (!to.storage().isOpaque()) {
      settle(to);
      TensorAccess.copyOnHost(to, toHost("copyFrom", from));
    } else if (to.elements() == 0) {
      Views.expand(from, TensorAccess.sizes(to.shape())); // nothing to do but to refuse a misfit
    } else if (bytesAlike(to, from)) {
      DeviceProvider provider = provider("copyFrom", to);
      if (from.storage().isOpaque()) {
        provider.copy(from.storage(), start(from), to.storage(), start(to), to.bytes());
      } else {
        settle(from);
        provider.upload(from.segment(), to.storage(), start(to));
      }
    } else {
      Tensor source = toHost("copyFrom", from); // first: it may share memory with the target
      Tensor staged =
          to.isContiguous() ? Tensor.empty(to.dtype(), to.shape()) : toHost("copyFrom", to);
      TensorAccess.copyOnHost(staged, source);
      provider("copyFrom", to).upload(staged.storage().segment(), to.storage(), start(to));
    }
    Reference.reachabilityFence(to);
    Reference.reachabilityFence(from);
    return to;
  }

  /** Writes one element everywhere, also where several share memory. */
  public static Tensor fill(Tensor to, Tensor element) {
    if (to.elements() > 0) {
      Tensor staged = to.isContiguous() ? Tensor.empty(to.dtype(), to.shape()) : toHost("fill", to);
      TensorAccess.fillOnHost(staged, element);
      provider("fill", to).upload(staged.storage().segment(), to.storage(), start(to));
      Reference.reachabilityFence(to);
    }
    return to;
  }

  /** The tensor itself if Java can read it, else a host copy with the same strides. */
  public static Tensor toHost(String what, Tensor t) {
    if (!t.storage().isOpaque()) {
      settle(t);
      return t;
    }
    Storage host = Storage.allocate(span(t) * t.dtype().bytes());
    if (host.bytes() > 0) {
      provider(what, t).download(t.storage(), start(t), host.segment());
    }
    Reference.reachabilityFence(t);
    return Tensor.over(host, t.dtype(), t.shape(), TensorAccess.strides(t), 0);
  }

  /**
   * Writes a host copy with the same strides back, with all that lies between its elements; where
   * several share memory, they have one value there as well as here.
   */
  public static void putBack(Tensor to, Tensor host) {
    if (to.elements() > 0) {
      int bytes = to.dtype().bytes();
      MemorySegment all = host.storage().segment();
      provider("copyFrom", to)
          .upload(all.asSlice(host.offset() * bytes, span(host) * bytes), to.storage(), start(to));
      Reference.reachabilityFence(to);
    }
  }

  /** One element of opaque memory, at a byte offset of its storage: a host segment of its own. */
  public static MemorySegment element(Tensor t, long at) {
    MemorySegment one = room(t.dtype());
    provider("get", t).download(t.storage(), at, one);
    Reference.reachabilityFence(t);
    return one;
  }

  /** Writes one element of opaque memory, as {@link Elements} has it at the segment's start. */
  public static void putElement(Tensor t, long at, MemorySegment one) {
    provider("set", t).upload(one, t.storage(), at);
    Reference.reachabilityFence(t);
  }

  /** A host segment that one element of the dtype fits. */
  public static MemorySegment room(DType dtype) {
    return MemorySegment.ofArray(new long[1]).asSlice(0, dtype.bytes());
  }

  /** Whether there is someone to ask for the elements. */
  public static boolean isReadable(Tensor t) {
    return !t.storage().isOpaque() || Devices.find(t.device()).isPresent();
  }

  /** Waits for a device whose memory Java is about to touch by itself. */
  private static void settle(Tensor t) {
    if (!t.device().equals(Device.CPU)) {
      Devices.find(t.device()).ifPresent(p -> p.synchronize(t.device()));
    }
  }

  private static DeviceProvider provider(String what, Tensor t) {
    return Devices.find(t.device())
        .orElseThrow(
            () ->
                new IllegalStateException(
                    what
                        + ": Java cannot access the memory of "
                        + TensorAccess.facts(t)
                        + " on "
                        + t.device()
                        + ", which has no provider; give one to Devices.register"));
  }

  /** Elements from the first one to the last one in memory. */
  public static long span(Tensor t) {
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
    Shape shape = to.shape();
    return to.dtype() == from.dtype()
        && shape.equals(from.shape())
        && to.isContiguous()
        && from.isContiguous()
        && (!from.storage().isOpaque() || from.device().type().equals(to.device().type()));
  }

  private static long start(Tensor t) {
    return t.offset() * t.dtype().bytes();
  }
}
