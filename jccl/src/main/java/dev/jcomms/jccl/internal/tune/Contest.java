package dev.jcomms.jccl.internal.tune;

import dev.jcomms.Collective;
import dev.jcomms.Comm;
import dev.jcomms.OpOptions;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/**
 * Times several ways to do one operation, in turns, so that whatever disturbs the machine disturbs
 * all of them alike. Times are those of the slowest rank. One thread.
 */
final class Contest {
  private static final int MOST_ITERATIONS = 100_000;

  private final Comm comm;
  private final Together together;
  private final List<Collective> forms;
  private final Duration turn;

  /** The forms of the operation count alike. */
  Contest(Comm comm, Together together, List<Collective> forms, Duration turn) {
    this.comm = comm;
    this.together = together;
    this.forms = forms;
    this.turn = turn;
  }

  /**
   * What one way took, a time a round.
   *
   * @param micros of one operation, sorted
   */
  record Times(double[] micros) {
    double median() {
      return (micros[(micros.length - 1) / 2] + micros[micros.length / 2]) / 2;
    }

    double lowerQuartile() {
      return micros[micros.length / 4];
    }

    double upperQuartile() {
      return micros[micros.length - 1 - micros.length / 4];
    }

    /** Whether it is faster by more than a part and by more than chance. */
    boolean beats(Times other, double part) {
      return median() < (1 - part) * other.median() && upperQuartile() < other.lowerQuartile();
    }
  }

  /** Runs a way for a while; microseconds of one operation then. */
  double warm(OpOptions way, Duration least) {
    int iterations = 1;
    while (true) {
      double each = time(way, iterations);
      if (each * iterations >= least.toNanos() / 1e3 / 2 || iterations == MOST_ITERATIONS) {
        return each;
      }
      double wanted = Math.min(least.toNanos() / 1e3 / each, 10.0 * iterations);
      iterations = (int) Math.clamp(wanted, iterations + 1, MOST_ITERATIONS);
    }
  }

  private double time(OpOptions way, int iterations) {
    together.meet();
    return Math.max(1e-3, together.most(batch(way, iterations))[0]);
  }

  private double batch(OpOptions way, int iterations) {
    long begin = System.nanoTime();
    for (int i = 0; i < iterations; i++) {
      for (int form = 0; form < forms.size(); form++) {
        comm.run(forms.get(form), way);
      }
    }
    return (System.nanoTime() - begin) / 1e3 / iterations / forms.size();
  }

  /** Each way once a round, each round beginning with another. */
  List<Times> run(List<OpOptions> ways, int rounds) {
    int[] iterations = new int[ways.size()];
    for (int w = 0; w < iterations.length; w++) {
      double each = warm(ways.get(w), turn.dividedBy(2));
      iterations[w] = (int) Math.clamp(turn.toNanos() / 1e3 / each, 1, MOST_ITERATIONS);
    }
    double[] mine = new double[ways.size() * rounds];
    for (int round = 0; round < rounds; round++) {
      for (int i = 0; i < ways.size(); i++) {
        int w = (round + i) % ways.size();
        together.meet();
        mine[w * rounds + round] = batch(ways.get(w), iterations[w]);
      }
    }
    double[] all = together.most(mine);
    Times[] times = new Times[ways.size()];
    for (int w = 0; w < times.length; w++) {
      double[] own = Arrays.copyOfRange(all, w * rounds, (w + 1) * rounds);
      Arrays.sort(own);
      times[w] = new Times(own);
    }
    return List.of(times);
  }
}
