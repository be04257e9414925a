package dev.jcomms.testkit;

import dev.jcomms.Comm;
import dev.jcomms.store.Store;
import dev.jcomms.store.StoreTimeoutException;
import dev.jcomms.tensor.Tensor;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * One rank of a scenario under way: the communicator under test, and a store beside it through
 * which the ranks of the kit talk to each other without the backend. Used by the rank's thread.
 *
 * <p>The ranks may be threads or processes; a scenario cannot tell.
 */
public final class Rank {
  private final Comm comm;
  private final Store store;
  private final Subject subject;
  private final Abilities abilities;
  private int exchanges;

  Rank(Comm comm, Store store, Subject subject, Abilities abilities) {
    this.comm = comm;
    this.store = store;
    this.subject = subject;
    this.abilities = abilities;
  }

  /** The communicator under test; fresh, and closed after the scenario if it is not by then. */
  public Comm comm() {
    return comm;
  }

  /** This rank's number. */
  public int number() {
    return comm.rank();
  }

  /** The number of ranks. */
  public int size() {
    return comm.size();
  }

  /** The next rank around the ring. */
  public int next() {
    return (number() + 1) % size();
  }

  /** The rank before this one around the ring. */
  public int previous() {
    return (number() + size() - 1) % size();
  }

  /** A store of this scenario alone, the same for all ranks. */
  public Store store() {
    return store;
  }

  /** What is put to the test. */
  public Subject subject() {
    return subject;
  }

  /** What the backend says it can do. */
  public Abilities abilities() {
    return abilities;
  }

  /** How long something that must happen may take. */
  public Duration patience() {
    return subject.timeout();
  }

  /** A tensor where the backend wants it. */
  public Tensor onDevice(Tensor host) {
    return subject.memory().toDevice(host);
  }

  /** A tensor of the device as it is now, on the host. */
  public Tensor onHost(Tensor tensor) {
    return subject.memory().toHost(tensor);
  }

  /** Returns when all ranks have come here, without the backend's help. */
  public void meet() {
    exchange("");
  }

  /** What every rank says here, by rank, without the backend's help. */
  public List<String> exchange(String mine) {
    return exchange(mine.getBytes(StandardCharsets.UTF_8)).stream()
        .map(bytes -> new String(bytes, StandardCharsets.UTF_8))
        .toList();
  }

  /** The bytes every rank brings here, by rank, without the backend's help. */
  public List<byte[]> exchange(byte[] mine) {
    String key = "exchange/" + exchanges++ + "/";
    List<String> keys = IntStream.range(0, size()).mapToObj(r -> key + r).toList();
    store.set(keys.get(number()), mine);
    try {
      // Longer than an operation may take: a rank that is held up in one says so first.
      store.await(keys, patience().plusSeconds(8));
    } catch (StoreTimeoutException e) {
      List<Integer> missing =
          IntStream.range(0, size())
              .filter(r -> e.missing().contains(keys.get(r)))
              .boxed()
              .toList();
      throw new ConformanceError(this + " waits for ranks " + missing + ", which do not come", e);
    }
    return new ArrayList<>(store.multiGet(keys));
  }

  /** {@code rank 2 of 4}. */
  @Override
  public String toString() {
    return "rank " + number() + " of " + size();
  }
}
