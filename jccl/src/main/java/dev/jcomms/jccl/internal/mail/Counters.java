package dev.jcomms.jccl.internal.mail;

import dev.jcomms.BackendException;
import dev.jcomms.CommException;
import dev.jcomms.CommTimeoutException;
import dev.jcomms.PeerLostException;
import dev.jcomms.jccl.internal.transport.Deadline;
import dev.jcomms.jccl.internal.transport.Roster;
import dev.jcomms.spi.BackendContext;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The peers of a mailroom, and who moves the mail to and from each: the JVM's own exchange, the
 * rings of the host, or the sockets. Any thread.
 */
final class Counters {
  /** How long closing waits for peers to see the goodbye, all together, after a failure. */
  private static final long BRIEF_FAREWELL_NANOS = Duration.ofSeconds(1).toNanos();

  /** And without one: what was sent may be on its way. Who is not heard of is lost before. */
  private static final long FAREWELL_NANOS = Duration.ofSeconds(30).toNanos();

  private static final long TICK_NANOS = Duration.ofMillis(50).toNanos();

  private final int rank;
  private final Guard guard = new Guard();

  /** For the buffers of pipes; null where there are none. */
  private final Arena arena;

  private final Correspondent[] peers;
  private final List<PipedCorrespondent> ringPeers = new ArrayList<>();
  private final List<PipedCorrespondent> socketPeers = new ArrayList<>();
  private final LocalExchange local;
  private final RingDesk rings;
  private final SocketDesk sockets;
  private final WindowBook windows;
  private final Runnable liveness;
  private final boolean cores;
  private final Patience.Budget budget;
  private volatile long looked = System.nanoTime();

  Counters(
      BackendContext context,
      Roster roster,
      Means means,
      Ear ear,
      WindowBook windows,
      BooleanSupplier waiting) {
    this.rank = context.rank();
    this.windows = windows;
    this.peers = new Correspondent[context.size()];
    this.liveness = means.liveness();
    String name = "jccl-mail-" + context.comm() + "-" + rank;
    this.cores = roster.host(rank).size() <= Runtime.getRuntime().availableProcessors();
    this.budget = new Patience.Budget(cores, Patience.FLAG);

    int near = reached(roster, Roster.Transport.LOCAL).size();
    arena = near < context.size() - 1 ? Arena.ofShared() : null;
    rings = openRings(roster, means, name, ear, waiting);
    sockets = openSockets(roster, means, ear);
    try {
      local = openLocal(context, roster, means, ear);
    } catch (RuntimeException e) {
      giveUp(sockets);
      throw e;
    }
    if (sockets != null) {
      sockets.start(name);
    }
  }

  private RingDesk openRings(
      Roster roster, Means means, String name, Ear ear, BooleanSupplier waiting) {
    List<Integer> ringed = reached(roster, Roster.Transport.SHM);
    if (ringed.isEmpty()) {
      return null;
    }
    List<Integer> host = roster.host(rank);
    RingArea area = new RingArea(means.rings(), host.size());
    int place = host.indexOf(rank);
    for (int peer : ringed) {
      RingPipe pipe = area.pipe(place, host.indexOf(peer));
      ringPeers.add(new PipedCorrespondent(rank, peer, pipe, guard, ear, windows, arena));
    }
    ringPeers.forEach(peer -> peers[peer.peer()] = peer);
    return new RingDesk(
        name, ringPeers, guard, area, place, liveness, waiting, () -> !windows.isEmpty(), cores);
  }

  private SocketDesk openSockets(Roster roster, Means means, Ear ear) {
    List<Integer> wired = reached(roster, Roster.Transport.TCP);
    if (wired.isEmpty()) {
      return null;
    }
    SocketDesk desk = new SocketDesk(guard, means.heartbeat(), means.caller(), cores);
    try {
      for (int peer : wired) {
        SocketChannel channel = means.sockets().apply(peer);
        PipedCorrespondent correspondent =
            new PipedCorrespondent(rank, peer, pipe(peer, channel), guard, ear, windows, arena);
        socketPeers.add(correspondent);
        peers[peer] = correspondent;
        desk.add(correspondent, channel);
      }
      return desk;
    } catch (RuntimeException e) {
      giveUp(desk);
      throw e;
    }
  }

  /** It could not be opened: nothing stays open. */
  private void giveUp(SocketDesk desk) {
    if (desk != null) {
      desk.close();
    }
    socketPeers.forEach(PipedCorrespondent::close);
    closeArena();
  }

  private void closeArena() {
    if (arena != null) {
      arena.close();
    }
  }

  private LocalExchange openLocal(BackendContext context, Roster roster, Means means, Ear ear) {
    List<Integer> near = reached(roster, Roster.Transport.LOCAL);
    if (near.isEmpty()) {
      return null;
    }
    List<Integer> all = Stream.concat(near.stream(), Stream.of(rank)).sorted().toList();
    LocalExchange exchange =
        LocalExchange.join(means.localKey(), rank, all, ear, windows, context.timeout());
    near.forEach(peer -> peers[peer] = new LocalCorrespondent(rank, peer, exchange));
    return exchange;
  }

  private static List<Integer> reached(Roster roster, Roster.Transport transport) {
    return IntStream.range(0, roster.size())
        .filter(peer -> peer != roster.rank() && roster.to(peer) == transport)
        .boxed()
        .toList();
  }

  private SocketPipe pipe(int peer, SocketChannel channel) {
    try {
      return new SocketPipe(channel, arena);
    } catch (IOException e) {
      throw new BackendException("the connection to rank " + peer + ": " + e.getMessage(), e);
    }
  }

  /** Who is lost without a word; also after all are closed. */
  List<PeerLostException> lost() {
    return Stream.concat(ringPeers.stream(), socketPeers.stream())
        .map(PipedCorrespondent::lost)
        .filter(Objects::nonNull)
        .toList();
  }

  /** Whether a peer at the other end of a socket was heard of within the last beats. */
  boolean hears(int peer) {
    return sockets != null && sockets.hears(peer);
  }

  Correspondent of(int peer) {
    return peers[peer];
  }

  /** Moves what can be moved now. */
  void progress() {
    if (rings != null) {
      rings.progress();
    }
  }

  /**
   * Looks whether all processes of this host are alive, unless that was done just now: for who uses
   * their memory and waits for nothing.
   */
  void look() {
    long now = System.nanoTime();
    if (rings != null && now - looked >= RingDesk.SLICE_NANOS) {
      looked = now;
      liveness.run();
    }
  }

  /** Windows are there: whoever moves mail has to be. */
  void standBy() {
    if (rings != null) {
      rings.standBy();
    }
  }

  /** Takes this rank's part of a window back: nobody touches its memory any more. */
  void release(WindowPart part) {
    guard.enter();
    try {
      ringPeers.forEach(peer -> peer.release(part));
      socketPeers.forEach(peer -> peer.release(part));
      windows.close(part);
    } finally {
      guard.leave();
    }
  }

  /** A job goes on by itself: whoever moves its mail has to be there. */
  void standBy(Job job) {
    if (needs(job, ringPeers)) {
      rings.standBy();
    }
  }

  private static boolean needs(Job job, List<PipedCorrespondent> some) {
    for (Part part : job.parts()) {
      for (int i = 0; i < some.size(); i++) {
        if (some.get(i).peer() == part.peer()) {
          return true;
        }
      }
    }
    return false;
  }

  /** Moves mail on this thread, as far as it can, until a job is over. */
  void await(Job job, Deadline deadline) {
    boolean throughRings = needs(job, ringPeers);
    if (throughRings && rings.drive(job, deadline)) {
      return;
    }
    if (needs(job, socketPeers)) {
      sockets.help(job);
    } else if (!throughRings) {
      Patience patience = new Patience(budget);
      while (!job.isOver() && patience.pause()) {
        // A thread of another rank ends it.
      }
      patience.renew();
    }
    while (!job.isOver()) {
      deadline.check(job);
      job.sleep(Math.min(RingDesk.SLICE_NANOS, deadline.leftNanos()));
      if (!job.isOver()) {
        liveness.run();
      }
    }
  }

  /** Wakes a thread whose job another thread has ended. */
  void wake(Job job, Thread caller) {
    if (rings != null) {
      rings.wake(caller);
    }
    job.wake();
  }

  /** Tells all peers of a failure. */
  void tell(CommException failure) {
    guard.enter();
    try {
      ringPeers.forEach(peer -> peer.tell(failure));
      socketPeers.forEach(peer -> peer.tell(failure));
    } finally {
      guard.leave();
    }
    progress();
    standBy();
    tellNear(failure);
  }

  private void tellNear(CommException failure) {
    if (local != null) {
      if (failure instanceof CommTimeoutException) {
        local.giveUp(rank, News.heard(failure, News.ANYBODY, rank));
      } else {
        local.tell(rank, failure);
      }
    }
  }

  /**
   * Says goodbye, and lets go of everything.
   *
   * @param reason the failure that this rank leaves after; null for none
   */
  void close(CommException reason) {
    farewell(reason);
    if (rings != null) {
      rings.close();
    }
    if (sockets != null) {
      sockets.close();
    }
    guard.enter();
    try {
      ringPeers.forEach(PipedCorrespondent::close);
      socketPeers.forEach(PipedCorrespondent::close);
      windows.close();
    } finally {
      guard.leave();
    }
    if (rings != null) {
      rings.leave();
    }
    if (local != null) {
      if (reason != null) {
        tellNear(reason);
      }
      local.leave(rank);
    }
    closeArena();
  }

  /** A socket that is closed too early takes back what is still on its way. */
  private void farewell(CommException reason) {
    CountDownLatch parted = new CountDownLatch(socketPeers.size());
    guard.enter();
    try {
      socketPeers.forEach(peer -> peer.sayGoodbye(reason, parted::countDown));
      ringPeers.forEach(peer -> peer.sayGoodbye(reason, () -> {}));
    } finally {
      guard.leave();
    }
    boolean interrupted = false;
    long start = System.nanoTime();
    while (parted.getCount() > 0 && System.nanoTime() - start < patienceNanos(reason)) {
      try {
        parted.await(TICK_NANOS, TimeUnit.NANOSECONDS);
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Who has left itself needs nothing more. */
  private long patienceNanos(CommException reason) {
    boolean needed = socketPeers.stream().anyMatch(peer -> peer.left() == null);
    return reason == null && needed ? FAREWELL_NANOS : BRIEF_FAREWELL_NANOS;
  }
}
