package dev.jcomms.internal.store.tcp;

import dev.jcomms.internal.store.RefusedException;
import dev.jcomms.internal.store.tcp.Request.*;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * Cuts the bytes of one connection into requests, wherever the network has cut them.
 *
 * <p>Holds the fields of the request under way and nothing else; memory is taken as bytes arrive,
 * never because a length claims that they will. Anything outside the protocol is a {@link
 * RefusedException}, after which the parser must not be used.
 */
final class RequestParser {
  /** What a key in a list costs beside its bytes. */
  static final int KEY_BYTES = 64;

  private final Field field = new Field();
  private Opcode opcode;
  private int step;
  private int count;
  private String key;
  private byte[] value;
  private List<String> keys;
  private long keyBytes;

  /** Whether a request has begun and not ended. */
  boolean midway() {
    return opcode != null;
  }

  /** What is held for the request under way. */
  long bufferedBytes() {
    return field.heldBytes() + keyBytes + (value == null ? 0 : value.length);
  }

  /**
   * The next request, or null if {@code in} ends before it does; the rest is asked for again with
   * more bytes. Opcodes that {@code allowed} does not accept are refused before their fields are
   * read.
   */
  Request next(ByteBuffer in, Predicate<Opcode> allowed) {
    do {
      if (opcode == null) {
        if (!in.hasRemaining()) return null;
        begin(in.get(), allowed);
      }
      if (isMulti() && !count(in)) return null;
    } while (isEmptyMulti());
    return switch (opcode) {
      case VALIDATE -> field.number(in, Integer.BYTES) ? done(new Validate(field.int32())) : null;
      case PING -> field.number(in, Integer.BYTES) ? done(new Ping(field.int32())) : null;
      case HELLO -> field.fixed(in, Proof.NONCE_BYTES) ? done(new Hello(field.bytes())) : null;
      case PROOF -> field.fixed(in, Proof.PROOF_BYTES) ? done(new Prove(field.bytes())) : null;
      case SET -> keyAndValue(in) ? done(new Put(key, field.bytes())) : null;
      case APPEND -> keyAndValue(in) ? done(new Append(key, field.bytes())) : null;
      case QUEUE_PUSH -> keyAndValue(in) ? done(new QueuePush(key, field.bytes())) : null;
      case COMPARE_SET -> compareSet(in);
      case GET -> key(in) ? done(new Get(key)) : null;
      case DELETE_KEY -> key(in) ? done(new Delete(key)) : null;
      case QUEUE_POP -> key(in) ? done(new QueuePop(key)) : null;
      case QUEUE_LEN -> key(in) ? done(new QueueLength(key)) : null;
      case ADD -> keyAndNumber(in) ? done(new Add(key, field.int64())) : null;
      case BARRIER -> keyAndNumber(in) ? done(new Barrier(key, field.int64())) : null;
      case CHECK -> keys(in) ? done(new Check(keys)) : null;
      case WAIT -> keys(in) ? done(new Wait(keys)) : null;
      case MULTI_GET -> item(in, false);
      case MULTI_SET -> item(in, true);
      case GETNUMKEYS -> done(new CountKeys());
      case LIST_KEYS -> done(new ListKeys());
      case CANCEL_WAIT -> done(new CancelWait());
    };
  }

  private void begin(byte code, Predicate<Opcode> allowed) {
    Opcode known = Opcode.of(code);
    if (known == null || !allowed.test(known)) {
      throw new RefusedException("opcode=" + (code & 0xff) + " is not served here");
    }
    opcode = known;
  }

  private boolean isMulti() {
    return opcode == Opcode.MULTI_GET || opcode == Opcode.MULTI_SET;
  }

  /** A multi-request for no keys ends where it begins, without a reply. */
  private boolean isEmptyMulti() {
    if (!isMulti() || count > 0) return false;
    done(null);
    return true;
  }

  private Request done(Request request) {
    opcode = null;
    step = 0;
    value = null;
    keys = null;
    keyBytes = 0;
    return request;
  }

  private boolean key(ByteBuffer in) {
    if (!field.counted(in, Protocol.MAX_KEY_BYTES)) return false;
    key = new String(field.bytes(), StandardCharsets.ISO_8859_1);
    return true;
  }

  private boolean keyAndValue(ByteBuffer in) {
    if (step == 0) {
      if (!key(in)) return false;
      step = 1;
    }
    return field.counted(in, Protocol.MAX_VALUE_BYTES);
  }

  private boolean keyAndNumber(ByteBuffer in) {
    if (step == 0) {
      if (!key(in)) return false;
      step = 1;
    }
    return field.number(in, Long.BYTES);
  }

  private Request compareSet(ByteBuffer in) {
    if (step < 2) {
      if (!keyAndValue(in)) return null;
      value = field.bytes();
      step = 2;
    }
    if (!field.counted(in, Protocol.MAX_VALUE_BYTES)) return null;
    return done(new CompareSet(key, value, field.bytes()));
  }

  /** Reads the number of keys; step 1 afterwards. */
  private boolean count(ByteBuffer in) {
    if (step == 0) {
      if (!field.number(in, Long.BYTES)) return false;
      long claimed = field.int64();
      if (claimed < 0 || claimed > Protocol.MAX_KEYS) {
        throw new RefusedException(
            "keys=" + Long.toUnsignedString(claimed) + " passes the limit " + Protocol.MAX_KEYS);
      }
      count = (int) claimed;
      step = 1;
    }
    return true;
  }

  private boolean keys(ByteBuffer in) {
    if (!count(in)) return false;
    if (keys == null) keys = new ArrayList<>();
    while (keys.size() < count) {
      if (!key(in)) return false;
      keys.add(key);
      keyBytes += KEY_BYTES + key.length();
    }
    return true;
  }

  /** The next single request of a MULTI_GET or MULTI_SET. */
  private Request item(ByteBuffer in, boolean withValue) {
    if (step == 1) {
      if (!key(in)) return null;
      step = 2;
    }
    if (withValue && !field.counted(in, Protocol.MAX_VALUE_BYTES)) return null;
    Request request = withValue ? new Put(key, field.bytes()) : new Get(key);
    step = 1;
    return --count == 0 ? done(request) : request;
  }
}
