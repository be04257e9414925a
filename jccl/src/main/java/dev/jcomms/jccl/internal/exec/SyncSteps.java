package dev.jcomms.jccl.internal.exec;

import dev.jcomms.jccl.plan.ChannelType;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The steps that move no data. Counts only grow, and outlive launches: a wait takes a ticket, the
 * count at which it ends. Relaxed ones are ordered, too.
 */
final class SyncSteps {
  private SyncSteps() {}

  /**
   * The end of a channel.
   *
   * @param peer where it leads
   * @param outbound where in the peer's part it is counted what this rank signals
   * @param inbound where in the own part it is counted what the peer signals
   * @param taken how many of these have been waited for
   */
  record Line(ChannelType type, int id, int peer, long outbound, long inbound, AtomicLong taken) {}

  /** {@code signal}. */
  static final class Signal extends Step {
    private final Line[] lines;

    Signal(Line... lines) {
      this.lines = lines;
    }

    @Override
    boolean advance(Launch launch, Block block, long from, long most) {
      for (Line line : lines) {
        launch.memory().add(line.peer, line.outbound);
      }
      return true;
    }

    @Override
    Awaited awaited(Launch launch) {
      return new Awaited("nothing", lines[0].peer);
    }
  }

  /** {@code wait}. */
  static final class Wait extends Step {
    private final Line[] lines;
    private final long[] tickets;
    private boolean begun;
    private int at;

    Wait(Line... lines) {
      this.lines = lines;
      this.tickets = new long[lines.length];
    }

    @Override
    boolean advance(Launch launch, Block block, long from, long most) {
      if (!begun) {
        for (int i = 0; i < lines.length; i++) {
          tickets[i] = lines[i].taken.incrementAndGet();
        }
        begun = true;
      }
      while (at < lines.length) {
        if (launch.memory().number(lines[at].inbound) < tickets[at]) {
          return false;
        }
        at++;
      }
      reset();
      return true;
    }

    @Override
    Awaited awaited(Launch launch) {
      Line line = lines[Math.min(at, lines.length - 1)];
      return new Awaited(
          "the signal of rank %d on %s channel %d".formatted(line.peer, line.type.code(), line.id),
          line.peer);
    }

    @Override
    void reset() {
      begun = false;
      at = 0;
    }
  }

  /** {@code flush}: puts on this host are done when they return, so it concerns others only. */
  static final class Flush extends Step {
    private final Line[] lines;
    private boolean asked;

    Flush(Line... lines) {
      this.lines = lines;
    }

    @Override
    boolean advance(Launch launch, Block block, long from, long most) {
      if (!asked) {
        for (Line line : lines) {
          if (launch.memory().isFar(line.peer)) {
            block.send(launch.memory().far().flush(line.peer));
          }
        }
        asked = true;
      }
      if (!block.isSent()) {
        return false;
      }
      reset();
      return true;
    }

    @Override
    Awaited awaited(Launch launch) {
      return new Awaited("rank " + lines[0].peer + " to have what was put", lines[0].peer);
    }

    @Override
    void reset() {
      asked = false;
    }
  }

  /** {@code barrier}. */
  static final class Barrier extends Step {
    private final int rank;
    private final int id;
    private final int blocks;
    private final AtomicLong come;
    private long ticket;

    Barrier(int rank, int id, int blocks, AtomicLong come) {
      this.rank = rank;
      this.id = id;
      this.blocks = blocks;
      this.come = come;
    }

    @Override
    boolean advance(Launch launch, Block block, long from, long most) {
      if (ticket == 0) {
        ticket = Math.ceilDiv(come.incrementAndGet(), blocks) * blocks;
      }
      if (come.get() < ticket) {
        return false;
      }
      ticket = 0;
      return true;
    }

    @Override
    Awaited awaited(Launch launch) {
      return new Awaited(
          "%d more of %d blocks at barrier %d".formatted(ticket - come.get(), blocks, id), rank);
    }

    @Override
    void reset() {
      ticket = 0;
    }
  }

  /** {@code sem_acquire}. */
  static final class Acquire extends Step {
    private final int rank;
    private final int[] ids;
    private final AtomicLong[] semaphores;
    private int at;

    Acquire(int rank, int[] ids, AtomicLong[] semaphores) {
      this.rank = rank;
      this.ids = ids;
      this.semaphores = semaphores;
    }

    @Override
    boolean advance(Launch launch, Block block, long from, long most) {
      while (at < ids.length) {
        AtomicLong semaphore = semaphores[ids[at]];
        long value = semaphore.get();
        if (value <= 0) {
          return false;
        }
        if (semaphore.compareAndSet(value, value - 1)) {
          at++;
        }
      }
      at = 0;
      return true;
    }

    @Override
    Awaited awaited(Launch launch) {
      return new Awaited("semaphore " + ids[Math.min(at, ids.length - 1)], rank);
    }

    @Override
    void reset() {
      at = 0;
    }
  }

  /** {@code sem_release}. */
  static final class Release extends Step {
    private final int rank;
    private final int[] ids;
    private final AtomicLong[] semaphores;

    Release(int rank, int[] ids, AtomicLong[] semaphores) {
      this.rank = rank;
      this.ids = ids;
      this.semaphores = semaphores;
    }

    @Override
    boolean advance(Launch launch, Block block, long from, long most) {
      for (int id : ids) {
        semaphores[id].incrementAndGet();
      }
      return true;
    }

    @Override
    Awaited awaited(Launch launch) {
      return new Awaited("nothing", rank);
    }
  }
}
