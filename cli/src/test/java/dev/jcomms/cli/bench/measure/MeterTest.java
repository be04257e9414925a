package dev.jcomms.cli.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jcomms.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

/** Workloads that only say how long they took: nothing here waits. */
final class MeterTest {
  private static final Pace ADAPTIVE =
      new Pace(Pace.ADAPTIVE, Pace.ADAPTIVE, Duration.ofMillis(100));

  /** Slow at first, as code is before it is compiled. */
  private static class Scripted implements Workload {
    private final double steady;
    private final long slowIterations;
    private final double slow;
    private final List<Integer> batches = new ArrayList<>();
    private long done;

    Scripted(double steadyMicros, long slowIterations) {
      this(steadyMicros, slowIterations, 50 * steadyMicros);
    }

    Scripted(double steadyMicros, long slowIterations, double slowMicros) {
      this.steady = steadyMicros;
      this.slowIterations = slowIterations;
      this.slow = slowMicros;
    }

    @Override
    public long batch(int iterations) {
      batches.add(iterations);
      double nanos = 0;
      long slowly = Math.clamp(slowIterations - done, 0, iterations);
      nanos += slowly * slow * 1e3;
      nanos += (iterations - slowly) * steady * 1e3;
      done += iterations;
      return (long) nanos;
    }

    @Override
    public void samples(long[] nanos, int count, int group) {
      Arrays.fill(nanos, 0, count, (long) (group * steady * 1e3));
    }
  }

  @Test
  void theSteadyStateIsMeasuredNotTheWarmingUp() {
    World.of(1)
        .backend("reference")
        .run(
            comm -> {
              Scripted work = new Scripted(10, 1500);
              Meter meter = new Meter(new Together(comm), ADAPTIVE);
              meter.rehearse(work, true);
              Meter.Reading reading = meter.read(work);
              assertThat(reading.time()).isEqualTo(new Timing(10, 10, 10, 10));
              assertThat(reading.iterations()).isEqualTo(6000);
              assertThat(reading.group()).isEqualTo(1);
            });
  }

  @Test
  void whatNeverSettlesEndsAllTheSame() {
    World.of(1)
        .backend("reference")
        .run(
            comm -> {
              double[] factor = {1};
              Workload restless =
                  new Workload() {
                    @Override
                    public long batch(int iterations) {
                      factor[0] = 3 - factor[0]; // 1 and 2 in turn
                      return (long) (iterations * factor[0] * 100_000);
                    }

                    @Override
                    public void samples(long[] nanos, int count, int group) {
                      Arrays.fill(nanos, 0, count, 100_000);
                    }
                  };
              Meter.Reading reading = new Meter(new Together(comm), ADAPTIVE).read(restless);
              assertThat(reading.time().avg()).isBetween(100.0, 200.0);
            });
  }

  /** One iteration on a machine that stood still for longer than all warming up may take. */
  @Test
  void aStallDoesNotMakeThePlan() {
    World.of(1)
        .backend("reference")
        .run(
            comm -> {
              Scripted work = new Scripted(10, 1, 2_000_000);
              Meter.Reading reading = new Meter(new Together(comm), ADAPTIVE).read(work);
              assertThat(reading.iterations()).isEqualTo(6000);
            });
  }

  @Test
  void theSlowestRankDecidesForAll() {
    List<Meter.Reading> readings =
        World.of(3)
            .backend("reference")
            .compute(
                comm ->
                    new Meter(new Together(comm), ADAPTIVE)
                        .read(new Scripted(10 * (comm.rank() + 1), 0)));
    assertThat(readings).hasSize(3);
    assertThat(readings).containsOnly(readings.getFirst());
    assertThat(readings.getFirst().time()).isEqualTo(new Timing(30, 30, 30, 30));
  }

  /**
   * How often a workload is measured while the compiler is as busy as this, one time after another.
   */
  private static int takes(Pace pace, double... busy) {
    int[] samples = {0};
    World.of(1)
        .backend("reference")
        .run(
            comm -> {
              Scripted work =
                  new Scripted(10, 0) {
                    @Override
                    public void samples(long[] nanos, int count, int group) {
                      super.samples(nanos, count, group);
                      samples[0]++;
                    }
                  };
              Iterator<Double> loads =
                  Arrays.stream(busy).flatMap(load -> DoubleStream.of(1, load)).iterator();
              new Meter(new Together(comm), pace, () -> loads.hasNext() ? loads.next() : 1)
                  .read(work);
            });
    return samples[0] / 2; // once to get used to it
  }

  @Test
  void whatTheCompilerHasDisturbedIsMeasuredAgain() {
    assertThat(takes(ADAPTIVE, 0)).isEqualTo(1);
    assertThat(takes(ADAPTIVE, 0.3, 0.2, 0.01)).isEqualTo(3);
    assertThat(takes(ADAPTIVE)).as("at most").isEqualTo(Pace.MOST_TAKES);
    Pace given = new Pace(7, 20, Duration.ofMillis(100));
    assertThat(takes(given, 0.3, 0)).as("as often as was asked for").isEqualTo(1);
  }

  @Test
  void whatAllSizesHaveInCommonIsCalledOftenButNotForEver() {
    World.of(1)
        .backend("reference")
        .run(
            comm -> {
              Meter meter = new Meter(new Together(comm), ADAPTIVE);
              Scripted quick = new Scripted(1, 100);
              meter.familiarize(quick);
              assertThat(quick.done).isBetween(20_000L, 60_000L);
              Scripted slow = new Scripted(100_000, 0);
              meter.familiarize(slow);
              assertThat(slow.done).isBetween(20L, 25L);
            });
  }

  @Test
  void numbersThatAreGivenAreKept() {
    World.of(1)
        .backend("reference")
        .run(
            comm -> {
              Scripted work = new Scripted(10, 0);
              new Meter(new Together(comm), new Pace(7, 20, Duration.ofMillis(100))).read(work);
              assertThat(work.batches).containsExactly(7, 20);
            });
  }

  @Test
  void aLimitIsTheBestOfItsBatches() {
    World.of(1)
        .backend("reference")
        .run(
            comm -> {
              int[] calls = {0};
              Batch work = iterations -> iterations * (calls[0]++ % 3 == 0 ? 1_000L : 5_000L);
              assertThat(new Meter(new Together(comm), ADAPTIVE).best(work)).isEqualTo(1.0);
            });
  }
}
