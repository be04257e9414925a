package dev.jcomms.jccl.internal.transport.shm;

import dev.jcomms.CommException;
import dev.jcomms.CommMismatchException;
import dev.jcomms.jccl.internal.transport.Alarm;
import dev.jcomms.jccl.internal.transport.Aside;
import dev.jcomms.jccl.internal.transport.Deadline;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Where the ranks of a host meet: in phases, each of which begins with every rank writing what it
 * offers and ends with every rank having read what it wants.
 *
 * <p>A rank that has {@linkplain #come come} for an operation {@linkplain #begin begins} a phase,
 * writes into its own payload or stage, {@linkplain #meet meets} the others, and reads theirs;
 * beginning the next phase says that it has read enough. When it is done it {@linkplain #go goes}.
 * What was written stays until the writer begins the phase after the next: by then all have begun
 * the next.
 *
 * <p>Every phase is met by every rank and carries the operation's facts, so ranks that disagree
 * learn it in the first one.
 *
 * <p>A phase in which one rank speaks and the others listen, or all others speak to one, need not
 * be a meeting: speakers {@linkplain #speak speak} some phases ahead, and listeners {@linkplain
 * #listen listen} to them alone. All meet once before anything else is done.
 *
 * <p>One thread at a time, but for {@link #look} and {@link #close}.
 */
public final class Floor {
  /**
   * Listeners nod in phases that end with these bits. A nod takes a cache line from the speaker,
   * and what comes after in this thread may have to wait for that.
   */
  private static final int NODS = 7;

  /** Speeches that do not fit into a note: how many one stage holds. */
  private static final int SPEECHES = 8;

  /** How many phases a speaker may be ahead of a listener, as {@link #farAhead}, in stages. */
  public static final int AHEAD = 2 * SPEECHES - 2;

  /** In place of a rank: all others. */
  public static final int ALL = -1;

  private static final int NOBODY = -2;

  /** Bytes that fit into a remark. */
  public static final int REMARK_BYTES = Boards.REMARK_BYTES;

  private final Boards boards;
  private final int rank;
  private final int size;
  private final List<Integer> names;
  private final long stageBytes;
  private final Alarm alarm;
  private final Runnable liveness;
  private final Standings standings;
  private final Remarks remarks = new Remarks();
  private final Vigil vigil;
  private final Announcement announcement;
  private final Supplier<Standings.Found> lookout;
  private final Pace pace = new Pace();
  private final Occupancy occupancy = new Occupancy();
  private long phase;

  /** What this rank has come for: the facts of an operation. */
  private long head;

  private long count;

  /** Whom this rank has spoken to last, in place of listening. */
  private int listener = NOBODY;

  /** The newest phase that who listens is known to have published. */
  private long heard;

  /**
   * @param memory zeroed, {@link #bytes} long
   * @param rank this rank's place among the host's ranks
   * @param names what the host's ranks are called in messages, by place
   * @param aside where this rank is when it is not here
   * @param liveness raises the alarm if a process of the host is gone
   */
  public Floor(
      MemorySegment memory,
      int rank,
      List<Integer> names,
      long stageBytes,
      Alarm alarm,
      Aside aside,
      Runnable liveness) {
    this.boards = new Boards(memory);
    this.rank = rank;
    this.size = names.size();
    this.names = names;
    this.stageBytes = stageBytes;
    this.alarm = alarm;
    this.liveness = liveness;
    this.standings = new Standings(boards, rank, names, alarm);
    this.vigil = new Vigil(boards, remarks, standings, rank, names, aside, liveness);
    this.announcement = new Announcement(boards, standings, vigil, rank, names);
    this.lookout = announcement::look;
    // From here on other threads come to the boards.
    standings.heedAlarm();
    // Who waits for ranks of other hosts has to learn what those of its own have found.
    alarm.watch(this::look);
    aside.show(standings::aside);
  }

  /** Bytes of memory that so many ranks with stages of so many bytes need. */
  public static long bytes(int ranks, long stageBytes) {
    return stages(ranks) + 2 * ranks * stageBytes;
  }

  private static long stages(int ranks) {
    return (ranks * Boards.BOARD + 4095) / 4096 * 4096;
  }

  public int rank() {
    return rank;
  }

  public int size() {
    return size;
  }

  /** What a rank is called in messages. */
  public int name(int of) {
    return names.get(of);
  }

  /** The memory that all offsets are into. */
  public MemorySegment memory() {
    return boards.memory();
  }

  /** The address of an offset, for who has come and not gone. */
  public long address(long at) {
    return boards.address(at);
  }

  /** Bytes of a stage. */
  public long stageBytes() {
    return stageBytes;
  }

  /**
   * Says what this rank has come for, and brings to all phases from now on. Until it {@linkplain
   * #go goes}, the memory stays.
   *
   * @throws IllegalStateException if it was closed
   */
  public void come(long head, long count) {
    occupancy.enter();
    this.head = head;
    this.count = count;
  }

  /** The end of what this rank has come for. */
  public void go() {
    occupancy.leave();
  }

  /** What this rank has come for, but for how much of it. */
  public long head() {
    return head;
  }

  /** How much of it. */
  public long count() {
    return count;
  }

  /** Begins the next phase: this rank has read all it wants of the one before. */
  public void begin() {
    phase++;
  }

  /** Where a rank's payload of this phase begins: {@link Boards#PAYLOAD_BYTES} long. */
  public long payload(int of) {
    return Boards.payload(Boards.note(of, phase));
  }

  /** Where a rank's stage of this phase begins. */
  public long stage(int of) {
    return stages(size) + (2L * of + (phase & 1)) * stageBytes;
  }

  /** Where a rank puts so many bytes in this phase, and the others find them. */
  public long place(int of, long bytes) {
    return bytes <= Boards.PAYLOAD_BYTES ? payload(of) : stage(of);
  }

  /** As {@link #place}, for what is computed with: no vector crosses cache lines there. */
  public long row(int of, long bytes) {
    return bytes <= Boards.PAYLOAD_BYTES ? Boards.row(Boards.note(of, phase), bytes) : stage(of);
  }

  /** Bytes that a speaker may have to say in a phase. */
  public long speechBytes() {
    return stageBytes / SPEECHES;
  }

  /** Where a speaker puts so many bytes in this phase, and the others find them. */
  public long speech(int of, long bytes) {
    if (remarks.areMade()) {
      return Boards.remarked(remarks.of(of, phase));
    }
    return bytes <= Boards.PAYLOAD_BYTES
        ? payload(of)
        : stage(of) + (phase >> 1 & SPEECHES - 1) * speechBytes();
  }

  /**
   * From now on, until all meet, speakers make remarks of so many bytes: those of several phases
   * share a cache line, and none repeats the facts. A rank that comes with something else writes
   * that into a note, where others find it when they have waited for its remark for long.
   */
  public void beginRemarks(long bytes) {
    remarks.begin(bytes, head, count);
  }

  /** Sends a word along with this phase. */
  public void say(long word) {
    boards.word(Boards.note(rank, phase), word);
  }

  /** The word that a rank sent along with this phase. */
  public long said(int of) {
    return boards.word(Boards.note(of, phase));
  }

  /**
   * Publishes what this rank has written and waits until all ranks have published theirs.
   *
   * @throws CommMismatchException if a rank came with other facts
   * @throws CommException if a rank is lost, the time is over, or the alarm was raised
   */
  public void meet(Deadline deadline) {
    offer(deadline);
    await(deadline);
  }

  /** Meets once more with nothing to show: afterwards nobody reads this rank's memory any more. */
  public void part(Deadline deadline) {
    begin();
    meet(deadline);
  }

  /**
   * Meets after tensors of others were read where they are, unless a rank has failed: its tensors
   * may have been overwritten meanwhile. That is found before anybody is told that this rank has
   * done its part, so nobody takes what came of it.
   */
  public void meetIntact(Deadline deadline) {
    standings.requireNoFailure();
    meet(deadline);
  }

  /** Parts after tensors of others were read where they are; see {@link #meetIntact}. */
  public void partIntact(Deadline deadline) {
    begin();
    meetIntact(deadline);
  }

  /**
   * The first half of a {@link #meet}: publishes. What a rank does before the second costs it
   * little, while notes are on their way.
   */
  public void offer(Deadline deadline) {
    if (remarks.areMade()) {
      endRemarks(deadline);
    }
    publish();
    pace.rest();
    deadline.begun();
  }

  /** The second half: waits until all ranks have published theirs. */
  public void await(Deadline deadline) {
    expectAll(phase, head, count, deadline);
  }

  /**
   * The first half of a {@link #meet}: publishes and waits for nobody. Whoever waits elsewhere
   * until {@link #confirm} learns of ranks that came with other facts when the alarm's lookouts
   * look.
   */
  public void announce() {
    announcement.make(phase, head, count);
    publish();
  }

  /** The ranks, by name, that have not come to what this rank has announced. */
  public Set<Integer> absent() {
    return announcement.absent();
  }

  /** The second half: waits until all ranks have published, and compares. */
  public void confirm(Deadline deadline) {
    announcement.end();
    expectAll(phase, announcement.head(), announcement.count(), deadline);
  }

  /**
   * How many phases a speaker may be ahead of a listener at most, with speeches that fit into notes
   * or, as they are now, remarks. A listener that meets the others in the phase after knows then
   * that nobody is still in the one whose note it overwrites.
   */
  public int farAhead() {
    return (remarks.areMade() ? Boards.REMARKS_EACH : Boards.NOTES) - 2;
  }

  /**
   * Begins a phase in which this rank speaks, when who listens has heard what is so many phases
   * back.
   *
   * @param listener who listens to it, the same in all phases until ranks meet: a rank, or {@link
   *     #ALL}
   * @throws CommException as {@link #meet}, for any phase since all were known to have come
   */
  public void beginSpeech(int listener, int ahead, Deadline deadline) {
    begin();
    this.listener = listener;
    if (phase - ahead > heard) {
      awaitNods(phase - ahead, head, count, deadline);
    }
    if (pace.time(phase) || pace.isSlow()) {
      glance();
    }
  }

  /** Waits until who listens has heard what is so far back, and a little more. */
  private void awaitNods(long back, long head, long count, Deadline deadline) {
    long expected = back | NODS;
    if (listener == ALL) {
      expectAll(expected, head, count, deadline);
    } else {
      expect(listener, listener, expected, head, count, deadline);
      heard = expected;
    }
  }

  /** A note of this phase is in the place of one from before the remarks: all must have read it. */
  private void endRemarks(Deadline deadline) {
    long back = phase - (Boards.NOTES - 2);
    if (listener != NOBODY && back > heard) {
      awaitNods(back, remarks.head(), remarks.count(), deadline);
    }
    remarks.end();
  }

  /** Says that an operation of a stream is under way, but for some of many. */
  private void begun(Deadline deadline) {
    if (pace.isNotable(phase)) {
      deadline.begun();
    }
  }

  /** For who speaks and may never wait: it learns of the others in no other way. */
  private void glance() {
    look();
    liveness.run();
    alarm.check();
  }

  /** Publishes what this rank has written, and waits for nobody. */
  public void speak(Deadline deadline) {
    if (remarks.areMade()) {
      boards.publish(remarks.of(rank, phase), phase);
      boards.wakeSleepers(rank);
    } else {
      publish();
    }
    begun(deadline);
  }

  /** Begins a phase in which this rank listens. */
  public void beginListening(Deadline deadline) {
    begin();
    listener = NOBODY;
    pace.time(phase);
    begun(deadline);
  }

  /**
   * Waits until a rank has spoken in this phase.
   *
   * @throws CommException as {@link #meet}
   */
  public void listen(int speaker, Deadline deadline) {
    if (!remarks.areMade()) {
      expect(speaker, speaker, phase, head, count, deadline);
    } else if (boards.phase(remarks.of(speaker, phase)) < phase) {
      deadline.begun();
      vigil.await(speaker, speaker, remarks.of(speaker, phase), phase, head, count, deadline);
    }
  }

  /** Says that this rank has read all it wants of this phase's speech. */
  public void nod() {
    if ((phase & NODS) == NODS) {
      publish();
    }
  }

  private void publish() {
    boards.publish(Boards.note(rank, phase), phase, head, count);
    boards.wakeSleepers(rank);
  }

  private void expectAll(long expected, long head, long count, Deadline deadline) {
    for (int peer = 0; peer < size; peer++) {
      if (peer != rank) {
        expect(peer, ALL, expected, head, count, deadline);
      }
    }
    heard = expected;
  }

  /**
   * Waits until a rank has published a phase, and compares its facts.
   *
   * @param asked all that are waited for: the rank, or {@link #ALL}
   */
  private void expect(
      int peer, int asked, long expected, long head, long count, Deadline deadline) {
    long note = Boards.note(peer, expected);
    if (boards.phase(note) < expected) {
      deadline.begun();
      vigil.await(peer, asked, note, expected, head, count, deadline);
    }
    if (!boards.isAbout(note, head, count)) {
      vigil.requireSame(peer, note, head, count);
    }
  }

  /** Whether no meeting since the last call of this has waited for long. */
  public boolean wasPrompt() {
    return vigil.wasPrompt();
  }

  /**
   * Raises the alarm if another rank has declared a failure, has come to what this rank has
   * announced with other facts, or will not come. Any thread.
   */
  public void look() {
    standings.raise(lookout);
  }

  /** How the ranks stand, also when they are not here. */
  public Standings standings() {
    return standings;
  }

  /** The phase that this rank has begun last. */
  public long phase() {
    return phase;
  }

  /**
   * Lets nobody come or look any more.
   *
   * @return whether its memory may go: not if the thread that performs operations has not ended one
   *     that was aborted, however long it had for that
   */
  public boolean close() {
    standings.end();
    return occupancy.close(Standings.LAST_NANOS);
  }
}
