package dev.jcomms.tensor.spi;

import dev.jcomms.tensor.Device;
import dev.jcomms.tensor.Storage;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * The memory of a device type: what a device author implements once, before any kernel. Found by
 * {@link java.util.ServiceLoader} or given to {@code Devices.register}. All methods may be called
 * from any thread.
 *
 * <p>Copies are of plain bytes and complete when they return, but for {@link #copy} within one
 * device, which may be behind as its kernels may; they come after everything that was started on
 * the device before. Views, strides and dtypes are the caller's matter.
 */
public interface DeviceProvider {
  /** The device type: {@code cuda}, or a slot such as {@code privateuse1}. */
  String type();

  /**
   * What the type is called, in place of its slot: {@code tiny}. Registering the provider renames
   * the slot, so that {@code Device.of("tiny")} works and {@code tiny:0} prints.
   */
  default String name() {
    return type();
  }

  /** How many devices of the type there are. */
  int count();

  /**
   * New memory; its content is undefined. The storage's owner, or its segment's scope, frees it
   * when it is no longer reachable. Zero bytes may be asked for; there must be room for a segment
   * of them.
   */
  Storage allocate(Device device, long bytes);

  /** Writes host bytes, all of {@code from} and at least one, to the storage at a byte offset. */
  void upload(MemorySegment from, Storage to, long offset);

  /** Reads bytes of the storage from an offset on, as many as {@code to} has: at least one. */
  void download(Storage from, long offset, MemorySegment to);

  /**
   * Copies between two storages of this type, of one device or two; through the host by default.
   */
  default void copy(Storage from, long fromOffset, Storage to, long toOffset, long bytes) {
    try (var arena = Arena.ofConfined()) {
      MemorySegment host = arena.allocate(bytes, 64);
      download(from, fromOffset, host);
      upload(host, to, toOffset);
    }
  }

  /** Returns when everything that any thread has started on the device is done. */
  default void synchronize(Device device) {}

  /**
   * Makes a device current for the calling thread; the closeable brings back the one before. Every
   * kernel of the device runs inside the guard of its arguments' device.
   */
  default Guard guard(Device device) {
    return () -> {};
  }

  /** What was current before. */
  interface Guard extends AutoCloseable {
    @Override
    void close();
  }
}
