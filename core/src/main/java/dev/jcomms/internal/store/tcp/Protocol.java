package dev.jcomms.internal.store.tcp;

/** The constants of PyTorch's TCPStore protocol, and of our handshake. */
final class Protocol {
  /** Follows VALIDATE, the first request of every connection. */
  static final int MAGIC = 0x3C85F7CE;

  /** What PyTorch's clients put before a user's key. */
  static final String KEY_PREFIX = "/";

  static final int MAX_KEY_BYTES = 8192;
  static final int MAX_VALUE_BYTES = 8 << 20;
  static final int MAX_KEYS = 131072;

  /** Answers of WAIT and BARRIER, and of CANCEL_WAIT. */
  static final byte STOP_WAITING = 0;

  static final byte WAIT_CANCELED = 1;

  /** Answers of CHECK. */
  static final byte READY = 0;

  static final byte NOT_READY = 1;

  /** Answers of HELLO: there is no secret here; or there is, and the server's nonce follows. */
  static final byte NO_SECRET = 0;

  static final byte SECRET = 1;

  private Protocol() {}
}
