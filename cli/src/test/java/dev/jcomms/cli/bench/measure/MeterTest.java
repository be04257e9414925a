package dev.jcomms.cli.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jcomms.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Workloads that only say how long they took: nothing here waits. */
final class MeterTest {
  private static final Pace ADAPTIVE =
      new Pace(Pace.ADAPTIVE, Pace.ADAPTIVE, Duration.ofMillis(100));

  /** Slow at first, as code is before it is compiled. */
  private static final class Scripted implements Workload {
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
