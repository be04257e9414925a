package dev.jcomms.cli.bench.measure;

import dev.jcomms.Feature;
import dev.jcomms.spi.Backend;
import dev.jcomms.spi.BackendContext;
import dev.jcomms.spi.BackendProvider;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A provider that remembers what it has opened, so that the backend can be asked what it tells
 * records alone: by which algorithm it has done an operation. Any thread.
 */
final class Witness implements BackendProvider {
  private final BackendProvider provider;
  private final Map<Integer, Backend> opened = new ConcurrentHashMap<>();

  Witness(BackendProvider provider) {
    this.provider = provider;
  }

  /** The backend of one of this process's ranks, once its communicator is there. */
  Backend of(int rank) {
    return opened.get(rank);
  }

  @Override
  public String name() {
    return provider.name();
  }

  @Override
  public String version() {
    return provider.version();
  }

  @Override
  public Set<String> devices() {
    return provider.devices();
  }

  @Override
  public Map<Feature, String> features() {
    return provider.features();
  }

  @Override
  public Map<String, String> facts() {
    return provider.facts();
  }

  @Override
  public Backend open(BackendContext context) {
    Backend backend = provider.open(context);
    opened.put(context.rank(), backend);
    return backend;
  }
}
