package dev.jcomms.jccl.plan;

/** The buffers that every rank of a plan has; chunks are counted from the beginning of each. */
public enum BufferType {
  INPUT("i"),
  OUTPUT("o"),
  SCRATCH("s");

  private final String code;

  BufferType(String code) {
    this.code = code;
  }

  /** The letter of the format. */
  public String code() {
    return code;
  }
}
