package dev.jcomms.tensor.dispatch;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** All operators and fallbacks of the process. Changes are under one lock, look-ups are not. */
final class Registry {
  /** In place of a namespace: a fallback for the operators of all. */
  static final String ALL = "_";

  private record Fallback(String namespace, Kernel.Boxed kernel) {}

  private static final Map<String, Operator> OPERATORS = new ConcurrentHashMap<>();

  /** Built-in operators that nobody has asked for yet are only here; set before any look-up. */
  private static volatile Map<String, Supplier<Operator>> builtIns = Map.of();

  private static final Map<DispatchKey, List<Fallback>> FALLBACKS = new ConcurrentHashMap<>();

  private Registry() {}

  /** By name, what makes each. */
  static void setBuiltIns(Map<String, Supplier<Operator>> all) {
    builtIns = all;
  }

  static synchronized RegistrationHandle define(Operator op) {
    Operator present = find(op.name());
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
    Operator op = OPERATORS.get(name);
    if (op != null) {
      return op;
    }
    Supplier<Operator> maker = builtIns.get(name);
    return maker == null ? null : OPERATORS.computeIfAbsent(name, _ -> maker.get());
  }

  static Operator require(String name) {
    Operator op = find(name);
    if (op == null) {
      throw new IllegalArgumentException(
          "no operator named '" + name + "'; similar: " + similar(name));
    }
    return op;
  }

  static Collection<Operator> all() {
    builtIns.keySet().forEach(Registry::find);
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
    return Stream.concat(OPERATORS.keySet().stream(), builtIns.keySet().stream())
        .distinct()
        .filter(n -> !bare.isEmpty() && n.contains(bare))
        .sorted(Comparator.comparingInt(String::length).thenComparing(n -> n))
        .limit(8)
        .collect(Collectors.toList());
  }
}
