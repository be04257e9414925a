package dev.jcomms.jccl.internal.select;

import dev.jcomms.Codecs;
import dev.jcomms.jccl.AlgorithmCollection;
import dev.jcomms.jccl.Selector.Choice;
import dev.jcomms.jccl.Selector.Transport;
import dev.jcomms.jccl.TuningTable;
import dev.jcomms.jccl.TuningTable.Entry;
import dev.jcomms.jccl.TuningTable.Hardware;
import dev.jcomms.jccl.TuningTable.Profile;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;
import java.util.TreeMap;

/** Tuning tables as JSON text. What is wrong is told with its place: {@code profiles[0].sku}. */
public final class TableJson {
  private TableJson() {}

  public static TuningTable read(String json) {
    Object root;
    try {
      root = Codecs.JSON.decode(json.getBytes(StandardCharsets.UTF_8));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("no tuning table: " + e.getMessage(), e);
    }
    Map<?, ?> table = map("", root);
    long version = number("", table, "version");
    if (version != TuningTable.VERSION) {
      throw new IllegalArgumentException(
          "version: %d; this is a reader of version %d".formatted(version, TuningTable.VERSION));
    }
    List<Profile> profiles = new ArrayList<>();
    List<?> list = list("profiles", table.get("profiles"));
    for (int i = 0; i < list.size(); i++) {
      profiles.add(profile("profiles[" + i + "]", map("profiles[" + i + "]", list.get(i))));
    }
    return new TuningTable(profiles);
  }

  private static Profile profile(String at, Map<?, ?> map) {
    Hardware hardware =
        new Hardware(
            text(at, map, "sku"),
            (int) number(at, map, "cores"),
            text(at, map, "jccl"),
            (int) number(at, map, "scale"),
            (int) number(at, map, "ranks_per_host"),
            transport(at, text(at, map, "transport")));
    Map<String, List<Entry>> collectives = new TreeMap<>();
    map(at + ".collectives", map.get("collectives"))
        .forEach(
            (name, entries) -> {
              String place = at + ".collectives." + name;
              if (!AlgorithmCollection.collectives().contains(name)) {
                throw new IllegalArgumentException(place + ": no collective");
              }
              List<Entry> read = new ArrayList<>();
              List<?> list = list(place, entries);
              for (int i = 0; i < list.size(); i++) {
                read.add(entry(place + "[" + i + "]", map(place + "[" + i + "]", list.get(i))));
              }
              collectives.put((String) name, read);
            });
    return new Profile(hardware, collectives);
  }

  private static Transport transport(String at, String name) {
    for (Transport transport : Transport.values()) {
      if (transport.toString().equals(name)) {
        return transport;
      }
    }
    throw new IllegalArgumentException(at + ".transport: '" + name + "'");
  }

  private static Entry entry(String at, Map<?, ?> map) {
    Map<String, Long> parameters = new TreeMap<>();
    if (map.get("parameters") != null) {
      Map<?, ?> given = map(at + ".parameters", map.get("parameters"));
      given
          .keySet()
          .forEach(
              name ->
                  parameters.put((String) name, number(at + ".parameters", given, (String) name)));
    }
    return new Entry(
        number(at, map, "message_size"),
        new Choice(text(at, map, "algorithm"), parameters),
        real(at, map, "time_us"),
        map.get("auto_us") == null ? real(at, map, "time_us") : real(at, map, "auto_us"));
  }

  private static Map<?, ?> map(String at, Object value) {
    if (value instanceof Map<?, ?> map) {
      return map;
    }
    throw wrong(at, "an object", value);
  }

  private static List<?> list(String at, Object value) {
    if (value instanceof List<?> list) {
      return list;
    }
    throw wrong(at, "a list", value);
  }

  private static String text(String at, Map<?, ?> map, String key) {
    if (map.get(key) instanceof String text) {
      return text;
    }
    throw wrong(at + "." + key, "text", map.get(key));
  }

  private static long number(String at, Map<?, ?> map, String key) {
    if (map.get(key) instanceof Long number && number >= 0) {
      return number;
    }
    throw wrong(at.isEmpty() ? key : at + "." + key, "a whole number", map.get(key));
  }

  private static double real(String at, Map<?, ?> map, String key) {
    if (map.get(key) instanceof Number number && number.doubleValue() >= 0) {
      return number.doubleValue();
    }
    throw wrong(at + "." + key, "a time", map.get(key));
  }

  private static IllegalArgumentException wrong(String at, String wanted, Object found) {
    return new IllegalArgumentException(
        "%s: %s, not %s".formatted(at.isEmpty() ? "the text" : at, wanted, found));
  }

  public static String write(TuningTable table) {
    StringJoiner profiles = new StringJoiner(",\n");
    table.profiles().forEach(profile -> profiles.add(profile(profile)));
    return "{\"version\": %d, \"profiles\": [\n%s\n]}\n".formatted(TuningTable.VERSION, profiles);
  }

  private static String profile(Profile profile) {
    Hardware hardware = profile.hardware();
    StringJoiner collectives = new StringJoiner(",\n");
    profile
        .collectives()
        .forEach(
            (name, entries) -> {
              StringJoiner lines = new StringJoiner(",\n");
              entries.forEach(entry -> lines.add("      " + json(entry(entry))));
              collectives.add("    " + json(name) + ": [\n" + lines + "\n    ]");
            });
    return """
          {"sku": %s, "cores": %d, "jccl": %s, "scale": %d, "ranks_per_host": %d, "transport": %s,
           "collectives": {
        %s
          }}"""
        .formatted(
            json(hardware.sku()),
            hardware.cores(),
            json(hardware.version()),
            hardware.scale(),
            hardware.ranksPerHost(),
            json(hardware.transport().toString()),
            collectives);
  }

  private static Map<String, Object> entry(Entry entry) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("message_size", entry.bytes());
    map.put("algorithm", entry.choice().algorithm());
    if (!entry.choice().parameters().isEmpty()) {
      map.put("parameters", new TreeMap<>(entry.choice().parameters()));
    }
    map.put("time_us", rounded(entry.micros()));
    map.put("auto_us", rounded(entry.autoMicros()));
    return map;
  }

  private static double rounded(double micros) {
    return Double.parseDouble(String.format(Locale.ROOT, "%.4g", micros));
  }

  private static String json(Object value) {
    return new String(Codecs.JSON.encode(value), StandardCharsets.UTF_8);
  }
}
