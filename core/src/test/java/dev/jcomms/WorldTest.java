package dev.jcomms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jcomms.Collective.Barrier;
import dev.jcomms.fake.FakeProvider;
import dev.jcomms.fake.FakeScript;
import dev.jcomms.spi.BackendProvider;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Ranks as threads of one JVM. */
class WorldTest {
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 7, 8})
  void everyRankRunsOnce(int n) {
    assertThat(World.of(n).backend("fake").compute(comm -> comm.size() * 100 + comm.rank()))
        .hasSize(n)
        .allSatisfy(v -> assertThat(v / 100).isEqualTo(n))
        .doesNotHaveDuplicates();
  }

  @Test
  void theFirstFailureIsThrownWithItsRankAndTheOthersAreWoken() {
    FakeScript script = new FakeScript().hangOnce(Barrier.class).hangOnce(Barrier.class);
    CountDownLatch hanging = new CountDownLatch(2);
    String backend = Fakes.register(script);
    assertThatThrownBy(
            () ->
                World.of(3)
                    .backend(backend)
                    .timeout(Duration.ofSeconds(40))
                    .run(
                        comm -> {
                          if (comm.rank() == 1) {
                            hanging.await();
                            throw new IOException("disk full");
                          }
                          hanging.countDown();
                          comm.barrier();
                        }))
        .isInstanceOfSatisfying(
            World.RankFailure.class,
            e -> {
              assertThat(e.rank()).isEqualTo(1);
              assertThat(e).hasMessage("rank 1 of 3 failed: java.io.IOException: disk full");
              assertThat(e).hasCauseInstanceOf(IOException.class);
              assertThat(e.getSuppressed())
                  .hasSize(2)
                  .allMatch(s -> s.getCause() instanceof CommAbortedException);
            });
  }

  @Test
  void hintsReachTheBackendOfEveryRank() {
    List<Map<String, String>> given = Collections.synchronizedList(new ArrayList<>());
    BackendProvider fake = new FakeProvider(new FakeScript());
    String backend =
        Fakes.register(
            new FakeProvider(
                context -> {
                  given.add(context.hints());
                  return fake.open(context);
                }));
    World world = World.of(2).hint("a", "b").backend(backend);
    world.hint("a", "c").hint("d", "e").timeout(Duration.ofSeconds(40)).run(_ -> {});
    assertThat(given).hasSize(2).containsOnly(Map.of("a", "c", "d", "e"));
    given.clear();
    world.run(_ -> {});
    assertThat(given).hasSize(2).containsOnly(Map.of("a", "b"));
  }

  @Test
  void aRankThatFailsBeforeTheOthersHaveMetEndsThemToo() {
    assertThatThrownBy(() -> World.of(2).backend("none-such").run(_ -> {}))
        .isInstanceOf(World.RankFailure.class)
        .hasMessageContaining("no backend named 'none-such'; available: [fake");
  }

  @Test
  void aWorldOfNobodyIsRefused() {
    assertThatThrownBy(() -> World.run(0, _ -> {}))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("size=0 is not at least 1");
  }
}
