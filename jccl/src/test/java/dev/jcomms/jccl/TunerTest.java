package dev.jcomms.jccl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jcomms.ReduceOp;
import dev.jcomms.jccl.Algorithm.Preparation;
import dev.jcomms.jccl.Selector.Choice;
import dev.jcomms.jccl.internal.JcclProvider;
import dev.jcomms.tensor.DType;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A tuner measures what is right, leaves out what is not, and all ranks get the same table. */
final class TunerTest {
  private static final Duration SHORT = Duration.ofNanos(200_000);

  @ParameterizedTest
  @CsvSource({"2,auto,false", "2,auto,true", "3,tcp,false", "3,tcp,true", "4,two_level,false"})
  void everyCollectiveIsTunedAndAllRanksAgree(int n, String transport, boolean symmetric) {
    Map<String, String> hints =
        transport.equals("two_level")
            ? Map.of("ranks_per_host", "2")
            : Map.of("transport", transport);
    Set<TuningTable.Profile> profiles = ConcurrentHashMap.newKeySet();
    FaceRanks.run(
        n,
        new JcclProvider(),
        hints,
        comm ->
            profiles.add(
                Tuner.of(comm)
                    .withCollectives(AlgorithmCollection.collectives())
                    .withSizes(List.of(1L, 64L, 40_000L))
                    .withSymmetric(symmetric)
                    .withTurns(SHORT, 1)
                    .tune()));
    assertThat(profiles).hasSize(1);
    TuningTable.Profile profile = profiles.iterator().next();
    assertThat(profile.collectives().keySet())
        .containsExactlyInAnyOrderElementsOf(AlgorithmCollection.collectives());
    assertThat(profile.hardware().scale()).isEqualTo(n);
    assertThat(profile.collectives().get("all_reduce"))
        .extracting(TuningTable.Entry::bytes)
        .containsExactly(4L, 64L, 40_000L);
    assertThat(profile.collectives().values())
        .allSatisfy(
            entries -> assertThat(entries).allMatch(entry -> entry.symmetric() == symmetric));
  }

  @Test
  void whatIsWrongOrInfeasibleTakesNoPartAndAGridIsTried() {
    Algorithm wrong =
        Algorithms.of(
            "all_reduce",
            "wrong",
            "Forgets the others.",
            _ -> Preparation.ready(task -> task.output().copyFrom(task.input())));
    Algorithm picky =
        Algorithms.of(
            "all_reduce",
            "picky",
            "Works on rank 0 alone.",
            setup ->
                setup.rank() == 0
                    ? Preparation.ready(_ -> {})
                    : Preparation.infeasible("not here"));
    AlgorithmCollection mine =
        AlgorithmCollection.defaults()
            .with(wrong)
            .with(picky)
            .with(new Slow())
            .with(Sample.naiveAllReduce(new AtomicInteger()))
            .with(Algorithms.ofPlan(Sample.packets(2)));
    ConcurrentLinkedQueue<Tuner.Progress> seen = new ConcurrentLinkedQueue<>();
    FaceRanks.run(
        2,
        Jccl.with(mine),
        comm ->
            Tuner.of(comm)
                .withAlgorithms(mine)
                .withSizes(List.of(1024L))
                .withTurns(SHORT, 3)
                .tune(
                    progress -> {
                      if (comm.rank() == 0) {
                        seen.add(progress);
                      }
                    }));
    Tuner.Progress only = seen.poll();
    assertThat(seen).isEmpty();
    assertThat(only.micros())
        .containsOnlyKeys(
            "auto",
            "flat",
            "staged",
            "direct",
            "naive",
            "packets_2",
            "slow:spins=0",
            "slow:spins=1");
    assertThat(only.skipped().get("wrong")).startsWith("wrong results: ");
    assertThat(only.skipped().get("picky")).contains("rank 1: not here");
    assertThat(only.skipped()).containsKeys("ring", "two_level");
    assertThat(only.defaults()).containsExactly(Choice.of("flat"));
    assertThat(only.done()).isEqualTo(only.total()).isOne();
    assertThat(only.entry().choice().algorithm()).isNotIn("slow", "wrong");
  }

  /** As the engine's own, later. */
  private static final class Slow implements Algorithm {
    @Override
    public String name() {
      return "slow";
    }

    @Override
    public String collective() {
      return "all_reduce";
    }

    @Override
    public String description() {
      return "Takes its time.";
    }

    @Override
    public Map<String, List<Long>> parameters() {
      return Map.of("spins", List.of(0L, 1L));
    }

    @Override
    public Preparation prepare(Setup setup) {
      Ready flat = (Ready) AlgorithmCollection.defaults().get("all_reduce", "flat").prepare(setup);
      long spins = setup.parameter("spins");
      return Preparation.ready(
          task -> {
            flat.run().run(task);
            for (long i = 0; i <= spins; i++) {
              setup.meet();
            }
          });
    }
  }

  @Test
  void whatCannotBeTunedIsRefused() {
    FaceRanks.run(
        1,
        new JcclProvider(),
        comm -> {
          assertThatThrownBy(() -> Tuner.of(comm).withCollectives(List.of("allreduce")))
              .hasMessageStartingWith("no collective 'allreduce'; there are all_reduce, ");
          assertThatThrownBy(() -> Tuner.of(comm).withSizes(List.of()))
              .hasMessageContaining("not positive numbers of bytes");
          assertThatThrownBy(() -> Tuner.of(comm).withElements(DType.F32, ReduceOp.AVG))
              .hasMessageContaining("is not tuned");
        });
  }
}
