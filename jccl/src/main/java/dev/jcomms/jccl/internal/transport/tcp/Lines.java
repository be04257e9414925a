package dev.jcomms.jccl.internal.transport.tcp;

import dev.jcomms.CommAbortedException;
import dev.jcomms.CommException;
import dev.jcomms.PeerLostException;
import dev.jcomms.jccl.internal.transport.Alarm;
import dev.jcomms.jccl.internal.transport.Deadline;
import dev.jcomms.jccl.internal.transport.Facts;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * The bytes of collectives among some ranks: messages are posted, and all that are under way move
 * while the calling thread waits for one. So any pattern of sends and receives of any sizes goes
 * through, as long as each side posts what the other expects. {@link TcpFabric#lines} makes them;
 * one operation and one thread at a time.
 *
 * <p>A message begins with the sender's operation; one that is not the receiver's, in kind or size,
 * raises the alarm and fails. A rank that waits for long asks those it waits for where they are, so
 * that ranks which would never have met learn that they disagree.
 *
 * <p>Ranks count within the group; errors name them as the communicator counts.
 */
public final class Lines implements AutoCloseable {
  /** A wait looks at the alarm and the clock this often. */
  private static final long TICK_MILLIS = 100;

  /** How long the connection that a peer made before it left may be on its way. */
  private static final long GONE_NANOS = Duration.ofMillis(200).toNanos();

  /** Messages from so many bytes on are worth a second thread. */
  private static final long HELPED_BYTES = 64 << 10;

  /** How long the reason for a broken connection may take to come by mail. */
  private static final long GRACE_NANOS = Duration.ofMillis(100).toNanos();

  /** And a search for others who are lost: longer than it takes. */
  private static final long LONGEST_SEARCH_NANOS = Duration.ofSeconds(1).toNanos();

  private static final MemorySegment NOTHING = MemorySegment.ofArray(new byte[0]);

  private final Switchboard switchboard;
  private final Alarm alarm;
  private final int group;
  private final int[] members;
  private final int self;
  private final Line[] lines;
  private final Spell spell;
  private final BooleanSupplier looking = this::move;
  private final long heartbeatNanos;
  private final Selector selector;
  private final Runnable wakeUp;
  private final Logbook logbook = new Logbook();
  private final Clerk clerk;
  private final Inquiry inquiry;
  private volatile boolean closed;
  private volatile boolean cancelled;
  private volatile boolean asleep;

  // Of the thread that performs an operation.
  private final List<Line> busy = new ArrayList<>();
  private Deadline deadline;
  private boolean broken;

  /** Since when a peer is waited for that has left. */
  private long goneSinceNanos;

  private long moved;

  /** Null if there is none. */
  private volatile Helper helper;

  /** The helper's progress: as last seen, and before the operation. */
  private long helped;

  private long helpedBefore;

  Lines(
      Switchboard switchboard,
      Alarm alarm,
      int group,
      int[] members,
      int self,
      Endpoint[] endpoints,
      boolean maySpin,
      Duration heartbeat) {
    this.switchboard = switchboard;
    this.alarm = alarm;
    this.group = group;
    this.members = members;
    this.self = self;
    this.spell = new Spell(maySpin);
    this.heartbeatNanos = heartbeat.toNanos();
    try {
      this.selector = Selector.open();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    this.wakeUp = selector::wakeup;
    this.clerk = new Clerk(members[self], switchboard.aside(), alarm);
    this.lines = new Line[members.length];
    for (int i = 0; i < members.length; i++) {
      lines[i] =
          i == self
              ? null
              : new Line(clerk, group, members[i], endpoints[i], members[self] > members[i]);
    }
    this.inquiry =
        new Inquiry(
            switchboard,
            group,
            lines,
            busy,
            () -> moved + helped - helpedBefore,
            wakeUp,
            clerk::requireTogether);
    switchboard.publish(group, logbook);
    switchboard.connections().onArrival(wakeUp);
    alarm.listen(_ -> selector.wakeup());
  }

  /** Has a second thread write what is long, from now on. */
  public void helpedBy(Executor threads) {
    helper =
        new Helper(
            threads,
            lines,
            () -> {
              if (asleep) {
                selector.wakeup();
              }
            });
  }

  /** This rank's place in the group. */
  public int rank() {
    return self;
  }

  public int size() {
    return members.length;
  }

  /**
   * Performs the next operation. The facts are those of {@link Facts}; within the body messages may
   * be posted and awaited, and at its end all have been.
   */
  public void operation(long head, long count, Deadline deadline, Runnable body) {
    operation(head, count, false, deadline, body);
  }

  /**
   * Performs the next operation.
   *
   * @param apart whether it is large enough for a connection each way; the same on all ranks
   */
  public void operation(long head, long count, boolean apart, Deadline deadline, Runnable body) {
    alarm.check();
    if (broken || cancelled) {
      throw new CommAbortedException("an operation before this one failed midway");
    }
    Notice notice = clerk.next(head, count);
    logbook.note(notice.sequence(), head, count);
    this.deadline = deadline;
    moved = 0;
    helpedBefore = helper == null ? 0 : helper.progress();
    helped = helpedBefore;
    inquiry.begin(notice);
    restart();
    for (Line line : lines) {
      if (line != null) {
        line.route(apart);
      }
    }
    broken = true;
    try {
      body.run();
      awaitAll();
      broken = false;
    } finally {
      if (broken) {
        abandon();
      }
    }
  }

  /** From now on nobody reads the memory of what was to be sent. */
  private void abandon() {
    for (Line line : lines) {
      if (line != null) {
        line.abandon();
      }
    }
  }

  /** Ends the operation under way, if there is one, and all that would come. Any thread. */
  public void cancel() {
    cancelled = true;
    selector.wakeup();
  }

  /** Posts a message, whose memory stays as it is until it is done. */
  public Transfer send(int to, MemorySegment segment, long at, long bytes) {
    return send(to, segment, at, bytes, 0);
  }

  /**
   * Posts a message, and a number for the receiver.
   *
   * @throws WrongThreadException if the memory is another thread's alone
   */
  public Transfer send(int to, MemorySegment segment, long at, long bytes, long note) {
    if (!segment.isAccessibleBy(Thread.currentThread())) {
      // Whoever writes would leave it to that thread, which never comes.
      throw new WrongThreadException(
          "the tensor's memory belongs to another thread; use Arena.ofShared() or ofAuto() for it");
    }
    Transfer transfer = new Transfer(segment, at, bytes, note);
    busy(to).send(transfer);
    if (helper != null && bytes >= HELPED_BYTES) {
      helper.call();
    }
    return transfer;
  }

  /** Posts where the next message of a peer goes: exactly so many bytes. */
  public Transfer receive(int from, MemorySegment segment, long at, long bytes) {
    Transfer transfer = new Transfer(segment, at, bytes, 0);
    busy(from).receive(transfer);
    return transfer;
  }

  /** Posts a message without content: that this rank is here, in this operation. */
  public Transfer signal(int to) {
    return send(to, NOTHING, 0, 0);
  }

  /** Posts that a message without content is expected. */
  public Transfer signalFrom(int from) {
    return receive(from, NOTHING, 0, 0);
  }

  /** Sends and receives at the same time. */
  public void exchange(
      int to,
      MemorySegment out,
      long outAt,
      long outBytes,
      int from,
      MemorySegment in,
      long inAt,
      long inBytes) {
    Transfer sent = send(to, out, outAt, outBytes);
    Transfer received = receive(from, in, inAt, inBytes);
    await(received);
    await(sent);
  }

  private Line busy(int rank) {
    Line line = lines[rank];
    if (line.isIdle()) {
      busy.add(line);
      line.open(switchboard);
    }
    return line;
  }

  /** Waits for one message; all others move meanwhile. */
  public void await(Transfer transfer) {
    while (true) {
      hearHelper(); // before the question: what it does afterwards is news
      if (transfer.isDone()) {
        return;
      }
      work();
    }
  }

  /** Waits for all that was posted. */
  public void awaitAll() {
    while (!busy.isEmpty()) {
      hearHelper();
      work();
    }
  }

  private void hearHelper() {
    helped = helper == null ? 0 : helper.progress();
  }

  private void work() {
    try {
      if (!move() && !busy.isEmpty() && !spell.goesOn(looking)) {
        sleep();
      }
    } catch (ClosedSelectorException | java.nio.channels.CancelledKeyException e) {
      throw wasClosed();
    }
  }

  /** Moves what can be moved now: whether that was anything. */
  private boolean move() {
    long bytes = 0;
    for (int i = busy.size() - 1; i >= 0; i--) {
      Line line = busy.get(i);
      bytes += pump(line);
      if (line.isIdle()) {
        busy.remove(i);
      }
    }
    if (bytes > 0) {
      moved += bytes;
      restart();
    }
    return bytes > 0;
  }

  private long pump(Line line) {
    try {
      return line.isConnected() || line.connect(switchboard.connections(), selector)
          ? line.pump(helper != null && helper.isHere())
          : 0;
    } catch (IOException e) {
      throw lost(line, e);
    }
  }

  /**
   * A peer that has closed the communicator will not call any more, nor be called; one that has
   * given up sends no more than is on its way. What one has sent before it closed may take as long
   * as any sign of life: the end of its connection need not come, if the network keeps it.
   *
   * <p>One that has given up and that nothing is awaited of ends the operation all the same: it
   * will not do its part, and nobody else may notice before the deadline.
   */
  private void requireReachable() {
    CommException givenUp = switchboard.givenUp();
    Line gone = null;
    long patience = Long.MAX_VALUE;
    for (Line line : busy) {
      CommException left = switchboard.left(line.peer);
      if (left != null) {
        boolean over = hasGivenUp(left) || !line.isMade(switchboard.connections());
        long limit = over ? GONE_NANOS : heartbeatNanos;
        if (limit < patience) {
          gone = line;
          patience = limit;
        }
      }
    }
    if (gone == null && givenUp == null) {
      goneSinceNanos = 0;
    } else if (goneSinceNanos == 0) {
      goneSinceNanos = System.nanoTime();
    } else if (givenUp != null && System.nanoTime() - goneSinceNanos > GONE_NANOS) {
      alarm.raise(givenUp);
      throw alarm.failure().again();
    } else if (gone != null && System.nanoTime() - goneSinceNanos > patience) {
      throw lost(gone, new EOFException("it has closed the communicator"));
    }
  }

  /** Whether a peer takes part no more because it waited in vain for another. */
  private static boolean hasGivenUp(CommException left) {
    return left != null && !(left instanceof PeerLostException);
  }

  private void restart() {
    goneSinceNanos = 0;
    spell.end();
    inquiry.rest();
  }

  /** Nothing moves: sleeps until something may, and looks what has become of the peers. */
  private void sleep() {
    for (Line line : busy) {
      if (line.isConnected()) {
        line.arm();
      }
    }
    asleep = true;
    try {
      if (helper == null || helper.progress() == helped) {
        selector.select(TICK_MILLIS);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      asleep = false;
    }
    boolean any = helper != null && helper.progress() != helped;
    for (SelectionKey key : selector.selectedKeys()) {
      any |= ((Line) key.attachment()).isReady(key);
    }
    selector.selectedKeys().clear();
    inquiry.hear();
    deadline.check(inquiry);
    requireReachable();
    if (cancelled) {
      throw new CommAbortedException("another part of the operation failed");
    }
    if (!any) {
      inquiry.tick();
    }
    inquiry.hurry(deadline.leftNanos());
  }

  /**
   * Requires that a peer expects as many bytes as this rank sends it: else it alone would find that
   * they disagree.
   *
   * @param received a message of the peer that notes how many it expects
   */
  public void requireExpected(int peer, Transfer received, long sent) {
    clerk.requireExpected(lines[peer], received.note(), sent);
  }

  private CommException lost(Line line, IOException e) {
    if (closed || e instanceof ClosedChannelException) {
      return wasClosed();
    }
    // Whoever ends a connection on purpose has told why, by mail.
    long start = System.nanoTime();
    while (!alarm.isRaised() && System.nanoTime() - start < GRACE_NANOS) {
      LockSupport.parkNanos(1_000_000);
      alarm.look(); // or on its board
    }
    alarm.check();
    CommException left = switchboard.left(line.peer);
    if (hasGivenUp(left)) {
      alarm.raise(left);
      throw alarm.failure().again();
    }
    PeerLostException loss =
        new PeerLostException(
            Set.of(line.peer),
            "its connection at " + line.endpoint + " ended: " + e.getMessage(),
            e);
    alarm.lose(loss);
    awaitAlarm();
    return clerk.raised(loss);
  }

  /** For a while. */
  private void awaitAlarm() {
    long start = System.nanoTime();
    while (!alarm.isRaised() && System.nanoTime() - start < LONGEST_SEARCH_NANOS) {
      LockSupport.parkNanos(1_000_000);
    }
  }

  private CommException wasClosed() {
    alarm.check();
    return new CommAbortedException("the communicator was closed");
  }

  @Override
  public void close() {
    closed = true;
    switchboard.connections().forget(wakeUp);
    if (helper != null) {
      helper.dismiss();
    }
    try {
      for (Line line : lines) {
        if (line != null) {
          line.close();
        }
      }
      selector.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
