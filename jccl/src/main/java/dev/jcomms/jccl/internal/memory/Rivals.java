package dev.jcomms.jccl.internal.memory;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Which of some ways to do the same is the fastest here and now. All are taken and timed in turns
 * at first, and again every while; the best by its median has all other turns. Any thread.
 *
 * <p>A way is taken many times in a row, and the last times count: it takes a while until the
 * caches hold what they will always hold with it. By medians, since a thread that loses its
 * processor meanwhile says nothing of the way; never for good, since machines have their hours.
 */
final class Rivals {
  /** How many of its times a way is judged by. */
  private static final int KEPT = 9;

  /** How many times of a row count. */
  private static final int COUNTED = 3;

  /** Rounds in which all are taken, at first; later it is one of so many as {@link #SPARSE}. */
  private static final int FIRST_ROUNDS = 3;

  private static final int SPARSE = 64;

  private final int ways;
  private final int row;
  private final int round;
  private final double[][] times;
  private final int[] taken;
  private final AtomicLong turns = new AtomicLong();
  private volatile int best;

  /**
   * @param ways how many there are; the first is taken to be the best until another has proved so
   * @param row how often one is taken in a row, to be timed
   */
  Rivals(int ways, int row) {
    this.ways = ways;
    this.row = row;
    this.round = ways * row;
    this.times = new double[ways][KEPT];
    this.taken = new int[ways];
  }

  /** The number of a turn to be taken now. */
  long turn() {
    return turns.getAndIncrement();
  }

  /** The way to be taken in a turn. */
  int way(long turn) {
    long place = turn % span(turn);
    return place < round ? (int) ((place / row + turn / span(turn)) % ways) : best;
  }

  /** Whether a turn is to be timed. */
  boolean counts(long turn) {
    long place = turn % span(turn);
    return place < round && place % row >= row - COUNTED;
  }

  private long span(long turn) {
    return turn < (long) FIRST_ROUNDS * round ? round : (long) round * SPARSE;
  }

  /** Notes how long so many units of the work took in a turn, if that counts. */
  void took(long turn, long nanos, long units) {
    if (counts(turn)) {
      note(way(turn), (double) nanos / units);
    }
  }

  private synchronized void note(int way, double time) {
    times[way][taken[way]++ % KEPT] = time;
    int fastest = 0;
    for (int w = 1; w < ways; w++) {
      if (median(w) < median(fastest)) {
        fastest = w;
      }
    }
    best = fastest;
  }

  /** Of what is known; of nothing, infinite. */
  private double median(int way) {
    int known = Math.min(taken[way], KEPT);
    if (known == 0) {
      return Double.POSITIVE_INFINITY;
    }
    double[] sorted = Arrays.copyOf(times[way], known);
    Arrays.sort(sorted);
    return sorted[(known - 1) / 2];
  }
}
