package dev.jcomms.testkit.reference;

import dev.jcomms.CommAbortedException;
import dev.jcomms.CommTimeoutException;
import dev.jcomms.OpOptions;
import dev.jcomms.ReduceOp;
import dev.jcomms.Window;
import dev.jcomms.Work;
import dev.jcomms.spi.Fingerprint;
import dev.jcomms.spi.Promise;
import dev.jcomms.spi.WindowBackend;
import dev.jcomms.store.Store;
import dev.jcomms.tensor.Tensor;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;

/** A window through the store: requests to the {@link WindowKeeper} of each rank. Any thread. */
final class StoreWindow implements WindowBackend.RegisteredWindow {
  private static final long PIECE_BYTES = 4 << 20;
  private static final Duration SLICE = Duration.ofMillis(40);

  private final String key;
  private final Store store;
  private final Parcels parcels;
  private final Waits waits;
  private final int rank;
  private final int size;
  private final Rounds rounds;
  private final WindowKeeper keeper;
  private final Duration patience;
  private final List<Long> elements = new ArrayList<>();
  private final AtomicLong replies = new AtomicLong();

  /** The last fence, which the next one follows. */
  private final AtomicReference<Promise> fence = new AtomicReference<>(done());

  /** Makes this rank's tensor reachable, and waits until every rank's is. */
  StoreWindow(
      String key, Store store, Waits waits, int rank, int size, Tensor tensor, Deadline deadline) {
    this.key = key;
    this.store = store;
    this.parcels = new Parcels(store);
    this.waits = waits;
    this.rank = rank;
    this.size = size;
    this.patience = deadline.timeout();
    this.rounds = new Rounds(key + "/round", store, waits, rank, size);
    this.keeper = new WindowKeeper(store, waits, mailbox(rank), tensor, size);
    try {
      byte[] mine = ByteBuffer.allocate(8).putLong(tensor.elements()).array();
      String dtype = tensor.dtype().shortName();
      Rounds.Round round = meet("window_register", dtype, Map.of("elements", mine), deadline);
      for (int r = 0; r < size; r++) {
        elements.add(ByteBuffer.wrap(round.part(r, "elements")).getLong());
      }
    } catch (RuntimeException e) {
      keeper.stop();
      throw e;
    }
  }

  private synchronized Rounds.Round meet(
      String what, String dtype, Map<String, byte[]> parts, Deadline deadline) {
    return rounds.begin(new Fingerprint(what, dtype, "", "", -1), parts, deadline);
  }

  private String mailbox(int of) {
    return key + "/mailbox/" + of;
  }

  private void ask(int dst, String line, byte[] bytes) {
    new Mailbox(store, mailbox(dst)).push(WindowRequest.encode(line, bytes));
  }

  @Override
  public Work put(Tensor tensor, int dst, long offset, OpOptions options) {
    for (Piece piece : pieces(tensor)) {
      ask(dst, "put " + rank + " " + (offset + piece.start()), Bytes.of(piece.tensor()));
    }
    return Work.completed();
  }

  @Override
  public Work accumulate(Tensor tensor, int dst, long offset, ReduceOp op, OpOptions options) {
    // The multiplication is done here, on the term alone; what is there already is only added to.
    String applied = op instanceof ReduceOp.PremulSum ? "sum" : op.opName();
    for (Piece piece : pieces(tensor)) {
      long start = offset + piece.start();
      ask(
          dst,
          "accumulate " + rank + " " + start + " " + piece.tensor().elements() + " " + applied,
          NaiveReduction.contribution(piece.tensor(), op));
    }
    return Work.completed();
  }

  @Override
  public Work get(Tensor tensor, int src, long offset, OpOptions options) {
    Deadline deadline = Deadline.of(options);
    String reply = nextReply();
    ask(src, "get " + rank + " " + offset + " " + tensor.elements() + " " + reply, new byte[0]);
    return later(
        () -> {
          waits.await(Map.of(reply, src), deadline);
          byte[] bytes = parcels.get(reply);
          Bytes.write(tensor, bytes);
          parcels.delete(reply, bytes.length);
        });
  }

  @Override
  public Work signal(int dst, OpOptions options) {
    ask(dst, "signal " + rank, new byte[0]);
    return Work.completed();
  }

  @Override
  public Work awaitSignal(int src, OpOptions options) {
    Deadline deadline = Deadline.of(options);
    return later(
        () -> {
          while (!keeper.takeSignal(src, deadline.left(SLICE))) {
            waits.requireNoAbort();
            if (deadline.passed()) {
              throw new CommTimeoutException(
                  deadline.timeout(), "no signal of rank " + src, Set.of(src));
            }
          }
        });
  }

  @Override
  public Work flush(int dst, OpOptions options) {
    Deadline deadline = Deadline.of(options);
    Map<String, Integer> owed = askFlush(List.of(dst));
    return later(() -> awaitFlush(owed, deadline));
  }

  /** Asked when it is called, so it is about what was put before and nothing that comes later. */
  private Map<String, Integer> askFlush(List<Integer> targets) {
    Map<String, Integer> owed = new LinkedHashMap<>();
    for (int dst : targets) {
      String reply = nextReply();
      owed.put(reply, dst);
      ask(dst, "flush " + rank + " " + reply, new byte[0]);
    }
    return owed;
  }

  private void awaitFlush(Map<String, Integer> owed, Deadline deadline) {
    waits.await(owed, deadline);
    owed.keySet().forEach(store::delete);
  }

  /** Everything of this rank is in place when its flushes are; of all ranks, when all have come. */
  @Override
  public Work fence(OpOptions options) {
    Deadline deadline = Deadline.of(options);
    Map<String, Integer> owed = askFlush(IntStream.range(0, size).boxed().toList());
    Promise mine = new Promise();
    Promise before = fence.getAndSet(mine);
    later(
        mine,
        () -> {
          before.awaitEnd(deadline.timeout());
          awaitFlush(owed, deadline);
          meet("window_fence", "", Map.of(), deadline);
        });
    return mine;
  }

  @Override
  public Tensor mapRemote(int of) {
    throw new AssertionError("no rank's memory is unified");
  }

  @Override
  public Window.Attributes attributes(int of) {
    return new Window.Attributes(Window.Access.SEPARATE, elements.get(of));
  }

  @Override
  public void close() {
    try {
      meet("window_deregister", "", Map.of(), Deadline.after(patience));
    } catch (CommAbortedException e) {
      // Nobody will come any more.
    } finally {
      keeper.stop();
    }
  }

  private String nextReply() {
    return key + "/reply/" + rank + "/" + replies.incrementAndGet();
  }

  private record Piece(long start, Tensor tensor) {}

  private static List<Piece> pieces(Tensor tensor) {
    Tensor flat = tensor.flatten();
    long most = PIECE_BYTES / 8;
    List<Piece> pieces = new ArrayList<>();
    for (long at = 0; at < flat.elements(); at += most) {
      pieces.add(new Piece(at, flat.narrow(0, at, Math.min(most, flat.elements() - at))));
    }
    return pieces;
  }

  private interface Task {
    void run() throws InterruptedException;
  }

  private static Promise done() {
    Promise promise = new Promise();
    promise.complete();
    return promise;
  }

  private static Work later(Task task) {
    return later(new Promise(), task);
  }

  private static Work later(Promise promise, Task task) {
    promise.start();
    Thread.ofVirtual()
        .start(
            () -> {
              try {
                task.run();
                promise.complete();
              } catch (Throwable t) {
                promise.fail(t);
              }
            });
    return promise;
  }
}
