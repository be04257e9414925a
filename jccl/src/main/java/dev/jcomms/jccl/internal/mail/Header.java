package dev.jcomms.jccl.internal.mail;

import dev.jcomms.tensor.DType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * What every frame begins with: little-endian and of one length. Filled in, written or read, and
 * used again; one thread at a time.
 *
 * <pre>
 *   0  magic           16  id
 *   4  kind            24  offset, or what else belongs to the kind
 *   5  dtype           32  length, or what else belongs to the kind
 *   6  reduce op
 *   8  tag or window
 *  12  payload: bytes that follow the header
 * </pre>
 */
final class Header {
  static final int BYTES = 40;

  /** No frame has a longer payload: what is longer goes in several. */
  static final int MOST_PAYLOAD = 256 << 10;

  private static final DType[] DTYPES = DType.values();
  private static final int MAGIC = 0x314d434a; // JCM1
  private static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  Kind kind;
  byte dtype;
  byte redop;
  int tag;
  int payload;
  long id;
  long offset;
  long length;

  /** A header of a kind with nothing else in it. */
  Header of(Kind kind) {
    this.kind = kind;
    dtype = 0;
    redop = 0;
    tag = 0;
    payload = 0;
    id = 0;
    offset = 0;
    length = 0;
    return this;
  }

  void write(MemorySegment to) {
    to.set(INT, 0, MAGIC);
    to.set(ValueLayout.JAVA_BYTE, 4, kind.code());
    to.set(ValueLayout.JAVA_BYTE, 5, dtype);
    to.set(ValueLayout.JAVA_BYTE, 6, redop);
    to.set(ValueLayout.JAVA_BYTE, 7, (byte) 0);
    to.set(INT, 8, tag);
    to.set(INT, 12, payload);
    to.set(LONG, 16, id);
    to.set(LONG, 24, offset);
    to.set(LONG, 32, length);
  }

  /**
   * @throws BadFrameException if it is no header
   */
  void read(MemorySegment from) {
    int magic = from.get(INT, 0);
    if (magic != MAGIC) {
      throw new BadFrameException("a frame begins with 0x" + Integer.toHexString(magic));
    }
    kind = Kind.of(from.get(ValueLayout.JAVA_BYTE, 4));
    dtype = from.get(ValueLayout.JAVA_BYTE, 5);
    redop = from.get(ValueLayout.JAVA_BYTE, 6);
    tag = from.get(INT, 8);
    payload = from.get(INT, 12);
    id = from.get(LONG, 16);
    offset = from.get(LONG, 24);
    length = from.get(LONG, 32);
    if (payload < 0 || payload > MOST_PAYLOAD) {
      throw new BadFrameException(this + " has a payload of bytes=" + payload);
    }
  }

  /**
   * The dtype.
   *
   * @throws BadFrameException if there is none of that number
   */
  DType dtype() {
    if (dtype < 0 || dtype >= DTYPES.length) {
      throw new BadFrameException(this + " has dtype " + dtype);
    }
    return DTYPES[dtype];
  }

  /**
   * Refuses a frame whose payload is not what the rest of its header says.
   *
   * @throws BadFrameException if so
   */
  void requirePayload(long bytes) {
    if (payload != bytes) {
      throw new BadFrameException(
          this + " has a payload of bytes=" + payload + ", it should be " + bytes);
    }
  }

  @Override
  public String toString() {
    return kind + " #" + id;
  }
}
