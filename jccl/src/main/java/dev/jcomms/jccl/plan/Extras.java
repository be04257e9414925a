package dev.jcomms.jccl.plan;

import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What the text of a {@link Plan} said beyond its records: keys that they do not have, and optional
 * keys that it left out. Made by the reader, so that writing gives the same text back.
 *
 * @param kept by the JSON path of an object: its further keys, each with the JSON text of its value
 * @param omitted by the JSON path of an object: the keys that it does not have
 */
public record Extras(Map<String, Map<String, String>> kept, Map<String, Set<String>> omitted) {
  /** The extras of a plan that was not read. */
  public static final Extras NONE = new Extras(Map.of(), Map.of());

  /** The path of every key that no record has, in order: nothing here looks at them. */
  public List<String> unknownKeys() {
    return kept.entrySet().stream()
        .flatMap(
            entry -> entry.getValue().keySet().stream().map(key -> Json.path(entry.getKey(), key)))
        .sorted()
        .toList();
  }
}
