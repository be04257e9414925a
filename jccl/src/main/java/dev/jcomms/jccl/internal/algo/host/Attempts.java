package dev.jcomms.jccl.internal.algo.host;

import dev.jcomms.jccl.internal.transport.shm.Floor;

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

  private final Floor floor;
  private final long[] heads = new long[PLACES];
  private final long[] counts = new long[PLACES];
  private final long[] pauses = new long[PLACES];
  private final long[] due = new long[PLACES];

  Attempts(Floor floor) {
    this.floor = floor;
  }

  /** Whether an operation that is about to begin its first phase should show its tensors. */
  boolean isDue() {
    int place = place();
    return !isKnown(place) || floor.phase() >= due[place];
  }

  /** Remembers an attempt that was, in the phase in which tensors were shown. */
  void wasInVain() {
    int place = place();
    pauses[place] = isKnown(place) ? Math.min(2 * pauses[place], LONGEST) : SHORTEST;
    due[place] = floor.phase() + pauses[place];
    heads[place] = floor.head();
    counts[place] = floor.count();
  }

  /** Forgets attempts in vain. */
  void worked() {
    int place = place();
    if (isKnown(place)) {
      heads[place] = NONE;
    }
  }

  private boolean isKnown(int place) {
    return heads[place] == floor.head() && counts[place] == floor.count();
  }

  private int place() {
    return (int) ((floor.head() + floor.count()) * 0x9e3779b97f4a7c15L >>> 60);
  }
}
