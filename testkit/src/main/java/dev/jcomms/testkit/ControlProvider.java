package dev.jcomms.testkit;

import dev.jcomms.Collective;
import dev.jcomms.OpOptions;
import dev.jcomms.Work;
import dev.jcomms.spi.Backend;
import dev.jcomms.spi.BackendContext;
import dev.jcomms.spi.BackendProvider;
import dev.jcomms.store.Store;
import java.util.Set;

/**
 * A backend without operations: its communicator is there for the store that core hands to it, at
 * which the processes of a job meet however they were started.
 */
final class ControlProvider implements BackendProvider {
  private volatile Store store;

  /** The store of the communicator that was opened. */
  Store store() {
    return store;
  }

  @Override
  public String name() {
    return "control";
  }

  @Override
  public String version() {
    return "1.0.0";
  }

  @Override
  public Set<String> devices() {
    return Set.of("cpu");
  }

  @Override
  public Backend open(BackendContext context) {
    store = context.store();
    return new Backend() {
      @Override
      public Set<Class<? extends Collective>> supports() {
        return Set.of();
      }

      @Override
      public Work submit(Collective op, OpOptions options) {
        throw new AssertionError(op);
      }

      @Override
      public void close() {}
    };
  }
}
