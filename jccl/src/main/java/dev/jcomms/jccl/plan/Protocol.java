package dev.jcomms.jccl.plan;

/** How a plan moves data between ranks. */
public enum Protocol {
  /** Data as it is, ordered by signals. */
  SIMPLE("Simple"),

  /** Packets that carry their own flags; scratch takes twice the bytes. */
  LL("LL");

  private final String code;

  Protocol(String code) {
    this.code = code;
  }

  /** The word of the format. */
  public String code() {
    return code;
  }
}
