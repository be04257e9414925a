package dev.jcomms.testkit.reference;

import dev.jcomms.Collective;
import dev.jcomms.CommMismatchException;
import dev.jcomms.Work;
import dev.jcomms.spi.Fingerprint;
import dev.jcomms.spi.Promise;
import dev.jcomms.store.Store;
import dev.jcomms.tensor.Tensor;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Sends and receives: numbered letters per sender, receiver and tag. A send is done when its letter
 * is posted. A receive takes its number at once, and waits for its letter on a thread of its own,
 * so that it holds up nothing but what touches the same memory.
 */
final class Letters {
  private record Lane(int src, int dst, int tag) {}

  private record Expected(String key, Collective.Recv op) {}

  private record Pending(List<Tensor> tensors, Promise promise) {}

  private final Store store;
  private final Parcels parcels;
  private final Waits waits;
  private final int rank;
  private final Map<Lane, Long> numbers = new HashMap<>();
  private final List<Pending> pending = new CopyOnWriteArrayList<>();

  Letters(Store store, Waits waits, int rank) {
    this.store = store;
    this.parcels = new Parcels(store);
    this.waits = waits;
    this.rank = rank;
  }

  /** Posts a letter. */
  void send(Collective.Send op) {
    String key = nextKey(new Lane(rank, op.dst(), op.tag()));
    parcels.put(key + "/data", Bytes.of(op.tensor()));
    store.set(key, Fingerprint.of(op).encode().getBytes(StandardCharsets.UTF_8));
  }

  /** Takes letters as they come; done when all have. */
  Work receive(List<Collective.Recv> ops, Deadline deadline) {
    List<Expected> expected = new ArrayList<>();
    for (Collective.Recv op : ops) {
      expected.add(new Expected(nextKey(new Lane(op.src(), rank, op.tag())), op));
    }
    if (store.check(expected.stream().map(Expected::key).toList())) {
      expected.forEach(this::open);
      return Work.completed();
    }
    Pending waiting =
        new Pending(ops.stream().map(Collective.Recv::tensor).toList(), new Promise());
    waiting.promise().start();
    pending.add(waiting);
    Thread.ofVirtual()
        .name("reference-recv-" + rank)
        .start(
            () -> {
              try {
                openAll(expected, deadline);
                pending.remove(waiting);
                waiting.promise().complete();
              } catch (Throwable t) {
                pending.remove(waiting);
                waiting.promise().fail(t);
              }
            });
    return waiting.promise();
  }

  /** Waits for receives that will write what these tensors share: the order of calls is kept. */
  void settle(List<Tensor> tensors, Deadline deadline) {
    for (Pending earlier : pending) {
      if (earlier.tensors().stream()
          .anyMatch(a -> tensors.stream().anyMatch(b -> Bytes.overlap(a, b)))) {
        earlier.promise().await(deadline.timeout());
      }
    }
  }

  private void openAll(List<Expected> expected, Deadline deadline) {
    Map<String, Integer> owed = new LinkedHashMap<>();
    expected.forEach(e -> owed.put(e.key(), e.op().src()));
    waits.await(owed, deadline);
    expected.forEach(this::open);
  }

  private void open(Expected letter) {
    Fingerprint mine = Fingerprint.of(letter.op());
    Fingerprint theirs =
        Fingerprint.decode(new String(store.get(letter.key()), StandardCharsets.UTF_8));
    int src = letter.op().src();
    if (!mine.dtype().equals(theirs.dtype()) || !mine.sizes().equals(theirs.sizes())) {
      throw new CommMismatchException(
          "rank " + rank + " has " + mine + ", rank " + src + " has " + theirs, Set.of(src));
    }
    byte[] data = parcels.get(letter.key() + "/data");
    Bytes.write(letter.op().tensor(), data);
    parcels.delete(letter.key() + "/data", data.length);
    store.delete(letter.key());
  }

  private String nextKey(Lane lane) {
    long number = numbers.merge(lane, 1L, Long::sum);
    return "letter/" + lane.src() + "/" + lane.dst() + "/" + lane.tag() + "/" + number;
  }
}
