package dev.jcomms.tensor.dispatch;

import dev.jcomms.tensor.Device;
import dev.jcomms.tensor.Devices;
import dev.jcomms.tensor.Storage;
import dev.jcomms.tensor.Tensor;
import dev.jcomms.tensor.internal.TensorAccess;
import dev.jcomms.tensor.internal.Transfers;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * The arguments of one call as the cpu can read them. What is used of a device's storage comes in
 * one piece, so that arguments that share memory there share it here; strides stay as they are.
 */
final class HostCopies {
  /** Byte range of a storage: a multiple of every dtype's size at its start. */
  private static final class Piece {
    long from = Long.MAX_VALUE;
    long to;
    Storage host;
  }

  private final Map<Storage, Piece> pieces = new IdentityHashMap<>();
  private final Map<Tensor, Tensor> copies = new IdentityHashMap<>();

  HostCopies(Object[] args) {
    for (Object arg : args) {
      for (Tensor t : DeviceArguments.tensors(arg)) {
        if (!t.device().equals(Device.CPU)) {
          include(t);
        }
      }
    }
  }

  private void include(Tensor t) {
    Piece piece = pieces.computeIfAbsent(t.storage(), _ -> new Piece());
    if (t.elements() > 0) {
      long bytes = t.dtype().bytes();
      piece.from = Math.min(piece.from, t.offset() * bytes & -Long.BYTES);
      piece.to = Math.max(piece.to, (t.offset() + Transfers.span(t)) * bytes);
    }
  }

  /** A tensor or list of tensors for the cpu; anything else as it is. */
  Object of(Object arg) {
    if (arg instanceof Tensor t) {
      return of(t);
    }
    if (arg instanceof List<?> list) {
      List<Object> moved = new ArrayList<>();
      for (Object o : list) {
        moved.add(o instanceof Tensor t ? of(t) : o);
      }
      return moved;
    }
    return arg;
  }

  private Tensor of(Tensor t) {
    if (t.device().equals(Device.CPU)) {
      return t;
    }
    return copies.computeIfAbsent(t, this::copy);
  }

  private Tensor copy(Tensor t) {
    Piece piece = pieces.get(t.storage());
    if (piece.host == null) {
      piece.host = bring(t.storage(), piece);
    }
    long skipped = t.storage().isOpaque() && t.elements() > 0 ? piece.from / t.dtype().bytes() : 0;
    return Tensor.over(
        piece.host,
        t.dtype(),
        t.shape(),
        TensorAccess.strides(t),
        t.elements() == 0 ? 0 : t.offset() - skipped);
  }

  /** Memory that Java can read is used where it is. */
  private static Storage bring(Storage storage, Piece piece) {
    if (!storage.isOpaque()) {
      Devices.find(storage.device()).ifPresent(p -> p.synchronize(storage.device()));
      return Storage.host(storage.segment(), Device.CPU, storage);
    }
    Storage host = Storage.allocate(Math.max(0, piece.to - Math.min(piece.from, piece.to)));
    if (host.bytes() > 0) {
      Devices.provider(storage.device()).download(storage, piece.from, host.segment());
    }
    return host;
  }
}
