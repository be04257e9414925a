package dev.jcomms.testkit;

import dev.jcomms.spi.AbortableBackend;
import dev.jcomms.spi.Backend;
import dev.jcomms.spi.GraphBackend;
import dev.jcomms.spi.SymmetricBackend;
import dev.jcomms.spi.WindowBackend;
import java.util.Locale;

/** What a backend may have beyond operations; each is an interface of the SPI. */
public enum Capability {
  ABORT(AbortableBackend.class),
  GRAPH(GraphBackend.class),
  SYMMETRIC(SymmetricBackend.class),
  WINDOW(WindowBackend.class);

  private final Class<? extends Backend> type;

  Capability(Class<? extends Backend> type) {
    this.type = type;
  }

  boolean isIn(Backend backend) {
    return type.isInstance(backend);
  }

  /** The interface that a backend with it implements. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT) + " (" + type.getSimpleName() + ")";
  }
}
