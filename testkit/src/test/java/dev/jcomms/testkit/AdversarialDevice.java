package dev.jcomms.testkit;

import dev.jcomms.tensor.Device;
import dev.jcomms.tensor.Storage;
import dev.jcomms.tensor.dispatch.DispatchKey;
import dev.jcomms.tensor.dispatch.Fallbacks;
import dev.jcomms.tensor.dispatch.Library;
import dev.jcomms.tensor.spi.DeviceProvider;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A device that takes every freedom the contract gives: its memory is elsewhere than its segments
 * say, starts as garbage, comes in two devices that do not see each other's, and refuses copies of
 * nothing and copies outside of a storage. It has no kernel at all.
 */
final class AdversarialDevice implements DeviceProvider {
  private static final byte GARBAGE = (byte) 0xFB; // NaN in every floating dtype
  private static final byte KEY = 0x5C;

  private record Block(byte[] scrambled, int index) {}

  final AtomicLong uploads = new AtomicLong();

  /** In the process once, for all tests that use it. */
  static final AdversarialDevice INSTANCE = register();

  private static AdversarialDevice register() {
    AdversarialDevice device = new AdversarialDevice();
    dev.jcomms.tensor.Devices.register(device);
    Library.impl("_", DispatchKey.PRIVATE_USE_3, m -> m.fallback(Fallbacks.cpu(_ -> {})));
    return device;
  }

  @Override
  public String type() {
    return "privateuse3";
  }

  @Override
  public String name() {
    return "adversary";
  }

  @Override
  public int count() {
    return 2;
  }

  @Override
  public Storage allocate(Device device, long bytes) {
    MemorySegment decoy = Arena.ofAuto().allocate(bytes, 64).fill(GARBAGE);
    byte[] content = new byte[Math.toIntExact(bytes)];
    java.util.Arrays.fill(content, GARBAGE);
    return Storage.opaque(decoy, device, new Block(content, device.index()));
  }

  @Override
  public void upload(MemorySegment from, Storage to, long offset) {
    uploads.incrementAndGet();
    byte[] target = block(to, offset, from.byteSize());
    byte[] bytes = from.toArray(java.lang.foreign.ValueLayout.JAVA_BYTE);
    for (int i = 0; i < bytes.length; i++) {
      target[(int) offset + i] = (byte) (bytes[i] ^ KEY);
    }
  }

  @Override
  public void download(Storage from, long offset, MemorySegment to) {
    byte[] source = block(from, offset, to.byteSize());
    byte[] bytes = new byte[(int) to.byteSize()];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) (source[(int) offset + i] ^ KEY);
    }
    MemorySegment.copy(bytes, 0, to, java.lang.foreign.ValueLayout.JAVA_BYTE, 0, bytes.length);
  }

  private static byte[] block(Storage storage, long offset, long bytes) {
    Block block = (Block) storage.owner();
    if (bytes == 0) {
      throw new IllegalStateException("asked to copy nothing");
    }
    if (offset < 0 || offset + bytes > block.scrambled.length) {
      throw new IndexOutOfBoundsException("bytes " + offset + " to " + (offset + bytes));
    }
    if (block.index != storage.device().index()) {
      throw new IllegalStateException("memory of device " + block.index);
    }
    return block.scrambled;
  }
}
