package dev.jcomms.jccl.internal.algo.host;

/**
 * Which operations have shown their tensors in vain: what follows alike is staged at once for a
 * while, and saves the meeting. An operation's facts and its phase decide, which all ranks know; a
 * rank learns of an attempt in that meeting, as all do.
 */
final class Attempts {
  /** Operations that are remembered, at most; a power of two. */
  private static final int PLACES = 16;

  /** Phases until the next attempt, after the first in vain; twice as many after each. */
  private static final long SHORTEST = 8;

  private static final long LONGEST = 1024;

  /** In place of a head, none of which is zero. */
  private static final long NONE = 0;

  private final long[] heads = new long[PLACES];
  private final long[] counts = new long[PLACES];
  private final long[] pauses = new long[PLACES];
  private final long[] due = new long[PLACES];

  /** Whether an operation that is about to begin its first phase should show its tensors. */
  boolean isDue(Turn turn, long phase) {
    int place = place(turn);
    return !isKnown(place, turn) || phase >= due[place];
  }

  /** Remembers an attempt that was, in the phase in which tensors were shown. */
  void wasInVain(Turn turn, long phase) {
    int place = place(turn);
    pauses[place] = isKnown(place, turn) ? Math.min(2 * pauses[place], LONGEST) : SHORTEST;
    due[place] = phase + pauses[place];
    heads[place] = turn.head();
    counts[place] = turn.count();
  }

  /** Forgets attempts in vain. */
  void worked(Turn turn) {
    int place = place(turn);
    if (isKnown(place, turn)) {
      heads[place] = NONE;
    }
  }

  private boolean isKnown(int place, Turn turn) {
    return heads[place] == turn.head() && counts[place] == turn.count();
  }

  private static int place(Turn turn) {
    return (int) ((turn.head() + turn.count()) * 0x9e3779b97f4a7c15L >>> 60);
  }
}
