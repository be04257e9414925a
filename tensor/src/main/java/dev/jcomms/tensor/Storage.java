package dev.jcomms.tensor;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * The memory under one or more tensors: a segment, the device it is on, and the object that keeps
 * it valid. Immutable itself; the bytes are shared and unsynchronised.
 *
 * <p>The segment may be a Java array, native or mapped memory, or an address that only a device can
 * read. In the last case the storage is <em>opaque</em>: tensors over it have a header and a
 * segment, and methods that touch elements go through the device's provider.
 *
 * <p>Lifetime: memory that JComms allocates is native, aligned to {@link #ALIGNMENT} bytes, and is
 * freed or used again after the garbage collector has found no tensor or segment over it. Where the
 * system can, it is memory that other processes of the user can map ({@link
 * dev.jcomms.tensor.spi.TensorMemory}), as much of it as the heap may have; the rest counts against
 * {@code -XX:MaxDirectMemorySize}. Memory given by a caller lives as long as its arena and its
 * owner do: the owner stays reachable while the storage is, and through every tensor method that
 * reads or writes. Code that passes a segment's address elsewhere keeps the tensor reachable
 * itself.
 */
public final class Storage {
  /** Bytes that JComms aligns its own memory to: a cache line, and the widest vector. */
  public static final int ALIGNMENT = 64;

  /**
   * Makes reused memory NaN, to find who takes it for zero: {@code -Djcomms.memory.poison=true}.
   */
  private static final boolean POISON = Boolean.getBoolean("jcomms.memory.poison");

  private final MemorySegment segment;
  private final Device device;
  private final Object owner;
  private final boolean opaque;
  private final boolean readOnly;
  private long version; // of two changes at once one may be lost: it still differs from before

  private Storage(MemorySegment segment, Device device, Object owner, boolean opaque) {
    this.segment = Objects.requireNonNull(segment, "segment");
    this.device = Objects.requireNonNull(device, "device");
    this.owner = owner;
    this.opaque = opaque;
    this.readOnly = segment.isReadOnly();
  }

  /** New zeroed native memory on the CPU. */
  public static Storage allocate(long bytes) {
    return of(bytes > Slabs.PIECE ? Blocks.allocateZeroed(bytes) : Slabs.allocate(bytes));
  }

  /** Native memory on the CPU of any content, which may have been another tensor's. */
  static Storage reuse(long bytes) {
    MemorySegment memory = bytes > Slabs.PIECE ? Blocks.allocate(bytes) : Slabs.allocate(bytes);
    return of(POISON ? memory.fill((byte) 0xff) : memory);
  }

  /** CPU memory whose segment alone keeps it valid. */
  public static Storage of(MemorySegment segment) {
    return new Storage(segment, Device.CPU, null, false);
  }

  /** Memory of any device that Java can read and write through {@code segment}. */
  public static Storage host(MemorySegment segment, Device device, Object owner) {
    return new Storage(segment, device, owner, false);
  }

  /**
   * Memory that only {@code device} can touch. Kernels find it by {@link #owner}, or by the address
   * if it has one: 0 if not. The segment has the address and the size, and throws when Java reads
   * or writes it.
   *
   * @throws IllegalArgumentException if the address or the number of bytes is negative
   */
  public static Storage opaque(long address, long bytes, Device device, Object owner) {
    if (address < 0 || bytes < 0 || bytes > Long.MAX_VALUE - address) {
      throw new IllegalArgumentException(
          "opaque storage on " + device + ": address=" + address + " bytes=" + bytes);
    }
    return opaque(Untouchable.ALL.asSlice(address, bytes), device, owner);
  }

  /** All addresses, in a scope that has ended: to be pointed at, not to be touched. */
  @SuppressWarnings("restricted") // nothing can be reached through it
  private static final class Untouchable {
    static final MemorySegment ALL;

    static {
      try (Arena ended = Arena.ofConfined()) {
        ALL = MemorySegment.NULL.reinterpret(Long.MAX_VALUE, ended, null);
      }
    }
  }

  /**
   * As the other, with a segment from elsewhere that carries the address and the size. It is never
   * read, unless by code that does not ask {@link #isOpaque}.
   */
  public static Storage opaque(MemorySegment segment, Device device, Object owner) {
    return new Storage(segment, device, owner, true);
  }

  public MemorySegment segment() {
    return segment;
  }

  public Device device() {
    return device;
  }

  public long bytes() {
    return segment.byteSize();
  }

  /** What was given to keep the memory valid; null if the segment's own scope does. */
  public Object owner() {
    return owner;
  }

  /** True if Java cannot touch the bytes. */
  public boolean isOpaque() {
    return opaque;
  }

  /** True if the segment, array or buffer refuses writes. */
  public boolean isReadOnly() {
    return readOnly;
  }

  /** Changes by in-place operators so far; the gradient graph compares them. */
  long version() {
    return version;
  }

  void changed() {
    version++;
  }

  @Override
  public String toString() {
    return "Storage[device=" + device + " bytes=" + bytes() + (opaque ? " opaque" : "") + "]";
  }
}
