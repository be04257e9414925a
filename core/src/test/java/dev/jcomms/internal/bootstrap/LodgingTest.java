package dev.jcomms.internal.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jcomms.store.HashStore;
import dev.jcomms.store.Store;
import dev.jcomms.store.StoreTimeoutException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Whom the rank that hosts the store waits for in the end, and how long. */
final class LodgingTest {
  private static final Duration SHORT = Duration.ofSeconds(1);
  private static final Duration LONG = Duration.ofHours(1);

  /** The ranks whose farewell is awaited so long. */
  private final Map<Duration, List<Integer>> waits = new LinkedHashMap<>();

  private final Lodging lodging =
      new Lodging(noted(HashStore.create()), Optional.empty()).partTogether("farewell", 0, 4, true);

  /** A store at which nobody waits, and nobody else comes. */
  private Store noted(Store store) {
    return (Store)
        Proxy.newProxyInstance(
            Store.class.getClassLoader(),
            new Class<?>[] {Store.class},
            (_, method, arguments) -> {
              if (!method.getName().equals("await")) {
                return method.invoke(store, arguments);
              }
              List<Integer> ranks = new ArrayList<>();
              for (Object key : (List<?>) arguments[0]) {
                ranks.add(Integer.valueOf(key.toString().replaceFirst(".*/", "")));
              }
              Duration timeout = (Duration) arguments[1];
              waits.put(timeout.compareTo(SHORT) > 0 ? LONG : SHORT, ranks);
              throw new StoreTimeoutException("await", List.of("farewell"), timeout, "noted");
            });
  }

  @Test
  void amongTheHealthyTheLastHasAllPatience() {
    lodging.enter().enter();
    lodging.leave(LONG);
    lodging.leave(List.of(0, 1), LONG);
    assertThat(waits).isEqualTo(Map.of(LONG, List.of(0, 1, 2, 3)));
  }

  /** Whoever closes a communicator of survivors last does not wait long for the dead. */
  @Test
  void thoseWhoFailedElsewhereAreNotWaitedForAsLongAsTheHealthy() {
    lodging.enter().enter().enter();
    lodging.leave(LONG);
    lodging.leave(List.of(0, 1, 2, 3), SHORT);
    assertThat(waits).isEmpty();
    lodging.leave(List.of(0, 2), LONG);
    assertThat(waits).isEqualTo(Map.of(SHORT, List.of(1, 3), LONG, List.of(0, 2)));
  }

  @Test
  void afterAFailureInAPartTheWholeThatIsHealthyHasAllPatience() {
    lodging.enter().enter();
    lodging.leave(List.of(0, 1), SHORT);
    lodging.leave(List.of(0, 1, 2, 3), LONG);
    assertThat(waits).isEqualTo(Map.of(LONG, List.of(0, 1, 2, 3)));
  }
}
