package dev.jcomms.store;

import dev.jcomms.internal.store.LocalStore;
import java.time.Duration;

/**
 * A store inside one JVM, for ranks that are threads. Any thread may call any method; waiters are
 * woken by the call that makes their key, without polling.
 *
 * <p>One object is shared by all ranks, so whoever made it closes it: that drops the content and
 * fails the calls that wait.
 */
public sealed interface HashStore extends Store permits LocalStore {

  /** An empty store with PyTorch's default timeout, 300 s. */
  static HashStore create() {
    return create(Duration.ofSeconds(300));
  }

  /** An empty store whose calls without a timeout of their own wait up to {@code timeout}. */
  static HashStore create(Duration timeout) {
    return new LocalStore(timeout);
  }
}
