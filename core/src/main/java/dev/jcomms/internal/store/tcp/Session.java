package dev.jcomms.internal.store.tcp;

import dev.jcomms.internal.store.Budget;
import dev.jcomms.internal.store.RefusedException;
import dev.jcomms.internal.store.StoreState;
import dev.jcomms.internal.store.Waiter;
import dev.jcomms.internal.store.tcp.Request.*;
import dev.jcomms.store.StoreSecret;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * What one client has shown of itself, and what it is served: requests in, replies into the {@link
 * Outbox}. Knows no sockets.
 *
 * <p>A client is a stranger until it has sent the magic number and, where a secret is demanded, the
 * proof. To a stranger nothing of the store is served.
 */
final class Session extends Waiter {
  private static final byte[] NONE = {};

  /**
   * What a key waited for costs beside its bytes, measured: the text, its place in the waiter's set
   * and in the map of waiters, and a set of waiters of its own.
   */
  private static final int WAITED_KEY_BYTES = 256;

  private enum Stage {
    /** Only VALIDATE. */
    NEW(Set.of(Opcode.VALIDATE)),
    /** The secret is demanded: only the handshake. */
    CHALLENGED(Set.of(Opcode.HELLO, Opcode.PROOF)),
    /** Everything but a second VALIDATE. */
    ADMITTED(allBut(Opcode.VALIDATE));

    final Set<Opcode> allowed;

    Stage(Set<Opcode> allowed) {
      this.allowed = allowed;
    }

    private static Set<Opcode> allBut(Opcode opcode) {
      EnumSet<Opcode> all = EnumSet.allOf(Opcode.class);
      all.remove(opcode);
      return all;
    }
  }

  private final StoreState state;
  private final StoreSecret secret;
  private final boolean open;
  private final Outbox out;
  private final Budget budget;
  private final Runnable wokenUp;

  private Stage stage = Stage.NEW;
  private boolean greeted;
  private byte[] clientNonce;
  private byte[] serverNonce;
  private long waitBytes;

  /**
   * A session with a new client.
   *
   * @param secret what clients prove, or null
   * @param open whether a client may also do without
   * @param budget charged for keys waited for
   * @param wokenUp called when a reply was put out that no request of this client caused
   */
  Session(
      StoreState state,
      StoreSecret secret,
      boolean open,
      Outbox out,
      Budget budget,
      Runnable wokenUp) {
    this.state = state;
    this.secret = secret;
    this.open = open;
    this.out = out;
    this.budget = budget;
    this.wokenUp = wokenUp;
  }

  /** Whether an opcode is served at this stage. */
  boolean allows(Opcode opcode) {
    return stage.allowed.contains(opcode);
  }

  /** Whether the client has yet to show that it belongs here. */
  boolean isStranger() {
    return stage != Stage.ADMITTED;
  }

  /** Ends what the client waited for. */
  void end() {
    stopWaiting();
    state.cancel(this);
  }

  @Override
  protected void wake() {
    stopWaiting();
    out.put8(Protocol.STOP_WAITING);
    wokenUp.run();
  }

  /**
   * Serves a request.
   *
   * @throws RefusedException if the connection must be closed instead
   */
  void serve(Request request) {
    // Whoever was woken by a push and then asks for anything else leaves it to the next.
    if (!(request instanceof QueuePop)) state.release(this);
    switch (request) {
      case Validate(int magic) -> validate(magic);
      case Hello(byte[] nonce) -> hello(nonce);
      case Prove(byte[] proof) -> prove(proof);
      case Ping(int nonce) -> out.put32(nonce);
      case Put(String key, byte[] value) -> state.set(key, value);
      case CompareSet(String key, byte[] expected, byte[] desired) ->
          out.putCounted(state.compareSet(key, expected, desired));
      case Get(String key) -> out.putCounted(orNone(state.get(key)));
      case Add(String key, long delta) -> out.put64(state.add(key, delta));
      case Check(List<String> keys) ->
          out.put8(state.has(keys) ? Protocol.READY : Protocol.NOT_READY);
      case Wait(List<String> keys) -> await(keys);
      case CountKeys() -> out.put64(state.count());
      case Delete(String key) -> out.put64(state.delete(key) ? 1 : 0);
      case Append(String key, byte[] value) -> state.append(key, value);
      case CancelWait() -> {
        end();
        out.put8(Protocol.WAIT_CANCELED);
      }
      case QueuePush(String key, byte[] value) -> state.push(key, value);
      case QueuePop(String key) -> pop(key);
      case QueueLength(String key) -> out.put64(state.length(key));
      case ListKeys() -> listKeys();
      case Barrier(String key, long participants) -> barrier(key, participants);
    }
  }

  private void validate(int magic) {
    if (magic != Protocol.MAGIC) throw new RefusedException("magic=" + Integer.toHexString(magic));
    stage = open ? Stage.ADMITTED : Stage.CHALLENGED;
  }

  private void hello(byte[] nonce) {
    // A nonce and its reply cost the server more than the client: one is all it needs.
    if (greeted) throw new RefusedException("second hello");
    greeted = true;
    if (secret == null) {
      out.put8(Protocol.NO_SECRET);
      return;
    }
    clientNonce = nonce;
    serverNonce = Proof.nonce();
    out.put8(Protocol.SECRET);
    out.putRaw(serverNonce);
  }

  private void prove(byte[] proof) {
    if (clientNonce == null) throw new RefusedException("proof before hello");
    if (!Proof.matches(Proof.ofClient(secret, clientNonce, serverNonce), proof)) {
      throw new RefusedException("proof is wrong");
    }
    out.putRaw(Proof.ofServer(secret, clientNonce, serverNonce));
    clientNonce = null;
    serverNonce = null;
    stage = Stage.ADMITTED;
  }

  private void await(List<String> keys) {
    end();
    if (state.has(keys)) {
      out.put8(Protocol.STOP_WAITING);
      return;
    }
    chargeWait(keys.stream().mapToLong(key -> WAITED_KEY_BYTES + key.length()).sum());
    state.await(this, keys);
  }

  private void barrier(String key, long participants) {
    end();
    chargeWait(WAITED_KEY_BYTES + key.length());
    if (state.barrier(this, key, participants)) {
      stopWaiting();
      out.put8(Protocol.STOP_WAITING);
    }
  }

  private void chargeWait(long bytes) {
    budget.take(bytes);
    waitBytes = bytes;
  }

  private void stopWaiting() {
    budget.take(-waitBytes);
    waitBytes = 0;
  }

  private void pop(String key) {
    long length = state.length(key);
    byte[] value = state.pop(this, key);
    out.put64(length);
    if (value != null) out.putCounted(value);
  }

  private void listKeys() {
    long bytes = Long.BYTES;
    for (String key : state.keys()) bytes += Long.BYTES + key.length();
    budget.require(bytes);
    ByteBuffer list = ByteBuffer.allocate(Math.toIntExact(bytes)).order(ByteOrder.LITTLE_ENDIAN);
    list.putLong(state.count());
    for (String key : state.keys()) {
      list.putLong(key.length()).put(key.getBytes(StandardCharsets.ISO_8859_1));
    }
    out.putRaw(list.array());
  }

  private static byte[] orNone(byte[] value) {
    return value == null ? NONE : value;
  }
}
