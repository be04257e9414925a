package dev.jcomms.jccl.internal;

import dev.jcomms.Feature;
import dev.jcomms.spi.Backend;
import dev.jcomms.spi.BackendContext;
import dev.jcomms.spi.BackendProvider;
import java.util.Map;
import java.util.Set;

/** The backend {@code jccl}: found by ServiceLoader. */
public final class JcclProvider implements BackendProvider {
  @Override
  public String name() {
    return "jccl";
  }

  @Override
  public String version() {
    return JcclVersion.TEXT;
  }

  @Override
  public Set<String> devices() {
    return Set.of("cpu");
  }

  @Override
  public Map<Feature, String> features() {
    return Map.of(Feature.NAMED_COMMUNICATORS, "0.1.0", Feature.MEMORY_REGISTRATION, "0.1.0");
  }

  @Override
  public Backend open(BackendContext context) {
    return JcclBackend.open(context);
  }
}
