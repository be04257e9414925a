package dev.jcomms.internal.store.tcp;

import dev.jcomms.internal.store.Deadline;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The exchanges that waiting is made of, each on a connection that is the caller's. */
final class Waits {
  /** Requests of one key each that are in flight at once. */
  static final int BATCH = 256;

  /** Bytes of a request that is answered before it has ended: what systems hold at the least. */
  private static final int ASKED_BYTES = 16 << 10;

  private Waits() {}

  static boolean check(ClientConnection c, List<byte[]> keys) throws IOException {
    return c.put(Opcode.CHECK).putKeys(keys).flush().get8() == Protocol.READY;
  }

  /** The first of a queue, or null. */
  static byte[] pop(ClientConnection c, byte[] key) throws IOException {
    long length = c.put(Opcode.QUEUE_POP).putCounted(key).flush().get64();
    return length > 0 ? c.getCounted() : null;
  }

  /**
   * The values of keys that were there a moment ago; null if one has none now: it was deleted, or
   * it is a queue's. The server shows that as an empty value.
   */
  static List<byte[]> fetch(ClientConnection c, List<byte[]> keys) throws IOException {
    List<byte[]> values = new ArrayList<>(keys.size());
    List<Integer> empty = new ArrayList<>();
    while (values.size() < keys.size()) {
      List<byte[]> some = atOnce(keys.subList(values.size(), keys.size()));
      if (some.size() == 1) c.put(Opcode.GET).putCounted(some.getFirst());
      else c.put(Opcode.MULTI_GET).putKeys(some);
      c.flush();
      for (int i = 0; i < some.size(); i++) {
        byte[] value = c.getCounted();
        if (value.length == 0) empty.add(values.size());
        values.add(value);
      }
    }
    return empty.isEmpty() || probe(c, keys, values, empty) ? values : null;
  }

  /** As many of the first keys as go out whatever the server does: it answers while it reads. */
  private static List<byte[]> atOnce(List<byte[]> keys) {
    int count = 0;
    for (long bytes = 0; count < keys.size() && bytes < ASKED_BYTES; count++) {
      bytes += Long.BYTES + keys.get(count).length;
    }
    return keys.subList(0, count);
  }

  /**
   * Looks again at values that were empty, each together with whether it is there: a server answers
   * a comparison with what nobody has with the value, or where there is none with what it was
   * compared to, and sets nothing. False if one is not there.
   *
   * <p>A check goes before it: PyTorch's server wakes those who wait for a key that is compared,
   * also where it stays absent.
   */
  private static boolean probe(
      ClientConnection c, List<byte[]> keys, List<byte[]> values, List<Integer> empty)
      throws IOException {
    if (!check(c, empty.stream().map(keys::get).toList())) return false;
    byte[] token = Proof.nonce();
    for (int start = 0; start < empty.size(); start += BATCH) {
      List<Integer> some = empty.subList(start, Math.min(start + BATCH, empty.size()));
      for (int i : some) {
        c.put(Opcode.COMPARE_SET).putCounted(keys.get(i)).putCounted(token).putCounted(token);
      }
      c.flush();
      boolean there = true;
      for (int i : some) {
        byte[] value = c.getCounted();
        there &= !Arrays.equals(value, token);
        values.set(i, value);
      }
      if (!there) return false;
    }
    return true;
  }

  /**
   * Whether the answer of a WAIT or BARRIER came by the deadline. If not, the wait is cancelled: an
   * answer that was under way by then still counts.
   */
  static boolean stopped(ClientConnection c, Deadline deadline) throws IOException {
    byte answer;
    try {
      answer = c.begin(deadline).get8();
      if (answer == Protocol.STOP_WAITING) return true;
    } catch (SocketTimeoutException e) {
      c.begin(Deadline.after(Connections.GRACE)).put(Opcode.CANCEL_WAIT).flush();
      answer = c.get8();
      if (answer == Protocol.WAIT_CANCELED) return false;
      if (answer == Protocol.STOP_WAITING && c.get8() == Protocol.WAIT_CANCELED) return true;
    }
    throw new IOException("answer of a wait is " + answer);
  }

  /**
   * Ends a wait that has been answered, and that nothing follows: where a push to a queue has ended
   * it, the server leaves that push to the next one who waits. PyTorch's takes it for nothing. A
   * connection that does not live through this is closed; the wait has come to its end all the
   * same.
   */
  static void leave(ClientConnection c) {
    try {
      c.begin(Deadline.after(Connections.GRACE)).put(Opcode.CANCEL_WAIT).flush();
      if (c.get8() != Protocol.WAIT_CANCELED) c.close();
    } catch (IOException e) {
      c.close();
    }
  }

  /** Which keys are not there; all of them if the server does not say in time. */
  static List<String> missing(ClientConnection c, List<String> keys, List<byte[]> wire)
      throws IOException {
    if (keys.size() == 1) return keys;
    c.begin(Deadline.after(Connections.GRACE));
    List<String> missing = new ArrayList<>();
    for (int start = 0; start < keys.size(); start += BATCH) {
      int end = Math.min(start + BATCH, keys.size());
      for (int i = start; i < end; i++) c.put(Opcode.CHECK).put64(1).putCounted(wire.get(i));
      c.flush();
      for (int i = start; i < end; i++) {
        if (c.get8() != Protocol.READY) missing.add(keys.get(i));
      }
    }
    return missing.isEmpty() ? keys : missing;
  }
}
