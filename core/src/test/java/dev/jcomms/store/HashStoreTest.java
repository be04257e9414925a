package dev.jcomms.store;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

final class HashStoreTest extends StoreContract {
  private final HashStore store = HashStore.create();

  @Override
  Store open() {
    return store;
  }

  @Test
  void closingEndsThoseWhoWait() {
    CompletableFuture<byte[]> waiter =
        CompletableFuture.supplyAsync(() -> store.get("never", Duration.ofSeconds(20)));
    store.close();
    // Either it was waiting, or it came too late to begin.
    assertThatThrownBy(waiter::join)
        .isInstanceOf(CompletionException.class)
        .hasRootCauseMessage(waiter.exceptionNow().getMessage())
        .hasMessageContaining("closed");
  }
}
