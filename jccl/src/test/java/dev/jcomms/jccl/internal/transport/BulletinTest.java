package dev.jcomms.jccl.internal.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.jcomms.BootstrapException;
import dev.jcomms.spi.BackendContext;
import dev.jcomms.store.HashStore;
import dev.jcomms.tensor.Device;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class BulletinTest {
  private static final Duration SOON = Duration.ofMillis(200);

  /** As the ranks of a host do, while those of another are not that far. */
  @Test
  void onlyRanksThatAreWaitedForAreMissing() {
    try (HashStore store = HashStore.create()) {
      List<Integer> all = List.of(0, 1, 2, 3);
      BackendContext context =
          new BackendContext("test", 3, 4, all, Device.CPU, store, SOON, Map.of(), Map.of());
      Bulletin bulletin = new Bulletin(context, new Alarm(0));
      BootstrapException late =
          catchThrowableOfType(
              BootstrapException.class,
              () -> bulletin.exchange("memory", "mine", List.of(2, 3), SOON));
      assertThat(late.missingRanks()).containsExactly(2);
      assertThat(late).hasMessageContaining("[2]");
    }
  }
}
