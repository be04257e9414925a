package dev.jcomms.internal.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jcomms.store.HashStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class LodgingTest {
  private static final Duration SHORT = Duration.ofSeconds(1);
  private static final Duration LONG = Duration.ofSeconds(10);

  private final List<Duration> waits = new ArrayList<>();
  private final Lodging lodging =
      new Lodging(HashStore.create(), Optional.empty()).tidy((Duration wait) -> waits.add(wait));

  /** Whoever closes a communicator of the survivors last waits for the dead all the same. */
  @Test
  void theLastHasNoMorePatienceThanOneThatLeftWithAFailure() {
    lodging.enter().enter().enter();
    lodging.leave(LONG);
    lodging.leave(SHORT);
    assertThat(waits).isEmpty();
    lodging.leave(LONG);
    assertThat(waits).containsExactly(SHORT);
  }

  @Test
  void amongTheHealthyTheLastHasAllPatience() {
    lodging.enter().enter();
    lodging.leave(LONG);
    lodging.leave(LONG);
    assertThat(waits).containsExactly(LONG);
  }
}
