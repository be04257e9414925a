package dev.jcomms.jccl.internal.select;

import dev.jcomms.Codecs;
import dev.jcomms.jccl.AlgorithmCollection;
import dev.jcomms.jccl.Selector.Choice;
import dev.jcomms.jccl.Selector.Transport;
import dev.jcomms.jccl.TuningRule;
import dev.jcomms.jccl.TuningRule.Measure;
import dev.jcomms.jccl.TuningRule.Memory;
import dev.jcomms.jccl.TuningRule.Row;
import dev.jcomms.jccl.TuningTable;
import dev.jcomms.jccl.TuningTable.Entry;
import dev.jcomms.jccl.TuningTable.Hardware;
import dev.jcomms.jccl.TuningTable.Profile;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Reads tuning tables, of this version and of the first, which knew neither rules nor symmetric
 * tensors. Strict: what is wrong, or unknown, is told with its place, {@code profiles[0].sku}.
 *
 * <p>Every program reads the shipped table when it starts, so there is nothing here that is slow
 * the first time: no lambdas, no patterns, no equality of records; paths are put together only for
 * errors.
 */
public final class TableReader {
  /** More than any tuner writes by far. */
  private static final int MOST_BYTES = 4 << 20;

  private static final List<String> TABLE_KEYS = List.of("version", "profiles", "rules");
  private static final List<String> PROFILE_KEYS =
      List.of("sku", "cores", "jccl", "scale", "ranks_per_host", "transport", "collectives");
  private static final List<String> ENTRY_KEYS =
      List.of("message_size", "algorithm", "parameters", "time_us", "auto_us", "symmetric");
  private static final List<String> RULE_KEYS = List.of("transports", "collectives", "take");
  private static final List<String> ROW_KEYS =
      List.of(
          "algorithm",
          "parameters",
          "memory",
          "arch",
          "of",
          "min_bytes",
          "max_bytes",
          "min_ranks",
          "max_ranks");

  private final boolean first;

  private TableReader(boolean first) {
    this.first = first;
  }

  /** The table that jccl is shipped with. */
  public static TuningTable shipped() {
    try (InputStream in = TuningTable.class.getResourceAsStream("defaults.json")) {
      if (in == null) {
        throw new IllegalStateException("jccl lacks its dev/jcomms/jccl/defaults.json");
      }
      return parse(in.readAllBytes());
    } catch (IOException e) {
      throw new UncheckedIOException("defaults.json of jccl", e);
    }
  }

  public static TuningTable read(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      return read(in.readNBytes(MOST_BYTES + 1));
    }
  }

  public static TuningTable read(String json) {
    return read(json.getBytes(StandardCharsets.UTF_8));
  }

  private static TuningTable read(byte[] text) {
    TuningTable table = parse(text);
    for (int i = 0; i < table.rules().size(); i++) {
      List<Row> rows = table.rules().get(i).rows();
      for (int j = 0; j < rows.size(); j++) {
        if (rows.indexOf(rows.get(j)) < j) {
          throw new IllegalArgumentException(
              "rules[%d].take[%d]: the same is there already".formatted(i, j));
        }
      }
    }
    return table;
  }

  private static TuningTable parse(byte[] text) {
    if (text.length > MOST_BYTES) {
      throw new IllegalArgumentException(
          "no tuning table: it is longer than " + MOST_BYTES + " bytes");
    }
    Object root;
    try {
      root = Codecs.JSON.decode(text);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("no tuning table: " + e.getMessage(), e);
    }
    JsonPlace table = JsonPlace.root(root);
    long version = table.at("version").whole(0, Long.MAX_VALUE);
    if (version < 1 || version > TuningTable.VERSION) {
      throw table
          .at("version")
          .wrong(version + "; this is a reader of versions 1 to " + TuningTable.VERSION);
    }
    return new TableReader(version == 1).table(table);
  }

  private TuningTable table(JsonPlace table) {
    table.known(first ? TABLE_KEYS.subList(0, 2) : TABLE_KEYS);
    List<Profile> profiles = new ArrayList<>();
    Set<Hardware> machines = new HashSet<>();
    for (JsonPlace place : table.at("profiles").items()) {
      Profile profile = profile(place);
      if (!machines.add(profile.hardware())) {
        throw place.wrong("a profile of the same machine and ranks is there already");
      }
      profiles.add(profile);
    }
    List<TuningRule> rules = new ArrayList<>();
    if (table.has("rules")) {
      for (JsonPlace place : table.at("rules").items()) {
        rules.add(rule(place));
      }
    }
    return new TuningTable(profiles, rules);
  }

  private Profile profile(JsonPlace place) {
    place.known(PROFILE_KEYS);
    Hardware hardware =
        new Hardware(
            place.at("sku").text(),
            place.at("cores").count(1),
            place.at("jccl").text(),
            place.at("scale").count(1),
            place.at("ranks_per_host").count(0),
            place.at("transport").oneOf(List.of(Transport.values())));
    Map<String, List<Entry>> collectives = new TreeMap<>();
    JsonPlace all = place.at("collectives").known(AlgorithmCollection.collectives());
    for (String name : all.keys()) {
      collectives.put(name, entries(all.at(name)));
    }
    return new Profile(hardware, collectives);
  }

  private List<Entry> entries(JsonPlace list) {
    List<Entry> entries = new ArrayList<>();
    Set<Long> ordinary = new HashSet<>();
    Set<Long> symmetric = new HashSet<>();
    for (JsonPlace place : list.items()) {
      Entry entry = entry(place);
      if (!(entry.symmetric() ? symmetric : ordinary).add(entry.bytes())) {
        throw place.at("message_size").wrong(entry.bytes() + " is there already");
      }
      entries.add(entry);
    }
    return entries;
  }

  private Entry entry(JsonPlace place) {
    place.known(first ? ENTRY_KEYS.subList(0, 5) : ENTRY_KEYS);
    double time = place.at("time_us").time();
    return new Entry(
        place.at("message_size").whole(0, Long.MAX_VALUE),
        place.has("symmetric") && place.at("symmetric").flag(),
        choice(place),
        time,
        place.has("auto_us") ? place.at("auto_us").time() : time);
  }

  private static Choice choice(JsonPlace place) {
    Map<String, Long> parameters = new TreeMap<>();
    if (place.has("parameters")) {
      JsonPlace given = place.at("parameters");
      for (String name : given.keys()) {
        parameters.put(name, given.at(name).whole(Long.MIN_VALUE, Long.MAX_VALUE));
      }
    }
    return new Choice(place.at("algorithm").text(), parameters);
  }

  private static TuningRule rule(JsonPlace place) {
    place.known(RULE_KEYS);
    List<Transport> transports = new ArrayList<>();
    for (JsonPlace item : place.at("transports").items()) {
      transports.add(item.oneOf(List.of(Transport.values())));
    }
    List<String> collectives = new ArrayList<>();
    for (JsonPlace item : place.at("collectives").items()) {
      collectives.add(item.oneOf(AlgorithmCollection.collectives()));
    }
    List<Row> rows = new ArrayList<>();
    for (JsonPlace item : place.at("take").items()) {
      rows.add(row(item));
    }
    return new TuningRule(transports, collectives, rows);
  }

  private static Row row(JsonPlace place) {
    place.known(ROW_KEYS);
    Choice choice = choice(place);
    Memory memory =
        place.has("memory") ? place.at("memory").oneOf(List.of(Memory.values())) : Memory.ANY;
    String arch = place.has("arch") ? place.at("arch").text() : "";
    Measure measure =
        place.has("of") ? place.at("of").oneOf(List.of(Measure.values())) : Measure.BUFFER;
    long minBytes = bytes(place, "min_bytes", 0);
    long maxBytes = bytes(place, "max_bytes", Long.MAX_VALUE);
    int minRanks = ranks(place, "min_ranks", 1);
    int maxRanks = ranks(place, "max_ranks", Integer.MAX_VALUE);
    try {
      return new Row(choice, memory, arch, measure, minBytes, maxBytes, minRanks, maxRanks);
    } catch (IllegalArgumentException e) {
      throw place.wrong(e.getMessage());
    }
  }

  private static long bytes(JsonPlace place, String key, long otherwise) {
    return place.has(key) ? place.at(key).whole(0, Long.MAX_VALUE) : otherwise;
  }

  private static int ranks(JsonPlace place, String key, int otherwise) {
    return place.has(key) ? place.at(key).count(1) : otherwise;
  }
}
