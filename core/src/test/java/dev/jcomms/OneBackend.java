package dev.jcomms;

import dev.jcomms.spi.Backend;
import dev.jcomms.spi.BackendContext;
import dev.jcomms.spi.BackendProvider;
import java.util.Set;

/** Provides one backend that a test has made. */
record OneBackend(Backend backend) implements BackendProvider {
  @Override
  public String name() {
    return "one";
  }

  @Override
  public String version() {
    return "1";
  }

  @Override
  public Set<String> devices() {
    return Set.of("cpu");
  }

  @Override
  public Backend open(BackendContext context) {
    return backend;
  }
}
