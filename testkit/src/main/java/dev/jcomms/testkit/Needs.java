package dev.jcomms.testkit;

import dev.jcomms.Collective;
import dev.jcomms.tensor.DType;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What a scenario cannot do without. Immutable; every method returns a changed copy.
 *
 * @param oneOf operations of which any one will do
 * @param host whether tensors must be on the CPU
 * @param ranks the least number of ranks
 */
public record Needs(
    Set<Class<? extends Collective>> kinds,
    List<Class<? extends Collective>> oneOf,
    Set<DType> dtypes,
    Set<Capability> capabilities,
    boolean host,
    int ranks) {

  /** Nothing but a communicator. */
  public static final Needs NOTHING = new Needs(Set.of(), List.of(), Set.of(), Set.of(), false, 1);

  public Needs {
    kinds = Set.copyOf(kinds);
    oneOf = List.copyOf(oneOf);
    dtypes = Set.copyOf(dtypes);
    capabilities = Set.copyOf(capabilities);
  }

  /** Operations. */
  @SafeVarargs
  @SuppressWarnings("varargs") // handed on, not written to
  public static Needs ops(Class<? extends Collective>... kinds) {
    return NOTHING.and(kinds);
  }

  /** Any one of these operations. */
  public static Needs oneOf(List<Class<? extends Collective>> kinds) {
    return new Needs(Set.of(), kinds, Set.of(), Set.of(), false, 1);
  }

  /** A capability. */
  public static Needs capability(Capability capability) {
    return new Needs(Set.of(), List.of(), Set.of(), Set.of(capability), false, 1);
  }

  /** These, and operations. */
  @SafeVarargs
  public final Needs and(Class<? extends Collective>... more) {
    Set<Class<? extends Collective>> all = new HashSet<>(kinds);
    for (Class<? extends Collective> kind : more) {
      all.add(kind);
    }
    return new Needs(all, oneOf, dtypes, capabilities, host, ranks);
  }

  /** These, and dtypes. */
  public Needs and(DType... more) {
    return new Needs(kinds, oneOf, plus(dtypes, Set.of(more)), capabilities, host, ranks);
  }

  /** These, and so many ranks. */
  public Needs ranks(int least) {
    return new Needs(kinds, oneOf, dtypes, capabilities, host, least);
  }

  /** These, and tensors on the CPU. */
  public Needs onHost() {
    return new Needs(kinds, oneOf, dtypes, capabilities, true, ranks);
  }

  /** What is lacking, if anything is. */
  Optional<String> lacking(Subject subject, Abilities abilities, int size) {
    String backend = "backend '" + subject.backend() + "' has no ";
    Set<String> ops =
        kinds.stream()
            .filter(kind -> !abilities.kinds().contains(kind))
            .map(Collective::nameOf)
            .collect(Collectors.toCollection(TreeSet::new));
    if (!ops.isEmpty()) {
      return Optional.of(backend + String.join(", no ", ops));
    }
    if (!oneOf.isEmpty() && oneOf.stream().noneMatch(abilities.kinds()::contains)) {
      return Optional.of(
          "backend '"
              + subject.backend()
              + "' has none of "
              + oneOf.stream().map(Collective::nameOf).collect(Collectors.joining(", ")));
    }
    Set<DType> types = new TreeSet<>(dtypes);
    types.removeAll(abilities.dtypes());
    if (!types.isEmpty()) {
      return Optional.of("backend '" + subject.backend() + "' does not move " + types);
    }
    for (Capability capability : capabilities) {
      if (!abilities.capabilities().contains(capability)) {
        return Optional.of(backend + capability);
      }
    }
    if (host && !subject.device().type().equals("cpu")) {
      return Optional.of("needs tensors on the cpu; they are on " + subject.device());
    }
    return size < ranks
        ? Optional.of("needs at least " + ranks + " ranks; there are " + size)
        : Optional.empty();
  }

  private static <T> Set<T> plus(Set<T> some, Set<T> more) {
    return Stream.concat(some.stream(), more.stream()).collect(Collectors.toUnmodifiableSet());
  }
}
