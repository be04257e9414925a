package dev.jcomms.jccl.internal.exec;

/**
 * How packets carry data and flags. In memory they are the same: four bytes of data, four of flag,
 * again and again; they differ in how many of these are one packet.
 */
public enum PacketType {
  /** Two words of data in sixteen bytes. */
  LL16(8),

  /** One word of data in eight bytes. */
  LL8(4);

  private final int payload;

  PacketType(int payload) {
    this.payload = payload;
  }

  /** Bytes of data in a packet. */
  public int payloadBytes() {
    return payload;
  }
}
