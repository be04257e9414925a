package dev.jcomms.jccl.internal.mail;

import dev.jcomms.Collective;
import dev.jcomms.CommException;
import dev.jcomms.OpOptions;
import dev.jcomms.PeerLostException;
import dev.jcomms.Work;
import dev.jcomms.jccl.internal.transport.Alarm;
import dev.jcomms.jccl.internal.transport.Deadline;
import dev.jcomms.jccl.internal.transport.Roster;
import dev.jcomms.jccl.internal.transport.UserMemory;
import dev.jcomms.spi.BackendContext;
import dev.jcomms.spi.WindowBackend;
import dev.jcomms.tensor.Tensor;
import java.util.List;

/**
 * Everything that a rank sends to one other rank outside collectives: sends, receives, batches and
 * windows, and news of failures. Opened with the communicator; any thread.
 *
 * <p>Operations are posted in call order. A blocking one is moved along by its own thread, one that
 * goes on by itself by daemons, which are there once they are needed and sleep while nothing comes.
 */
public final class Mailroom implements AutoCloseable {
  private final int rank;
  private final Alarm alarm;
  private final Pending pending = new Pending();
  private final Counters counters;
  private final Jobs jobs;
  private final Registrar registrar;

  private volatile boolean closed;

  private Mailroom(BackendContext context, Roster roster, Alarm alarm, Means means) {
    this.rank = context.rank();
    this.alarm = alarm;
    WindowBook windows = new WindowBook(context.size());
    this.counters =
        new Counters(context, roster, means, new Listening(), windows, () -> !pending.isEmpty());
    this.jobs = new Jobs(rank, alarm, pending, counters);
    this.registrar = new Registrar(roster, alarm, means.shared(), windows, counters, jobs);
    alarm.count(counters::lost);
    alarm.listen(_ -> alarmed());
  }

  /**
   * Opens a rank's mailroom. Ranks of one JVM wait for each other here.
   *
   * @param alarm raised when a peer is lost or tells of a failure; once it is raised, everything
   *     under way fails and the peers are told
   */
  public static Mailroom open(BackendContext context, Roster roster, Alarm alarm, Means means) {
    return new Mailroom(context, roster, alarm, means);
  }

  /** Bytes of {@link Means#rings} that so many ranks of a host need. */
  public static long ringBytes(int ranksOfHost) {
    return RingArea.bytes(ranksOfHost);
  }

  /**
   * Begins a send, a receive or a batch of them.
   *
   * @return work that goes on by itself, and keeps its deadline
   */
  public Work submit(Collective op, OpOptions options) {
    settleOwn(op, Deadline.of(options, alarm));
    return jobs.start(job -> post(job, op), options.timeoutOr(null), alarm::raise);
  }

  /** Performs a send, a receive or a batch of them on this thread. */
  public void perform(Collective op, OpOptions options) {
    perform(op, options, () -> {});
  }

  /**
   * As {@link #perform(Collective, OpOptions)}.
   *
   * @param posted run once it has its place among the messages, if it has to wait then: others may
   *     be posted meanwhile
   */
  public void perform(Collective op, OpOptions options, Runnable posted) {
    Deadline deadline = Deadline.of(options, alarm);
    settleOwn(op, deadline);
    jobs.await(job -> post(job, op), posted, deadline, alarm::raise);
  }

  /**
   * Makes this rank's tensor reachable as its part of a window. Collective; ranks register in the
   * same order. One that fails raises the alarm: ranks are out of step then.
   *
   * @throws dev.jcomms.CommMismatchException if ranks bring different dtypes
   */
  public WindowBackend.RegisteredWindow register(Tensor tensor, OpOptions options) {
    return registrar.register(WindowBook.Series.USERS, tensor, options);
  }

  /**
   * As {@link #register}, for what an operation needs: in the order of operations, whatever windows
   * the user registers meanwhile.
   */
  public WindowBackend.RegisteredWindow registerForOperation(Tensor tensor, OpOptions options) {
    return registrar.register(WindowBook.Series.OPERATIONS, tensor, options);
  }

  /**
   * Waits until no operation that is still under way touches the memory of a new one in a way that
   * call order forbids. Before every operation, also those that are not the mailroom's.
   *
   * @throws CommException if the alarm was raised, or as the deadline says
   */
  public void settle(Collective op, Deadline deadline) {
    alarm.check();
    pending.settle(op, rank, deadline);
  }

  /**
   * As {@link #settle}, for a message: a failure is this rank's, as if the message had been posted.
   */
  private void settleOwn(Collective op, Deadline deadline) {
    try {
      settle(op, deadline);
    } catch (CommException e) {
      alarm.raise(e);
      throw e;
    }
  }

  /** Moves what has come through rings, without waiting: for who waits for something else. */
  public void progress() {
    counters.progress();
  }

  /** Why a rank takes part no more, as far as is known; null while it does. */
  public CommException left(int peer) {
    return counters.of(peer).left();
  }

  /** Whether a peer at the other end of a socket was heard of within the last beats. */
  public boolean hears(int peer) {
    return counters.hears(peer);
  }

  private void post(Job job, Collective op) {
    switch (op) {
      case Collective.PointToPoint one -> {
        requireShared(one.tensor());
        post(job, one);
      }
      case Collective.SendRecvBatch(List<Collective.PointToPoint> ops) -> {
        for (Collective.PointToPoint one : ops) {
          requireShared(one.tensor());
        }
        // All of it before anything is posted: what has come already is received at once.
        List<Collective.PointToPoint> apart = ops.stream().map(one -> apart(one, ops)).toList();
        for (Collective.PointToPoint one : apart) {
          post(job, one);
        }
      }
      default -> throw new AssertionError(op);
    }
  }

  /** What a batch sends and receives in one place would be overwritten on its way: it is copied. */
  private static Collective.PointToPoint apart(
      Collective.PointToPoint one, List<Collective.PointToPoint> ops) {
    if (one instanceof Collective.Send(Tensor tensor, int dst, int tag)) {
      for (Collective.PointToPoint other : ops) {
        if (other instanceof Collective.Recv(Tensor into, _, _)
            && tensor.segment().asOverlappingSlice(into.segment()).isPresent()) {
          return new Collective.Send(tensor.copy(), dst, tag);
        }
      }
    }
    return one;
  }

  private void post(Job job, Collective.PointToPoint op) {
    counters.of(op.peer()).post(job, op);
  }

  /** Daemons and other ranks' threads read and write it. */
  static void requireShared(Tensor tensor) {
    UserMemory.requireAlive(tensor.segment());
    if (!UserMemory.isEverybodys(tensor.segment())) {
      throw new IllegalArgumentException(
          "the tensor's memory belongs to one thread; use Arena.ofShared() or ofAuto() for it");
    }
  }

  private void alarmed() {
    if (!alarm.isHeard() && !closed) {
      counters.tell(alarm.elsewhere());
    }
    pending.failAll(alarm.beside());
  }

  /** What comes from peers and is about more than a letter. Outside the guard. */
  private final class Listening implements Ear {
    @Override
    public void told(CommException failure, CommException elsewhere) {
      if (!closed) {
        alarm.raise(failure, elsewhere);
      }
    }

    @Override
    public void claimed(int peer, PeerLostException loss, CommException elsewhere) {
      if (!closed) {
        alarm.hear(peer, loss, elsewhere);
      }
    }

    @Override
    public void left(int peer, CommException reason) {
      if (pending.needs(peer)) {
        pending.fail(peer, jobs.cause(reason));
      }
    }

    @Override
    public void lost(PeerLostException loss) {
      if (!closed) {
        if (loss.missingRanks().stream().anyMatch(pending::needs)) {
          alarm.look(); // it may have left after a failure, and had no room to tell
        }
        alarm.lose(loss);
      }
    }

    @Override
    public void settled(Runnable then) {
      if (closed) {
        then.run();
      } else {
        alarm.listen(_ -> then.run());
      }
    }
  }

  /**
   * Says goodbye to the peers, with the failure if there was one: who has not heard of it yet would
   * take this rank for the cause. Ends all threads; what is still under way fails. Nobody touches a
   * tensor, the rings or the sockets on this rank's behalf once this has returned. Idempotent.
   */
  @Override
  public void close() {
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
    }
    jobs.close();
    counters.close(alarm.elsewhere());
  }
}
