package dev.jcomms.jccl.internal.algo.host;

import dev.jcomms.jccl.internal.reduce.Terms;
import dev.jcomms.jccl.internal.transport.UserMemory;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

/**
 * Threads that do a rank's part of a large operation together: memory has more to give than one
 * core can ask of it.
 *
 * <p>The caller is one of them; the others are daemons, started when first needed. What they do
 * waits for nobody. One operation at a time.
 */
public final class Crew implements AutoCloseable {
  /** A thread more than these brings little, and a program has other use for its cores. */
  private static final int MOST = 4;

  /** Bytes below which a further thread costs more than it brings. */
  private static final long LEAST_PART = 256 << 10;

  /** Bytes in which copies pass the caches by; more would only be less even. */
  private static final long LARGEST_PART = 4 << 20;

  /** Borders of parts: whole pages, so whole elements and cache lines too. */
  static final long PAGE = 4 << 10;

  /** Operations follow each other, and to wake a thread takes as long as a small part. */
  private static final long SPIN_NANOS = 100_000;

  private static final Duration PATIENCE = Duration.ofSeconds(1);

  /** The most ranks of this host that any communicator of this process has had. */
  private static final AtomicInteger CROWD = new AtomicInteger(1);

  /** Something to be done with the bytes from {@code from} to, without, {@code to}. */
  interface Work {
    /**
     * @param terms nobody else's meanwhile, and empty
     */
    void run(Terms terms, long from, long to);
  }

  /** Something to be done with so many bytes of a piece, from {@code from} on. */
  interface PieceWork {
    void run(int piece, long from, long bytes);
  }

  private final int size;
  private final Terms own;
  private List<Thread> helpers;

  /** What there is to do; null for nothing. */
  private volatile Split split;

  private volatile boolean closed;

  /**
   * @param size how many threads there are at most, the caller's included
   * @param terms the caller's
   */
  Crew(int size, Terms terms) {
    this.size = size;
    this.own = terms;
  }

  /** The caller. */
  static Crew ofOne() {
    return new Crew(1, new Terms());
  }

  /**
   * How many threads a rank has: as many as there are cores for each rank of the host, but few.
   * Ranks that are not in this communicator are counted if they were in one before: most likely the
   * one that it was split from.
   *
   * @param hint how many, if it says so
   * @param ranks of this host
   */
  public static int size(String hint, int ranks) {
    int crowd = CROWD.accumulateAndGet(ranks, Math::max);
    if (hint == null || hint.isBlank() || hint.equals("auto")) {
      return Math.clamp(Runtime.getRuntime().availableProcessors() / crowd, 1, MOST);
    }
    if (!hint.matches("[1-9]\\d{0,2}")) {
      throw new IllegalArgumentException(
          "hint host.threads=" + hint + " is neither auto nor a number from 1 to 999");
    }
    return Integer.parseInt(hint);
  }

  /**
   * Does all of 0 to {@code bytes}, in parts. Throws what a part threw, when all are done.
   *
   * @param touched memory of this rank's own that is worked on: the caller does all if it may be
   *     touched by no other thread
   */
  void share(long bytes, Work work, MemorySegment... touched) {
    long parts = bytes / LEAST_PART;
    if (size == 1 || parts <= 1 || !areAccessible(touched)) {
      run(work, own, 0, bytes);
      return;
    }
    int members = (int) Math.min(size, parts);
    long part = Math.clamp(bytes / members, LEAST_PART, LARGEST_PART) & -PAGE;
    start();
    Split mine = new Split(bytes, part, work);
    split = mine;
    for (int i = 0; i < Math.min(members - 1, helpers.size()); i++) {
      LockSupport.unpark(helpers.get(i));
    }
    mine.work(own);
    mine.await();
    split = null;
    mine.check();
  }

  /**
   * Does all bytes of several pieces as if they were one: short pieces are not cut for it, and
   * nobody waits between them.
   *
   * @param lengths of the pieces, in bytes
   */
  void shareAll(long[] lengths, PieceWork work, MemorySegment... touched) {
    share(Arrays.stream(lengths).sum(), (_, from, to) -> each(lengths, from, to, work), touched);
  }

  private static void each(long[] lengths, long from, long to, PieceWork work) {
    long start = 0;
    for (int i = 0; i < lengths.length; i++) {
      long begin = Math.max(0, from - start);
      long end = Math.min(lengths[i], to - start);
      if (begin < end) {
        work.run(i, begin, end - begin);
      }
      start += lengths[i];
    }
  }

  /** Other ranks' tensors are not this one's to keep. */
  private static void run(Work work, Terms terms, long from, long to) {
    try {
      work.run(terms, from, to);
    } finally {
      terms.clear();
    }
  }

  private static boolean areAccessible(MemorySegment[] touched) {
    for (MemorySegment segment : touched) {
      if (!UserMemory.isEverybodys(segment)) {
        return false;
      }
    }
    return true;
  }

  /** Fewer will do if the system does not give so many. */
  private void start() {
    if (helpers != null) {
      return;
    }
    List<Thread> started = new ArrayList<>();
    try {
      while (started.size() < size - 1) {
        String name = "jccl-crew-" + (started.size() + 1);
        started.add(Thread.ofPlatform().daemon().name(name).start(this::serve));
      }
    } catch (OutOfMemoryError e) {
      System.getLogger("dev.jcomms.jccl").log(System.Logger.Level.DEBUG, "no thread to help", e);
    }
    helpers = started;
  }

  private void serve() {
    Terms terms = new Terms();
    Split last = null;
    long idle = System.nanoTime();
    while (!closed) {
      Split next = split;
      if (next != null && next != last) {
        next.work(terms);
        last = next;
        idle = System.nanoTime();
      } else if (System.nanoTime() - idle < SPIN_NANOS) {
        Thread.onSpinWait();
      } else {
        last = null; // nothing is kept that nobody works on
        LockSupport.park(this);
        Thread.interrupted(); // who is interrupted does not park
      }
    }
  }

  /** Waits for its threads, which have nothing to do any more. */
  @Override
  public void close() {
    closed = true;
    if (helpers == null) {
      return;
    }
    boolean interrupted = false;
    for (Thread helper : helpers) {
      LockSupport.unpark(helper);
      try {
        helper.join(PATIENCE);
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Work that is being done. */
  private static final class Split {
    private final long bytes;
    private final long part;
    private final int parts;
    private final Work work;
    private final AtomicInteger next = new AtomicInteger();
    private final AtomicInteger done = new AtomicInteger();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();

    Split(long bytes, long part, Work work) {
      this.bytes = bytes;
      this.part = part;
      this.parts = Math.toIntExact(Math.ceilDiv(bytes, part));
      this.work = work;
    }

    /** Takes parts until none is left: who comes late finds nothing to do. */
    void work(Terms terms) {
      for (int i = next.getAndIncrement(); i < parts; i = next.getAndIncrement()) {
        try {
          run(work, terms, i * part, Math.min(bytes, (i + 1) * part));
        } catch (Throwable e) {
          failure.compareAndSet(null, e);
        }
        done.getAndIncrement();
      }
    }

    /** Until nobody works on it any more, whatever happens: the memory is in use. */
    void await() {
      while (done.get() < parts) {
        Thread.yield();
      }
    }

    void check() {
      switch (failure.get()) {
        case null -> {}
        case RuntimeException e -> throw e;
        case Error e -> throw e;
        case Throwable e -> throw new AssertionError(e);
      }
    }
  }
}
