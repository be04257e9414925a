package dev.jcomms.testkit;

import dev.jcomms.Collective;
import dev.jcomms.spi.Backend;
import dev.jcomms.spi.BackendContext;
import dev.jcomms.spi.Backends;
import dev.jcomms.store.HashStore;
import dev.jcomms.store.Store;
import dev.jcomms.tensor.DType;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What a backend says it can do: its operations, its dtypes, and the capabilities whose interfaces
 * it implements. The kit skips what is not here, and says so.
 */
public record Abilities(
    Set<Class<? extends Collective>> kinds, Set<DType> dtypes, Set<Capability> capabilities) {

  public Abilities {
    kinds = Set.copyOf(kinds);
    dtypes = Set.copyOf(dtypes);
    capabilities = Set.copyOf(capabilities);
  }

  /** Asks a backend, opened for a world of one. */
  public static Abilities of(Subject subject) {
    try (Store store = HashStore.create();
        Backend backend =
            Backends.get(backendFor(subject))
                .open(
                    new BackendContext(
                        "abilities",
                        0,
                        1,
                        List.of(0),
                        subject.device(),
                        store,
                        subject.timeout(),
                        subject.hints(),
                        System.getenv()))) {
      return of(backend);
    }
  }

  static Abilities of(Backend backend) {
    return new Abilities(
        backend.supports(),
        backend.dtypes(),
        Arrays.stream(Capability.values())
            .filter(capability -> capability.isIn(backend))
            .collect(Collectors.toCollection(() -> EnumSet.noneOf(Capability.class))));
  }

  /** Whether an operation is there for a dtype. */
  public boolean has(Class<? extends Collective> kind, DType dtype) {
    return kinds.contains(kind) && dtypes.contains(dtype);
  }

  /** The name that serves the subject's device, out of {@code cpu:gloo,cuda:nccl}. */
  private static String backendFor(Subject subject) {
    String prefix = subject.device().type() + ":";
    return Arrays.stream(subject.backend().split(","))
        .map(String::strip)
        .filter(part -> part.startsWith(prefix))
        .map(part -> part.substring(prefix.length()))
        .findFirst()
        .orElse(subject.backend());
  }
}
