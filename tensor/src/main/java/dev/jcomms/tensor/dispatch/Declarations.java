package dev.jcomms.tensor.dispatch;

import dev.jcomms.tensor.Device;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Every operator as an author of a device sees it: which must be written, which come for free, and
 * which of those still missing open the most others. The flags mean what they do in PyTorch's
 * RegistrationDeclarations.h.
 *
 * <p>A picture of one moment: what is registered later is in the next one. All methods are static
 * and may be called from any thread.
 */
public final class Declarations {
  /**
   * An operator that a device must still write.
   *
   * @param operator what it is
   * @param dependents the operators that the device would have through their default, were it not
   *     for this one; directly or through others
   * @param fallback whether the device's fallback serves it meanwhile
   */
  public record Missing(Declaration operator, List<String> dependents, boolean fallback) {
    public Missing {
      dependents = List.copyOf(dependents);
    }
  }

  private Declarations() {}

  /** All operators that are defined now, by name. */
  public static List<Declaration> list() {
    return declare(Dispatcher.operators());
  }

  /** What the device must still write, most needed first. */
  public static List<Missing> missing(Device device) {
    return missing(DispatchKey.of(device));
  }

  /**
   * What a device of this key must still write: operators with {@code dispatch} and without default
   * that have no kernel of this key. Those that most others depend on come first, equals by name.
   *
   * @throws IllegalArgumentException if it is no device's key
   */
  public static List<Missing> missing(DispatchKey backend) {
    if (!backend.isBackend()) {
      throw new IllegalArgumentException(
          "missing: " + backend + " is no device's key; those are CPU, CUDA, PrivateUse1 to 3");
    }
    Collection<Operator> operators = Dispatcher.operators();
    List<Declaration> declarations = declare(operators);
    Map<String, List<String>> users = users(declarations, backend);
    Map<String, Boolean> served =
        operators.stream().collect(Collectors.toMap(Operator::name, op -> op.serves(backend)));
    List<Missing> missing = new ArrayList<>();
    for (Declaration declaration : declarations) {
      if (declaration.isRequired() && !declaration.keys().contains(backend)) {
        missing.add(
            new Missing(
                declaration,
                List.copyOf(dependents(declaration.name(), users)),
                served.get(declaration.name())));
      }
    }
    missing.sort(
        Comparator.comparingInt((Missing m) -> -m.dependents().size())
            .thenComparing(m -> m.operator().name()));
    return missing;
  }

  private static List<Declaration> declare(Collection<Operator> operators) {
    CalledOperators calls =
        new CalledOperators(operators.stream().map(Operator::name).collect(Collectors.toSet()));
    return operators.stream().map(op -> declare(op, calls)).toList();
  }

  private static Declaration declare(Operator op, CalledOperators calls) {
    List<DispatchKey> keys = op.keys();
    Set<DispatchKey> computing = new HashSet<>(keys);
    computing.removeIf(key -> key == DispatchKey.AUTOGRAD || key.isAutograd());
    boolean dispatch = !computing.equals(Set.of(DispatchKey.COMPOSITE_IMPLICIT_AUTOGRAD));
    BoundKernel everywhere = op.kernel(DispatchKey.COMPOSITE_EXPLICIT_AUTOGRAD);
    if (everywhere == null) everywhere = op.kernel(DispatchKey.COMPOSITE_IMPLICIT_AUTOGRAD);
    Set<String> uses = everywhere == null ? Set.of() : calls.by(everywhere);
    return new Declaration(
        op.schema(),
        dispatch,
        everywhere != null,
        keys,
        uses.stream().filter(name -> !name.equals(op.name())).toList());
  }

  /** By operator, those whose default calls it; without those that the device has itself. */
  private static Map<String, List<String>> users(
      List<Declaration> declarations, DispatchKey backend) {
    Map<String, List<String>> users = new HashMap<>();
    for (Declaration user : declarations) {
      if (user.keys().contains(backend)) continue;
      for (String used : user.uses()) {
        users.computeIfAbsent(used, _ -> new ArrayList<>()).add(user.name());
      }
    }
    return users;
  }

  private static Set<String> dependents(String name, Map<String, List<String>> users) {
    Set<String> found = new TreeSet<>();
    List<String> open = new ArrayList<>(users.getOrDefault(name, List.of()));
    while (!open.isEmpty()) {
      String user = open.removeLast();
      if (!user.equals(name) && found.add(user)) {
        open.addAll(users.getOrDefault(user, List.of()));
      }
    }
    return found;
  }
}
