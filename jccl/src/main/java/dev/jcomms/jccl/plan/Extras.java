package dev.jcomms.jccl.plan;

import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/**
 * What the text of a {@link Plan} said otherwise than its records would: keys that they do not
 * have, and keys that it left out. Made by the reader, so that writing gives the same text back.
 *
 * @param kept by the JSON path of an object: its further keys, each with the JSON text of its value
 * @param omitted by the JSON path of an object: the keys that it does not have
 */
public record Extras(Map<String, Map<String, String>> kept, Map<String, Set<String>> omitted) {
  /** The key of a plan's root. */
  static final String ROOT = "root";

  /** The extras of a plan that was not read. */
  public static final Extras NONE = new Extras(Map.of(), Map.of());

  /** The extras of a plan that our DSL has made, with a root. */
  public static Extras root(int root) {
    return new Extras(Map.of("", Map.of(ROOT, Integer.toString(root))), Map.of());
  }

  public Extras {
    kept = sorted(kept, keys -> Collections.unmodifiableMap(new TreeMap<>(keys)));
    omitted = sorted(omitted, Set::copyOf);
  }

  /** Sorted, so that equal plans are written equally. */
  private static <V> Map<String, V> sorted(Map<String, V> map, UnaryOperator<V> copy) {
    Map<String, V> sorted = new TreeMap<>(map);
    sorted.replaceAll((_, value) -> copy.apply(value));
    return Collections.unmodifiableMap(sorted);
  }

  /** The path of every key that no record has but the root, sorted: nothing here looks at them. */
  public List<String> unknownKeys() {
    return kept.entrySet().stream()
        .flatMap(
            entry -> entry.getValue().keySet().stream().map(key -> Json.path(entry.getKey(), key)))
        .filter(path -> !path.equals(Json.path("", ROOT)))
        .sorted()
        .toList();
  }

  /** What makes the written tree equal to the text again. */
  static Extras between(Object text, Map<String, Object> written) {
    Map<String, Map<String, String>> kept = new HashMap<>();
    Map<String, Set<String>> omitted = new HashMap<>();
    compare("", text, written, kept, omitted);
    return new Extras(kept, omitted);
  }

  /** True if what differs has been noted further down; false if the whole value is to be kept. */
  private static boolean compare(
      String path,
      Object text,
      Object written,
      Map<String, Map<String, String>> kept,
      Map<String, Set<String>> omitted) {
    if (text instanceof Map<?, ?> theirs && written instanceof Map<?, ?> ours) {
      for (Map.Entry<?, ?> entry : theirs.entrySet()) {
        String key = (String) entry.getKey();
        if (!ours.containsKey(key)
            || !compare(Json.path(path, key), entry.getValue(), ours.get(key), kept, omitted)) {
          kept.computeIfAbsent(path, _ -> new LinkedHashMap<>())
              .put(key, Json.write(entry.getValue()));
        }
      }
      for (Object key : ours.keySet()) {
        if (!theirs.containsKey(key)) {
          omitted.computeIfAbsent(path, _ -> new LinkedHashSet<>()).add((String) key);
        }
      }
      return true;
    }
    if (text instanceof List<?> theirs
        && written instanceof List<?> ours
        && theirs.size() == ours.size()) {
      for (int i = 0; i < theirs.size(); i++) {
        if (!compare(path + "[" + i + "]", theirs.get(i), ours.get(i), kept, omitted)) {
          return false;
        }
      }
      return true;
    }
    return text == null ? written == null : text.equals(written);
  }

  /** Changes the written tree of the plan that these belong to. */
  void applyTo(Map<String, Object> written) {
    if (!kept.isEmpty() || !omitted.isEmpty()) {
      apply("", written);
    }
  }

  private void apply(String path, Object written) {
    switch (written) {
      case Map<?, ?> map -> {
        map.forEach((key, value) -> apply(Json.path(path, (String) key), value));
        map.keySet().removeAll(omitted.getOrDefault(path, Set.of()));
        @SuppressWarnings("unchecked") // Written trees have keys of no other type.
        Map<String, Object> object = (Map<String, Object>) map;
        kept.getOrDefault(path, Map.of()).forEach((key, json) -> object.put(key, Json.read(json)));
      }
      case List<?> list -> {
        for (int i = 0; i < list.size(); i++) {
          apply(path + "[" + i + "]", list.get(i));
        }
      }
      case null, default -> {}
    }
  }
}
