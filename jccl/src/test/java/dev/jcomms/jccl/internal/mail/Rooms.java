package dev.jcomms.jccl.internal.mail;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jcomms.CommAbortedException;
import dev.jcomms.jccl.internal.transport.Alarm;
import dev.jcomms.jccl.internal.transport.Peer;
import dev.jcomms.jccl.internal.transport.Roster;
import dev.jcomms.spi.BackendContext;
import dev.jcomms.store.HashStore;
import dev.jcomms.tensor.Device;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;

/** The mailrooms of a few ranks, all of this JVM, that reach each other in one way. */
final class Rooms implements AutoCloseable {
  /** How long anything in these tests may take. */
  static final Duration PATIENCE = Duration.ofSeconds(30);

  /** What one rank does. */
  interface Body {
    void run(int rank, Mailroom room) throws Exception;
  }

  final Roster.Transport transport;
  final int size;
  final Arena arena = Arena.ofShared();
  final MemorySegment rings;
  final SocketChannel[][] channels;
  final List<Alarm> alarms;
  final List<Mailroom> rooms;
  private final ExecutorService threads = Executors.newCachedThreadPool();

  private Rooms(Roster.Transport transport, int size, Duration heartbeat, SharedMemory shared) {
    this.transport = transport;
    this.size = size;
    this.rings =
        transport == Roster.Transport.SHM ? arena.allocate(Mailroom.ringBytes(size), 4096) : null;
    this.channels = transport == Roster.Transport.TCP ? connect(size) : null;
    this.alarms = IntStream.range(0, size).mapToObj(Alarm::new).toList();
    String key = UUID.randomUUID().toString();
    HashStore store = HashStore.create();
    this.rooms =
        each(
            rank ->
                Mailroom.open(
                    new BackendContext(
                        "test",
                        rank,
                        size,
                        IntStream.range(0, size).boxed().toList(),
                        Device.CPU,
                        store,
                        PATIENCE,
                        Map.of(),
                        Map.of()),
                    new Roster(rank, Collections.nCopies(size, Peer.self()), transport),
                    alarms.get(rank),
                    new Means(
                        rings,
                        key,
                        peer -> channels[rank][peer],
                        heartbeat,
                        (_, _) -> {},
                        () -> {},
                        shared)));
  }

  static Rooms open(Roster.Transport transport, int size) {
    return new Rooms(transport, size, Duration.ofSeconds(20), SharedMemory.NONE);
  }

  static Rooms open(Roster.Transport transport, int size, Duration heartbeat, SharedMemory shared) {
    return new Rooms(transport, size, heartbeat, shared);
  }

  /** Opens rooms, runs a body on every rank, and closes them. */
  static void run(Roster.Transport transport, int size, Body body) {
    try (Rooms rooms = open(transport, size)) {
      rooms.run(body);
    }
  }

  /** Runs a body on every rank, each on a thread of its own. */
  void run(Body body) {
    each(
        rank -> {
          body.run(rank, rooms.get(rank));
          return null;
        });
  }

  interface RankTask<T> {
    T run(int rank) throws Exception;
  }

  /** Runs a task for every rank at the same time. */
  <T> List<T> each(RankTask<T> task) {
    List<Future<T>> running = new ArrayList<>();
    for (int r = 0; r < size; r++) {
      int rank = r;
      running.add(threads.submit((Callable<T>) () -> task.run(rank)));
    }
    List<T> results = new ArrayList<>();
    Throwable failure = null;
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    for (int r = 0; r < size; r++) {
      try {
        results.add(running.get(r).get(deadline - System.nanoTime(), TimeUnit.NANOSECONDS));
      } catch (ExecutionException e) {
        failure = failure == null ? e.getCause() : failure;
        results.add(null);
      } catch (TimeoutException | InterruptedException e) {
        failure = failure == null ? new AssertionError("rank " + r + " hangs", e) : failure;
        if (alarms != null) {
          alarms.forEach(alarm -> alarm.raise(new CommAbortedException("a test hangs")));
        }
        results.add(null);
      }
    }
    switch (failure) {
      case null -> {
        return results;
      }
      case RuntimeException e -> throw e;
      case Error e -> throw e;
      default -> throw new AssertionError(failure);
    }
  }

  /** That every thread ended with its room. */
  static void assertNoThreadIsLeft() {
    assertThat(Thread.getAllStackTraces().keySet())
        .filteredOn(thread -> thread.getName().startsWith("jccl-mail"))
        .isEmpty();
  }

  /** A loopback connection for every pair of ranks. */
  static SocketChannel[][] connect(int size) {
    SocketChannel[][] channels = new SocketChannel[size][size];
    for (int a = 0; a < size; a++) {
      for (int b = a + 1; b < size; b++) {
        SocketChannel[] pair = pair();
        channels[a][b] = pair[0];
        channels[b][a] = pair[1];
      }
    }
    return channels;
  }

  /** Both ends of a loopback connection. */
  static SocketChannel[] pair() {
    try (ServerSocketChannel server = ServerSocketChannel.open()) {
      server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      SocketChannel client = SocketChannel.open(server.getLocalAddress());
      return new SocketChannel[] {client, server.accept()};
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    try {
      each(
          rank -> {
            rooms.get(rank).close();
            return null;
          });
    } finally {
      threads.shutdownNow();
      arena.close();
    }
  }
}
