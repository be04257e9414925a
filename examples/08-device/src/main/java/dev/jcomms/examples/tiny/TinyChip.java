package dev.jcomms.examples.tiny;

import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Device;
import dev.jcomms.tensor.Ops;
import dev.jcomms.tensor.Storage;
import dev.jcomms.tensor.Tensor;
import dev.jcomms.tensor.spi.DeviceProvider;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The memory of the device, which is all that must be written before tensors can be on it.
 *
 * <p>The chip is a pretence: its cells are bytes kept scrambled, found by the storage's owner, and
 * no address leads to them. A real provider calls its driver in these methods, and owns what the
 * driver gave it.
 */
public final class TinyChip implements DeviceProvider {
  private static final byte KEY = 0x5A;

  /** What a storage owns. The collector frees it with the last tensor over it. */
  private record Cells(byte[] scrambled) {}

  /** For the service loader. */
  public TinyChip() {}

  /** The slot, which decides the dispatch key: {@code PrivateUse1}. */
  @Override
  public String type() {
    return "privateuse1";
  }

  /** What users write: {@code Device.of("tiny")}. */
  @Override
  public String name() {
    return "tiny";
  }

  @Override
  public int count() {
    return 1;
  }

  @Override
  public Storage allocate(Device device, long bytes) {
    return Storage.opaque(0, bytes, device, new Cells(new byte[Math.toIntExact(bytes)]));
  }

  @Override
  public void upload(MemorySegment from, Storage to, long offset) {
    byte[] bytes = from.toArray(ValueLayout.JAVA_BYTE);
    scramble(bytes);
    System.arraycopy(bytes, 0, cells(to), (int) offset, bytes.length);
  }

  @Override
  public void download(Storage from, long offset, MemorySegment to) {
    to.copyFrom(MemorySegment.ofArray(read(from, offset, (int) to.byteSize())));
  }

  // ---- the chip's own instructions, for its kernels

  /** Whether the chip can compute on these: it knows f32 and nothing else. */
  static boolean serves(Tensor... tensors) {
    for (Tensor t : tensors) {
      if (t.dtype() != DType.F32) {
        return false;
      }
    }
    return true;
  }

  /** The elements row by row, whatever the strides are. */
  static float[] load(Tensor t) {
    Tensor dense = t.contiguous();
    float[] values = new float[(int) dense.elements()];
    byte[] bytes = read(dense.storage(), dense.offset() * Float.BYTES, values.length * Float.BYTES);
    ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder()).asFloatBuffer().get(values);
    return values;
  }

  /** A new tensor of these elements. */
  static Tensor store(float[] values, long[] sizes, Device device) {
    Tensor made = Ops.empty(DType.F32, sizes, device);
    write(made, values);
    return made;
  }

  /**
   * Overwrites a tensor that lies row by row. An empty one may begin past the end of its memory.
   */
  static void write(Tensor t, float[] values) {
    if (values.length == 0) {
      return;
    }
    byte[] bytes = new byte[values.length * Float.BYTES];
    ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder()).asFloatBuffer().put(values);
    scramble(bytes);
    System.arraycopy(bytes, 0, cells(t.storage()), (int) t.offset() * Float.BYTES, bytes.length);
  }

  private static byte[] read(Storage from, long offset, int bytes) {
    byte[] copy = new byte[bytes];
    if (bytes > 0) {
      System.arraycopy(cells(from), (int) offset, copy, 0, bytes);
      scramble(copy);
    }
    return copy;
  }

  private static byte[] cells(Storage storage) {
    return ((Cells) storage.owner()).scrambled;
  }

  private static void scramble(byte[] bytes) {
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] ^= KEY;
    }
  }
}
