package dev.jcomms.jccl.internal.mail;

/** What a frame is for. The order is the wire's: new kinds go to the end. */
enum Kind {
  /** A message for a tag; small ones come along, the others wait to be taken. */
  OFFER,
  /** The offered message is wanted. */
  TAKE,
  /** A part of a message that was taken. */
  DATA,
  /** The receive that an offer met differs from it. */
  REFUSE,
  /** So many bytes of messages that came along are no longer in the way. */
  CREDIT,

  /** The sender's part of a window. */
  REGISTER,
  /** Bytes for a window. */
  PUT,
  /** Terms for a window. */
  ACCUMULATE,
  /** A part of a window is wanted. */
  GET,
  /** A part of what was wanted. */
  GOT,
  /** A signal, after all that was put before. */
  SIGNAL,
  /** The sender wants to know when all that it has put is in place. */
  FLUSH,
  /** It is. */
  FLUSHED,
  /** All that the sender has put before the fence has been sent. */
  FENCE,

  /** The sender is alive. */
  BEAT,
  /** Ranks are lost. */
  LOST,
  /** Ranks disagree. */
  MISMATCH,
  /** The sender was aborted. */
  ABORTED,
  /** The sender has waited too long and takes part no more. */
  GAVE_UP,
  /** The sender closes the communicator: nothing follows but {@link #SEEN}. */
  BYE,
  /** The goodbye has arrived: nothing follows. */
  SEEN,

  /** The sender deregisters a window: it asks nothing of it any more, and comes to no fence. */
  DEREGISTER;

  private static final Kind[] ALL = values();

  /** Zero is no kind. */
  byte code() {
    return (byte) (ordinal() + 1);
  }

  static Kind of(byte code) {
    if (code <= 0 || code > ALL.length) {
      throw new BadFrameException("kind " + code + " is not known");
    }
    return ALL[code - 1];
  }
}
