package dev.jcomms.tensor.dispatch;

import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;

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
      throw new UnknownOperatorException(
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

  /** The nearest names first: other overloads, then slips of the pen, then longer names. */
  private static List<String> similar(String name) {
    String wanted = bare(name);
    Map<String, Integer> far = new HashMap<>();
    Set<String> names = new HashSet<>(OPERATORS.keySet());
    names.addAll(builtIns.keySet());
    for (String n : names) {
      String there = bare(n);
      int slips = slips(wanted, there);
      if (slips <= Math.max(1, wanted.length() / 4)) {
        far.put(n, slips);
      } else if (wanted.length() > 2 && there.contains(wanted)) {
        far.put(n, there.length());
      }
    }
    return far.entrySet().stream()
        .sorted(
            Map.Entry.<String, Integer>comparingByValue()
                .thenComparing(e -> e.getKey().length())
                .thenComparing(Map.Entry::getKey))
        .map(Map.Entry::getKey)
        .limit(8)
        .toList();
  }

  /** Without namespace, overload, and the mark of the in-place form. */
  private static String bare(String name) {
    String base = name.contains("::") ? name.substring(name.indexOf("::") + 2) : name;
    String stem = base.contains(".") ? base.substring(0, base.indexOf('.')) : base;
    return stem.endsWith("_") ? stem.substring(0, stem.length() - 1) : stem;
  }

  /** How many letters must be put in, left out or exchanged to make one word of another. */
  private static int slips(String a, String b) {
    int[] row = new int[b.length() + 1];
    for (int j = 0; j < row.length; j++) {
      row[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int corner = row[0];
      row[0] = i;
      for (int j = 1; j < row.length; j++) {
        int same = corner + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        corner = row[j];
        row[j] = Math.min(same, 1 + Math.min(row[j], row[j - 1]));
      }
    }
    return row[b.length()];
  }
}
