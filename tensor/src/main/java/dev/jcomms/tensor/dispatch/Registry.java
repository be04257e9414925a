package dev.jcomms.tensor.dispatch;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;

/** All operators and fallbacks of the process. Changes are under one lock, look-ups are not. */
final class Registry {
  /** In place of a namespace: a fallback for the operators of all. */
  static final String ALL = "_";

  /** One registration: two of the same kernel are two, whichever is closed first. */
  private static final class Fallback {
    final String namespace;
    final Kernel.Boxed kernel;

    Fallback(String namespace, Kernel.Boxed kernel) {
      this.namespace = namespace;
      this.kernel = kernel;
    }
  }

  private static final Map<String, Operator> OPERATORS = new ConcurrentHashMap<>();
  private static final Map<DispatchKey, List<Fallback>> FALLBACKS = new ConcurrentHashMap<>();

  private Registry() {}

  static synchronized RegistrationHandle define(Operator op) {
    Operator present = OPERATORS.get(op.name());
    if (present != null) {
      throw new IllegalArgumentException(
          "operator "
              + op.name()
              + " is defined already, as "
              + present.schema()
              + "; asked for "
              + op.schema());
    }
    OPERATORS.put(op.name(), op);
    return RegistrationHandle.once(
        () -> {
          OPERATORS.remove(op.name(), op);
          op.undefine();
        });
  }

  static Operator find(String name) {
    return OPERATORS.get(name);
  }

  static Operator require(String name) {
    Operator op = OPERATORS.get(name);
    if (op == null) {
      throw new UnknownOperatorException(
          "no operator named '" + name + "'; similar: " + similar(name));
    }
    return op;
  }

  static Collection<Operator> all() {
    return OPERATORS.values().stream().sorted(Comparator.comparing(Operator::name)).toList();
  }

  static synchronized RegistrationHandle addFallback(
      String namespace, DispatchKey key, Kernel.Boxed kernel) {
    Fallback added = new Fallback(namespace, kernel);
    List<Fallback> stack = FALLBACKS.computeIfAbsent(key, _ -> new CopyOnWriteArrayList<>());
    stack.add(added);
    OPERATORS.values().forEach(Operator::forgetTable);
    return RegistrationHandle.once(
        () -> {
          synchronized (Registry.class) {
            stack.remove(added);
            OPERATORS.values().forEach(Operator::forgetTable);
          }
        });
  }

  /** Takes no lock: whoever asks holds an operator's, and those are taken after the registry's. */
  static Kernel.Boxed fallback(DispatchKey key, String namespace) {
    List<Fallback> stack = FALLBACKS.getOrDefault(key, List.of());
    for (Fallback f : stack.reversed()) {
      if (f.namespace.equals(ALL) || f.namespace.equals(namespace)) {
        return f.kernel;
      }
    }
    return null;
  }

  /** Names that share the base name, or contain it; else those of the namespace. */
  private static List<String> similar(String name) {
    String base = name.substring(name.indexOf("::") + (name.contains("::") ? 2 : 0));
    String stem = base.contains(".") ? base.substring(0, base.indexOf('.')) : base;
    String bare = stem.endsWith("_") ? stem.substring(0, stem.length() - 1) : stem;
    return OPERATORS.keySet().stream()
        .filter(n -> !bare.isEmpty() && n.contains(bare))
        .sorted(Comparator.comparingInt(String::length).thenComparing(n -> n))
        .limit(8)
        .collect(Collectors.toList());
  }
}
