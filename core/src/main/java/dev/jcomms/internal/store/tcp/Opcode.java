package dev.jcomms.internal.store.tcp;

/**
 * The requests of PyTorch's TCPStore protocol, and two of our own for the secret. All integers are
 * little-endian; strings and values are a 64-bit length and that many bytes.
 */
enum Opcode {
  VALIDATE(0),
  SET(1),
  COMPARE_SET(2),
  GET(3),
  ADD(4),
  CHECK(5),
  WAIT(6),
  GETNUMKEYS(7),
  DELETE_KEY(8),
  APPEND(9),
  MULTI_GET(10),
  MULTI_SET(11),
  CANCEL_WAIT(12),
  PING(13),
  QUEUE_PUSH(14),
  QUEUE_POP(15),
  QUEUE_LEN(16),
  LIST_KEYS(17),
  BARRIER(18),
  /** Ours: the client's nonce; the answer is {@link Protocol#SECRET} and the server's, or none. */
  HELLO(0x4A),
  /** Ours: the client's proof; the answer is the server's. */
  PROOF(0x4B);

  private static final Opcode[] BY_CODE = new Opcode[256];

  static {
    for (Opcode opcode : values()) BY_CODE[opcode.code] = opcode;
  }

  final byte code;

  Opcode(int code) {
    this.code = (byte) code;
  }

  /** The opcode of a byte, or null. */
  static Opcode of(byte code) {
    return BY_CODE[code & 0xff];
  }
}
