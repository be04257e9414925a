package dev.jcomms.jccl.internal.select;

import dev.jcomms.Codecs;
import dev.jcomms.jccl.Selector.Choice;
import dev.jcomms.jccl.TuningRule;
import dev.jcomms.jccl.TuningRule.Measure;
import dev.jcomms.jccl.TuningRule.Memory;
import dev.jcomms.jccl.TuningRule.Row;
import dev.jcomms.jccl.TuningTable;
import dev.jcomms.jccl.TuningTable.Entry;
import dev.jcomms.jccl.TuningTable.Hardware;
import dev.jcomms.jccl.TuningTable.Profile;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Tuning tables as JSON text that people can read: one line an entry or row. */
public final class TableWriter {
  private TableWriter() {}

  public static String write(TuningTable table) {
    String profiles = lines(table.profiles().stream().map(TableWriter::profile).toList(), "");
    String rules = lines(table.rules().stream().map(TableWriter::rule).toList(), "");
    return text(
        "{\"version\": %d, \"profiles\": %s%s}\n",
        TuningTable.VERSION, profiles, table.rules().isEmpty() ? "" : ", \"rules\": " + rules);
  }

  /** A list with a line an item; the last bracket is indented. */
  private static String lines(List<String> items, String indent) {
    return items.isEmpty()
        ? "[]"
        : items.stream().collect(Collectors.joining(",\n", "[\n", "\n" + indent + "]"));
  }

  private static String profile(Profile profile) {
    Hardware hardware = profile.hardware();
    List<String> collectives =
        profile.collectives().entrySet().stream()
            .map(
                one ->
                    "    "
                        + json(one.getKey())
                        + ": "
                        + lines(
                            one.getValue().stream()
                                .map(entry -> "      " + json(entry(entry)))
                                .toList(),
                            "    "))
            .toList();
    return text(
        """
          {"sku": %s, "cores": %d, "jccl": %s, "scale": %d, "ranks_per_host": %d, "transport": %s,
           "collectives": {
        %s
          }}""",
        json(hardware.sku()),
        hardware.cores(),
        json(hardware.version()),
        hardware.scale(),
        hardware.ranksPerHost(),
        json(hardware.transport().toString()),
        String.join(",\n", collectives));
  }

  private static Map<String, Object> entry(Entry entry) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("message_size", entry.bytes());
    put(map, entry.choice());
    map.put("time_us", rounded(entry.micros()));
    map.put("auto_us", rounded(entry.autoMicros()));
    if (entry.symmetric()) {
      map.put("symmetric", true);
    }
    return map;
  }

  private static void put(Map<String, Object> map, Choice choice) {
    map.put("algorithm", choice.algorithm());
    if (!choice.parameters().isEmpty()) {
      map.put("parameters", new TreeMap<>(choice.parameters()));
    }
  }

  private static double rounded(double micros) {
    return Double.parseDouble(text("%.4g", micros));
  }

  private static String rule(TuningRule rule) {
    return text(
        "  {\"transports\": %s, \"collectives\": %s, \"take\": %s}",
        json(rule.transports().stream().map(Object::toString).toList()),
        json(rule.collectives()),
        lines(rule.rows().stream().map(row -> "     " + json(row(row))).toList(), "   "));
  }

  private static Map<String, Object> row(Row row) {
    Map<String, Object> map = new LinkedHashMap<>();
    put(map, row.choice());
    if (row.memory() != Memory.ANY) {
      map.put("memory", row.memory().toString());
    }
    if (!row.arch().isEmpty()) {
      map.put("arch", row.arch());
    }
    if (row.measure() != Measure.BUFFER) {
      map.put("of", row.measure().toString());
    }
    if (row.minBytes() > 0) {
      map.put("min_bytes", row.minBytes());
    }
    if (row.maxBytes() < Long.MAX_VALUE) {
      map.put("max_bytes", row.maxBytes());
    }
    if (row.minRanks() > 1) {
      map.put("min_ranks", row.minRanks());
    }
    if (row.maxRanks() < Integer.MAX_VALUE) {
      map.put("max_ranks", row.maxRanks());
    }
    return map;
  }

  /** JSON has the digits 0 to 9, whatever those of the user's language are. */
  private static String text(String format, Object... facts) {
    return String.format(Locale.ROOT, format, facts);
  }

  private static String json(Object value) {
    return new String(Codecs.JSON.encode(value), StandardCharsets.UTF_8);
  }
}
