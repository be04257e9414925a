package dev.jcomms.testkit.reference;

import dev.jcomms.spi.Backend;
import dev.jcomms.spi.BackendContext;
import dev.jcomms.spi.BackendProvider;
import java.util.Set;

/**
 * The backend {@code reference}: moves everything through the store, so it works between threads,
 * processes and hosts with nothing set up. Slow, and obviously right.
 */
public final class ReferenceProvider implements BackendProvider {
  /** For {@code ServiceLoader}. */
  public ReferenceProvider() {}

  @Override
  public String name() {
    return "reference";
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
    return new ReferenceBackend(context);
  }
}
