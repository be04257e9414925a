package dev.jcomms.jccl.internal.transport.tcp;

/** What a connection between two ranks is for. */
enum Purpose {
  /** Messages, windows, heartbeats: one for each pair, as long as the communicator lives. */
  MAIL,
  /** The bytes of collectives: one for each pair of an engine that has something to exchange. */
  LINE,
  /**
   * The bytes of large collectives, to the rank that has called: those go apart from the others.
   */
  BACK,
  /** One question, mostly about an operation, which the handshake carries and answers. */
  QUESTION;

  private static final Purpose[] ALL = values();

  /** The purpose of a number from the wire; null if there is none. */
  static Purpose of(int ordinal) {
    return ordinal >= 0 && ordinal < ALL.length ? ALL[ordinal] : null;
  }
}
