package dev.jcomms.jccl.internal.transport.shm;

import static dev.jcomms.jccl.internal.memory.Everything.EVERYTHING;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import dev.jcomms.jccl.internal.posix.Futex;
import dev.jcomms.tensor.internal.memory.Membarrier;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;

/**
 * The boards of a host's ranks: each writes its own and reads the others'.
 *
 * <p>A board has sixty-four notes that phases use in turn. A note begins with the number of its
 * phase, which is written last and read first; facts and a small payload follow in the same cache
 * lines, so that one transfer brings everything. Numbers only grow and nothing is ever reset. A
 * payload that is computed with and does not fit into the first line begins with the second.
 * Further lines hold a bell for who sleeps until the board changes, and the rank's state. Where all
 * know the facts, a phase may have a remark instead of a note: its number and a few bytes.
 *
 * <p>They are read and written by their addresses: who calls sees to it that they are there, as the
 * {@linkplain Occupancy occupant} of their floor, or while its rank {@linkplain Standings has not
 * left}.
 *
 * <pre>
 *      0  sixty-four notes: phase, head, count, a word, payload
 *  16384  bell, sleepers, whether it leaves others' memory alone for good, where it is aside
 *  16512  state, length, subjects, text
 *  16896  remarks, 256 of each length: phase, payload
 * </pre>
 */
public final class Boards {
  /**
   * Notes of a board; a power of two. A speaker may be ahead by about so many: where ranks take
   * turns on the same cores, each turn goes so far.
   */
  static final int NOTES = 64;

  private static final long NOTE = 256;
  private static final long LINE = 64;

  /**
   * Remarks of each length; a power of two. Four times as many as notes, so that a turn goes four
   * times as far.
   */
  static final int REMARKS_EACH = 256;

  private static final long REMARKS = NOTES * NOTE + 512;
  private static final long LONGEST_REMARK = 64;

  /** Bytes of a board. Those before the shortest remarks are as many as theirs, and unused. */
  static final long BOARD = REMARKS + 2 * REMARKS_EACH * LONGEST_REMARK;

  /** Ranks that a state may be about. */
  private static final int MOST_SUBJECTS = 16;

  private static final long HEAD = 8;
  private static final long COUNT = 16;
  private static final long WORD = 24;
  private static final long PAYLOAD = 32;
  private static final long BELL = NOTES * NOTE;
  private static final long SLEEPERS = BELL + 4;
  private static final long QUIET = BELL + 8;
  private static final long ASIDE = BELL + 16;
  private static final long STATE = BELL + 128;
  private static final long LENGTH = STATE + 4;
  private static final long SUBJECTS = STATE + 8;
  private static final long TEXT = SUBJECTS + 4 + 4 * MOST_SUBJECTS;

  private static final long REMARKED = 8;

  /** Bytes that fit into a note. */
  public static final int PAYLOAD_BYTES = (int) (NOTE - LINE);

  /** Bytes that fit into a remark. */
  static final int REMARK_BYTES = (int) (LONGEST_REMARK - REMARKED);

  /** What a rank says of itself for good. */
  public enum State {
    OPEN,
    /** It has closed the communicator. */
    CLOSED,
    /** It has lost ranks, the subjects. */
    LOST,
    /** It has found that ranks disagree. */
    MISMATCH,
    /** It was aborted. */
    ABORTED,
    /** It waited too long. */
    TIMED_OUT;

    private static final State[] ALL = values();
  }

  private static final VarHandle LONG = JAVA_LONG.varHandle();
  private static final VarHandle INT = JAVA_INT.varHandle();

  private final MemorySegment memory;
  private final long base;

  Boards(MemorySegment memory) {
    this.memory = memory;
    this.base = memory.address();
    Membarrier.takePart();
  }

  /** The memory that all offsets are into. */
  MemorySegment memory() {
    return memory;
  }

  /** The address of an offset. */
  long address(long at) {
    return base + at;
  }

  /** Where the note of a phase on a rank's board begins. */
  static long note(int rank, long phase) {
    return rank * BOARD + (phase & NOTES - 1) * NOTE;
  }

  /** Where a note's payload begins. */
  static long payload(long note) {
    return note + PAYLOAD;
  }

  /** Where a note's payload of so many bytes begins if no vector is to cross cache lines. */
  static long row(long note, long bytes) {
    return bytes <= LINE - PAYLOAD ? payload(note) : note + LINE;
  }

  /** Where the remark of a phase on a rank's board begins, if it is for so many bytes. */
  static long remark(int rank, long phase, long bytes) {
    // As many as can be to a cache line. Those of each length have a place of their own, so that
    // what one of them has as its phase was never another's payload.
    long length = bytes <= 8 ? 16 : bytes <= 24 ? 32 : LONGEST_REMARK;
    return rank * BOARD + REMARKS + REMARKS_EACH * length + (phase & REMARKS_EACH - 1) * length;
  }

  /** Where a remark's payload begins. */
  static long remarked(long remark) {
    return remark + REMARKED;
  }

  /** Says for good that a rank touches nobody's memory any more. */
  void quiet(int rank) {
    INT.setRelease(EVERYTHING, base + rank * BOARD + QUIET, 1);
  }

  boolean isQuiet(int rank) {
    return (int) INT.getAcquire(EVERYTHING, base + rank * BOARD + QUIET) != 0;
  }

  /** Says where a rank is if it is not at operations. */
  void aside(int rank, long word) {
    LONG.setRelease(EVERYTHING, base + rank * BOARD + ASIDE, word);
  }

  long aside(int rank) {
    return (long) LONG.getAcquire(EVERYTHING, base + rank * BOARD + ASIDE);
  }

  /** Publishes a remark. */
  void publish(long remark, long phase) {
    LONG.setRelease(EVERYTHING, base + remark, phase);
  }

  /** The newest phase that a note was published for. */
  long phase(long note) {
    return (long) LONG.getAcquire(EVERYTHING, base + note);
  }

  /** Whether a rank has published a phase. */
  boolean isPublished(int rank, long phase) {
    return phase(note(rank, phase)) >= phase;
  }

  long head(long note) {
    return EVERYTHING.get(JAVA_LONG_UNALIGNED, base + note + HEAD);
  }

  long count(long note) {
    return EVERYTHING.get(JAVA_LONG_UNALIGNED, base + note + COUNT);
  }

  /** Whether a note has these facts. */
  boolean isAbout(long note, long head, long count) {
    return head(note) == head && count(note) == count;
  }

  /** The word that goes with a note. */
  long word(long note) {
    return EVERYTHING.get(JAVA_LONG_UNALIGNED, base + note + WORD);
  }

  /** Sets the word of a note that is not published yet. */
  void word(long note, long word) {
    EVERYTHING.set(JAVA_LONG_UNALIGNED, base + note + WORD, word);
  }

  /** Publishes a note: all that was written to it, and to shared memory, before is seen with it. */
  void publish(long note, long phase, long head, long count) {
    EVERYTHING.set(JAVA_LONG_UNALIGNED, base + note + HEAD, head);
    EVERYTHING.set(JAVA_LONG_UNALIGNED, base + note + COUNT, count);
    LONG.setRelease(EVERYTHING, base + note, phase);
  }

  /**
   * Wakes who sleeps until a rank publishes. Called after publishing.
   *
   * <p>There is no fence between the two: it would wait for the note's cache line, which the others
   * are about to fetch, and double the cost of a meeting. Who goes to sleep makes up for it.
   */
  void wakeSleepers(int rank) {
    if ((int) INT.getOpaque(EVERYTHING, base + rank * BOARD + SLEEPERS) != 0) {
      ring(rank);
    }
  }

  /** Wakes all who sleep on a rank's bell. */
  void ring(int rank) {
    INT.getAndAdd(EVERYTHING, base + rank * BOARD + BELL, 1);
    Futex.wake(memory, rank * BOARD + BELL);
  }

  /** Sleeps until a rank publishes a phase, its bell rings, or a time is over. */
  void sleep(int rank, long note, long phase, long nanos) {
    long bell = rank * BOARD + BELL;
    int rung = (int) INT.getAcquire(EVERYTHING, base + bell);
    INT.getAndAdd(EVERYTHING, base + rank * BOARD + SLEEPERS, 1);
    // Either the rank sees from now on that somebody sleeps, or what it has published is seen here.
    Membarrier.fence();
    try {
      if (phase(note) < phase) {
        Futex.sleep(memory, bell, rung, nanos);
      }
    } finally {
      INT.getAndAdd(EVERYTHING, base + rank * BOARD + SLEEPERS, -1);
    }
  }

  State state(int rank) {
    return State.ALL[
        (int) INT.getAcquire(EVERYTHING, base + rank * BOARD + STATE) % State.ALL.length];
  }

  /** The ranks that a rank's state is about; the first of many. */
  Set<Integer> subjects(int rank) {
    long at = rank * BOARD + SUBJECTS;
    int count = Math.clamp((int) INT.get(EVERYTHING, base + at), 0, MOST_SUBJECTS);
    Set<Integer> subjects = new TreeSet<>();
    for (int i = 1; i <= count; i++) {
      subjects.add((int) INT.get(EVERYTHING, base + at + 4 * i));
    }
    return subjects;
  }

  String text(int rank) {
    long board = rank * BOARD;
    int length = (int) INT.get(EVERYTHING, base + board + LENGTH);
    byte[] bytes = new byte[(int) Math.clamp(length, 0, REMARKS - TEXT)];
    MemorySegment.copy(memory, JAVA_BYTE, board + TEXT, bytes, 0, bytes.length);
    return new String(bytes, StandardCharsets.UTF_8);
  }

  /** Says for good how a rank is. */
  void declare(int rank, State state, Set<Integer> subjects, String text) {
    long board = rank * BOARD;
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    bytes = Arrays.copyOf(bytes, (int) Math.min(bytes.length, REMARKS - TEXT));
    int count = 0;
    for (int subject : subjects) {
      if (count < MOST_SUBJECTS) {
        INT.set(EVERYTHING, base + board + SUBJECTS + 4 * ++count, subject);
      }
    }
    INT.set(EVERYTHING, base + board + SUBJECTS, count);
    INT.set(EVERYTHING, base + board + LENGTH, bytes.length);
    MemorySegment.copy(bytes, 0, memory, JAVA_BYTE, board + TEXT, bytes.length);
    INT.setRelease(EVERYTHING, base + board + STATE, state.ordinal());
    // Whoever reads in a tensor what its owner writes there from now on, sees the state too.
    VarHandle.storeStoreFence();
  }
}
