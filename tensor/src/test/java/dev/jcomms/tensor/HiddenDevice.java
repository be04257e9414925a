package dev.jcomms.tensor;

import dev.jcomms.tensor.spi.DeviceProvider;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Two devices whose memory Java cannot see: what a storage's segment shows is a decoy full of
 * garbage, the bytes are elsewhere. Copies of nothing are refused, and all copies are counted.
 */
public final class HiddenDevice implements DeviceProvider {
  private static final byte GARBAGE = (byte) 0xA5;

  /** Where the bytes are. */
  private record Block(byte[] bytes) {}

  public final AtomicInteger uploads = new AtomicInteger();
  public final AtomicInteger downloads = new AtomicInteger();
  public final AtomicInteger synchronized_ = new AtomicInteger();

  /** Devices that guards have made current on any thread, the innermost last. */
  public final Deque<Device> current = new ArrayDeque<>();

  private final String type;

  public HiddenDevice(String type) {
    this.type = type;
  }

  @Override
  public String type() {
    return type;
  }

  @Override
  public int count() {
    return 2;
  }

  @Override
  public Storage allocate(Device device, long bytes) {
    MemorySegment decoy = Arena.ofAuto().allocate(bytes).fill(GARBAGE);
    Block block = new Block(new byte[Math.toIntExact(bytes)]);
    MemorySegment.ofArray(block.bytes).fill((byte) 0x77); // undefined is not zero
    return Storage.opaque(decoy, device, block);
  }

  @Override
  public void upload(MemorySegment from, Storage to, long offset) {
    requireSomething(from);
    uploads.incrementAndGet();
    MemorySegment.copy(from, 0, memory(to), offset, from.byteSize());
  }

  @Override
  public void download(Storage from, long offset, MemorySegment to) {
    requireSomething(to);
    downloads.incrementAndGet();
    MemorySegment.copy(memory(from), offset, to, 0, to.byteSize());
  }

  @Override
  public void synchronize(Device device) {
    synchronized_.incrementAndGet();
  }

  @Override
  public Guard guard(Device device) {
    current.addLast(device);
    return current::removeLast;
  }

  /** The bytes of a tensor's storage, for kernels. */
  public static MemorySegment memory(Storage storage) {
    return MemorySegment.ofArray(((Block) storage.owner()).bytes);
  }

  /** One float of a storage, for kernels. */
  public static float read(Tensor t, long element) {
    return memory(t.storage()).get(ValueLayout.JAVA_FLOAT_UNALIGNED, element * Float.BYTES);
  }

  private static void requireSomething(MemorySegment segment) {
    if (segment.byteSize() == 0) {
      throw new IllegalStateException("asked to copy nothing");
    }
  }
}
