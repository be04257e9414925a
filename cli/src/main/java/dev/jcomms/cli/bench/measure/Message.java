package dev.jcomms.cli.bench.measure;

import dev.jcomms.Codecs;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What rank 0 tells whoever started it, ours or a peer's: one line of JSON on stdout each, {@code
 * {"bench":"measured",…}}.
 */
public sealed interface Message {

  /**
   * The ranks have met.
   *
   * @param library what is measured, with its version
   * @param transport how its ranks reach each other; empty if it does not say
   * @param limit what the machine's limit is made of: {@code memory}, {@code socket} or {@code
   *     none}
   */
  record Started(int ranks, String library, String transport, String limit) implements Message {}

  /** One form of one size is done. */
  record Measured(Measurement measurement) implements Message {}

  /** Something that is left out, and why. */
  record Note(String text) implements Message {}

  /** As a line. */
  default String line() {
    Map<String, Object> map = new LinkedHashMap<>();
    switch (this) {
      case Started(int ranks, String library, String transport, String limit) -> {
        map.put("bench", "started");
        map.put("ranks", ranks);
        map.put("library", library);
        map.put("transport", transport);
        map.put("limit", limit);
      }
      case Measured(Measurement measurement) -> {
        map.put("bench", "measured");
        map.putAll(measurement.toMap());
      }
      case Note(String text) -> {
        map.put("bench", "note");
        map.put("text", text);
      }
    }
    return new String(Codecs.JSON.encode(map), StandardCharsets.UTF_8);
  }

  /** What a line says; empty for one that is none of ours, as a library may print. */
  static Optional<Message> parse(String line) {
    if (!line.startsWith("{\"bench\":")) return Optional.empty();
    try {
      Map<?, ?> map = (Map<?, ?>) Codecs.JSON.decode(line.getBytes(StandardCharsets.UTF_8));
      return Optional.of(
          switch ((String) map.get("bench")) {
            case "started" ->
                new Started(
                    Math.toIntExact((Long) map.get("ranks")),
                    (String) map.get("library"),
                    map.get("transport") instanceof String transport ? transport : "",
                    map.get("limit") instanceof String limit ? limit : "none");
            case "measured" -> new Measured(Measurement.of(map));
            case "note" -> new Note((String) map.get("text"));
            default -> throw new IllegalArgumentException("an unknown message");
          });
    } catch (RuntimeException e) {
      throw new IllegalArgumentException("not a bench message: " + line, e);
    }
  }
}
