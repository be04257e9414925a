package dev.jcomms.jccl.plan;

/** The kinds of channel between ranks. */
public enum ChannelType {
  /** The block itself reads and writes the peer's memory. */
  MEMORY("memory"),

  /** A proxy moves the bytes, in the order in which it was asked. */
  PORT("port"),

  /** One access reaches the memory of a whole group of ranks. */
  SWITCH("switch");

  private final String code;

  ChannelType(String code) {
    this.code = code;
  }

  /** The word of the format. */
  public String code() {
    return code;
  }
}
