package dev.jcomms.internal.store.tcp;

import static dev.jcomms.internal.store.tcp.Connections.GRACE;
import static dev.jcomms.internal.store.tcp.Connections.repeatable;

import dev.jcomms.internal.store.Backoff;
import dev.jcomms.internal.store.Deadline;
import dev.jcomms.store.StoreTimeoutException;
import dev.jcomms.store.TcpStore;
import dev.jcomms.store.TcpStoreOptions;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The store's operations, as exchanges on {@link Connections}.
 *
 * <p>The protocol does not acknowledge writes. A ping sent behind one does, since a server answers
 * a connection's requests in order: so a write that has returned is visible to everyone, and one
 * that the server refused fails here and not in the next call.
 */
public final class TcpClient implements TcpStore {
  private static final int ACKNOWLEDGE = 0x4A434F4D;

  private final TcpStoreOptions options;
  private final Connections connections;
  private final InetSocketAddress address;

  /** How long the server may take to answer what it can answer at once. */
  private volatile Duration patience;

  private TcpClient(
      TcpStoreOptions options,
      Connections connections,
      InetSocketAddress address,
      Duration patience) {
    this.options = options;
    this.connections = connections;
    this.address = address;
    this.patience = patience;
  }

  /** Connects, or throws when the timeout of {@code options} has passed. */
  public static TcpClient connect(String host, int port, TcpStoreOptions options) {
    Connector connector = new Connector(host, port, options);
    ClientConnection first = connector.connectPatiently(Deadline.after(options.timeout()));
    return new TcpClient(
        options, new Connections(connector, first), first.remote(), options.timeout());
  }

  /**
   * From now on the server may take at most so long to answer what it can answer at once: all but
   * waits, which have timeouts of their own.
   */
  public void requireAnswersWithin(Duration limit) {
    patience = shorter(limit, options.timeout());
  }

  private static Duration shorter(Duration a, Duration b) {
    return a.compareTo(b) < 0 ? a : b;
  }

  /** The same store for who has no time: with its connections, which it does not own. */
  public TcpClient inAHurry(Duration limit) {
    return new TcpClient(options, connections, address, shorter(limit, patience));
  }

  /** Whether nobody listens any more where the server was: it was closed, or its process ended. */
  public boolean isGone() {
    return Connector.isNobodyAt(address);
  }

  @Override
  public InetSocketAddress address() {
    return address;
  }

  @Override
  public void set(String key, byte[] value) {
    byte[] wire = WireKeys.encode(key);
    WireKeys.checkValue(value);
    call(
        "set",
        key,
        repeatable(c -> acknowledged(c.put(Opcode.SET).putCounted(wire).putCounted(value))));
  }

  @Override
  public byte[] get(String key, Duration timeout) {
    Deadline deadline = Deadline.after(timeout);
    return values("get", List.of(key), deadline).getFirst();
  }

  @Override
  public long add(String key, long delta) {
    byte[] wire = WireKeys.encode(key);
    return call("add", key, c -> c.put(Opcode.ADD).putCounted(wire).put64(delta).flush().get64());
  }

  @Override
  public byte[] compareSet(String key, byte[] expected, byte[] desired) {
    byte[] wire = WireKeys.encode(key);
    WireKeys.checkValue(expected);
    WireKeys.checkValue(desired);
    return call(
        "compareSet",
        key,
        c -> {
          c.put(Opcode.COMPARE_SET).putCounted(wire).putCounted(expected).putCounted(desired);
          return c.flush().getCounted();
        });
  }

  @Override
  public void await(List<String> keys, Duration timeout) {
    List<byte[]> wire = WireKeys.encode(keys);
    Deadline deadline = Deadline.after(timeout);
    boolean there =
        connections.inTurn("await", keys, atOnce(deadline), repeatable(c -> Waits.check(c, wire)));
    if (there) return;
    connections.apart(
        "await",
        keys,
        deadline,
        repeatable(
            c -> {
              awaitKeys("await", c, keys, wire, deadline);
              Waits.leave(c);
              return null;
            }));
  }

  @Override
  public boolean check(List<String> keys) {
    List<byte[]> wire = WireKeys.encode(keys);
    return call("check", keys, repeatable(c -> Waits.check(c, wire)));
  }

  @Override
  public boolean delete(String key) {
    byte[] wire = WireKeys.encode(key);
    // Had twice, it would say that a key was not there which it has removed itself.
    return call("delete", key, c -> c.put(Opcode.DELETE_KEY).putCounted(wire).flush().get64() > 0);
  }

  @Override
  public void multiDelete(List<String> keys) {
    List<byte[]> wire = keys.stream().map(WireKeys::encode).toList();
    call(
        "multiDelete",
        keys,
        repeatable(
            c -> {
              for (int start = 0; start < wire.size(); start += Waits.BATCH) {
                List<byte[]> some = wire.subList(start, Math.min(start + Waits.BATCH, wire.size()));
                for (byte[] key : some) c.put(Opcode.DELETE_KEY).putCounted(key);
                c.flush();
                for (byte[] _ : some) c.get64();
              }
              return null;
            }));
  }

  @Override
  public long numKeys() {
    return call("numKeys", "", repeatable(c -> c.put(Opcode.GETNUMKEYS).flush().get64()));
  }

  @Override
  public void append(String key, byte[] value) {
    byte[] wire = WireKeys.encode(key);
    WireKeys.checkValue(value);
    call("append", key, c -> acknowledged(c.put(Opcode.APPEND).putCounted(wire).putCounted(value)));
  }

  @Override
  public List<byte[]> multiGet(List<String> keys, Duration timeout) {
    return values("multiGet", keys, Deadline.after(timeout));
  }

  @Override
  public void multiSet(Map<String, byte[]> values) {
    WireKeys.checkCount(values.size());
    List<byte[]> fields = new ArrayList<>(2 * values.size());
    values.forEach(
        (key, value) -> {
          fields.add(WireKeys.encode(key));
          fields.add(WireKeys.checkValue(value));
        });
    call(
        "multiSet",
        values.keySet(),
        repeatable(
            c -> {
              c.put(Opcode.MULTI_SET).put64(fields.size() / 2);
              for (byte[] field : fields) c.putCounted(field);
              return acknowledged(c);
            }));
  }

  @Override
  public List<String> listKeys() {
    return call(
        "listKeys",
        "",
        repeatable(
            c -> {
              List<String> keys = new ArrayList<>();
              for (long left = c.put(Opcode.LIST_KEYS).flush().get64(); left > 0; left--) {
                String key = WireKeys.decode(c.getCounted());
                if (key != null) keys.add(key);
              }
              return keys;
            }));
  }

  @Override
  public void queuePush(String key, byte[] value) {
    byte[] wire = WireKeys.encode(key);
    WireKeys.checkValue(value);
    call(
        "queuePush",
        key,
        c -> acknowledged(c.put(Opcode.QUEUE_PUSH).putCounted(wire).putCounted(value)));
  }

  @Override
  public byte[] queuePop(String key, Duration timeout) {
    byte[] wire = WireKeys.encode(key);
    Deadline deadline = Deadline.after(timeout);
    byte[] there = connections.inTurn("queuePop", key, atOnce(deadline), c -> Waits.pop(c, wire));
    if (there != null) return there;
    return connections.apart(
        "queuePop",
        key,
        deadline,
        c -> {
          for (Backoff backoff = new Backoff(deadline); ; backoff.pause()) {
            awaitKeys("queuePop", c, List.of(key), List.of(wire), deadline);
            byte[] value = Waits.pop(c.begin(deadline.orAfter(GRACE)), wire);
            // Another client was faster, or a plain key has the queue's name.
            if (value != null) return value;
            if (deadline.passed()) throw timedOut("queuePop", List.of(key), deadline);
          }
        });
  }

  @Override
  public Optional<byte[]> queuePoll(String key) {
    byte[] wire = WireKeys.encode(key);
    return call("queuePoll", key, c -> Optional.ofNullable(Waits.pop(c, wire)));
  }

  @Override
  public long queueLength(String key) {
    byte[] wire = WireKeys.encode(key);
    return call(
        "queueLength",
        key,
        repeatable(c -> c.put(Opcode.QUEUE_LEN).putCounted(wire).flush().get64()));
  }

  @Override
  public void barrier(String key, int participants, Duration timeout) {
    byte[] wire = WireKeys.encode(key);
    Deadline deadline = Deadline.after(timeout);
    connections.apart(
        "barrier",
        key,
        deadline,
        c -> {
          c.put(Opcode.BARRIER).putCounted(wire).put64(participants).flush();
          if (!Waits.stopped(c, deadline)) {
            throw timedOut("barrier participants=" + participants, List.of(key), deadline);
          }
          return null;
        });
  }

  @Override
  public Duration timeout() {
    return options.timeout();
  }

  @Override
  public void close() {
    connections.close();
  }

  @Override
  public String toString() {
    return connections.toString();
  }

  private <T> T call(String operation, Object subject, Connections.Exchange<T> exchange) {
    return connections.inTurn(operation, subject, Deadline.after(patience), exchange);
  }

  /** When the server must have said whether a call has to wait. */
  private Deadline atOnce(Deadline deadline) {
    Deadline answer = deadline.orAfter(GRACE);
    Deadline limit = Deadline.after(patience);
    return answer.nanos() > limit.nanos() ? limit : answer;
  }

  /** Sends the write that was put, and waits until the server has it. */
  private static Void acknowledged(ClientConnection c) throws IOException {
    c.put(Opcode.PING).put32(ACKNOWLEDGE).flush();
    if (c.get32() != ACKNOWLEDGE) throw new IOException("write was not acknowledged");
    return null;
  }

  /** The values of keys, at once if all are there, else on a connection that waits for them. */
  private List<byte[]> values(String operation, List<String> keys, Deadline deadline) {
    List<byte[]> wire = WireKeys.encode(keys);
    List<byte[]> there =
        connections.inTurn(
            operation,
            keys,
            atOnce(deadline),
            repeatable(c -> Waits.check(c, wire) ? Waits.fetch(c, wire) : null));
    if (there != null) return there;
    return connections.apart(
        operation,
        keys,
        deadline,
        repeatable(
            c -> {
              for (Backoff backoff = new Backoff(deadline); ; backoff.pause()) {
                awaitKeys(operation, c, keys, wire, deadline);
                List<byte[]> values = Waits.fetch(c.begin(deadline.orAfter(GRACE)), wire);
                if (values != null) return values;
                if (deadline.passed()) throw timedOut(operation, keys, deadline);
              }
            }));
  }

  private void awaitKeys(
      String operation, ClientConnection c, List<String> keys, List<byte[]> wire, Deadline deadline)
      throws IOException {
    c.begin(deadline.orAfter(GRACE)).put(Opcode.WAIT).putKeys(wire).flush();
    if (Waits.stopped(c, deadline)) return;
    throw timedOut(operation, Waits.missing(c, keys, wire), deadline);
  }

  private StoreTimeoutException timedOut(String operation, List<String> keys, Deadline deadline) {
    return new StoreTimeoutException(operation, keys, deadline.timeout(), toString());
  }
}
