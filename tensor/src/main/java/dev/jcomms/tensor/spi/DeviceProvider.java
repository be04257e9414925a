package dev.jcomms.tensor.spi;

import dev.jcomms.tensor.Device;
import dev.jcomms.tensor.Storage;
import java.lang.foreign.MemorySegment;

/**
 * The memory of a device type: what a device author implements once, before any kernel. Found by
 * {@link java.util.ServiceLoader} or given to {@code Devices.register}. All methods may be called
 * from any thread.
 *
 * <p>Copies are of plain bytes and complete when they return; they come after everything that was
 * started on the device before. Views, strides and dtypes are the caller's matter.
 */
public interface DeviceProvider {
  /** The device type: {@code cuda}, or a slot such as {@code privateuse1}. */
  String type();

  /** How many devices of the type there are. */
  int count();

  /**
   * New memory; its content is undefined. The storage's owner, or its segment's scope, frees it
   * when it is no longer reachable.
   */
  Storage allocate(Device device, long bytes);

  /** Writes host bytes, all of {@code from}, to the storage at a byte offset. */
  void upload(MemorySegment from, Storage to, long offset);

  /** Reads bytes of the storage from an offset on, as many as {@code to} has. */
  void download(Storage from, long offset, MemorySegment to);

  /** Copies between two storages of this type. The default goes through the host. */
  default void copy(Storage from, long fromOffset, Storage to, long toOffset, long bytes) {
    try (var arena = java.lang.foreign.Arena.ofConfined()) {
      MemorySegment host = arena.allocate(bytes, 64);
      download(from, fromOffset, host);
      upload(host, to, toOffset);
    }
  }

  /** Returns when everything started on the device is done. */
  default void synchronize(Device device) {}

  /** Makes a device current for the calling thread; the closeable brings back the one before. */
  default Guard guard(Device device) {
    return () -> {};
  }

  /** What was current before. */
  interface Guard extends AutoCloseable {
    @Override
    void close();
  }
}
