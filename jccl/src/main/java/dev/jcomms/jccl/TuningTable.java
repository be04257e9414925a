package dev.jcomms.jccl;

import dev.jcomms.jccl.Selector.Choice;
import dev.jcomms.jccl.Selector.Request;
import dev.jcomms.jccl.Selector.Transport;
import dev.jcomms.jccl.internal.select.TableReader;
import dev.jcomms.jccl.internal.select.TableWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Which algorithm is the fastest for what: profiles as measured on some machines, by {@link Tuner}
 * and {@code jcomms tune}, in the spirit of MSCCL++'s tuning files, and rules for any machine.
 * Loaded by {@link Jccl#tuning}, by the communicator's hint {@code tuning=FILE} or by {@code
 * JCOMMS_TUNING}. jccl's own choice is such a table, of rules: {@link #defaults}. Immutable; any
 * thread.
 *
 * @param rules asked in their order, after the profile of a machine
 */
public record TuningTable(List<Profile> profiles, List<TuningRule> rules) {
  /** What is written; older ones are read as well. */
  public static final int VERSION = 2;

  private static final class Shipped {
    static final TuningTable TABLE = TableReader.shipped();
  }

  public TuningTable {
    profiles = List.copyOf(profiles);
    rules = List.copyOf(rules);
  }

  /** A table of profiles alone. */
  public TuningTable(List<Profile> profiles) {
    this(profiles, List.of());
  }

  /** What jccl takes where nobody chooses: the table that it is shipped with. */
  public static TuningTable defaults() {
    return Shipped.TABLE;
  }

  /**
   * What was measured on: a table is used where all of this is the same.
   *
   * @param sku the processor's model
   * @param cores that a rank's JVM saw
   * @param version of jccl
   * @param scale the number of ranks
   * @param ranksPerHost how many share a host; 0 if hosts differ in that
   */
  public record Hardware(
      String sku, int cores, String version, int scale, int ranksPerHost, Transport transport) {
    public Hardware {
      if (cores < 1 || scale < 1 || ranksPerHost < 0) {
        throw new IllegalArgumentException(
            "cores=%d, scale=%d, ranks_per_host=%d are no machine"
                .formatted(cores, scale, ranksPerHost));
      }
    }
  }

  /**
   * One size of one collective.
   *
   * @param bytes as {@link Algorithm} counts them
   * @param symmetric whether it was measured with symmetric tensors
   * @param choice the fastest; {@link Choice#AUTO} where nothing beat jccl's own choice
   * @param micros how long it took, on the slowest rank
   * @param autoMicros how long jccl's own choice took
   */
  public record Entry(
      long bytes, boolean symmetric, Choice choice, double micros, double autoMicros) {
    public Entry {
      Objects.requireNonNull(choice);
      if (bytes < 0 || !isTime(micros) || !isTime(autoMicros)) {
        throw new IllegalArgumentException(
            "bytes=%d, micros=%s, autoMicros=%s were not measured"
                .formatted(bytes, micros, autoMicros));
      }
    }

    /** One of ordinary tensors. */
    public Entry(long bytes, Choice choice, double micros, double autoMicros) {
      this(bytes, false, choice, micros, autoMicros);
    }

    private static boolean isTime(double micros) {
      return micros >= 0 && micros < Double.POSITIVE_INFINITY;
    }
  }

  /**
   * The measurements of one machine, by collective and size. As a selector it takes the entry of
   * the nearest size, by ratio, unless the request is far from all that was measured. What was
   * measured with ordinary tensors says nothing of symmetric ones, nor the other way round.
   *
   * @param collectives entries by size, those of ordinary tensors first
   */
  public record Profile(Hardware hardware, Map<String, List<Entry>> collectives)
      implements Selector {
    /** A size outside the measured range by more than this is not the table's. */
    private static final int REACH = 2;

    private static final Comparator<Entry> ORDER =
        Comparator.comparing(Entry::symmetric).thenComparingLong(Entry::bytes);

    public Profile {
      Map<String, List<Entry>> sorted = new TreeMap<>();
      collectives.forEach(
          (name, entries) -> sorted.put(name, entries.stream().sorted(ORDER).toList()));
      collectives = Collections.unmodifiableMap(sorted);
    }

    @Override
    public Optional<Choice> select(Request request) {
      List<Entry> entries = of(request.collective(), request.symmetric());
      if (entries.isEmpty()
          || request.bytes() < entries.getFirst().bytes() / REACH
          || request.bytes() / REACH > entries.getLast().bytes()) {
        return Optional.empty();
      }
      Entry nearest = entries.getFirst();
      for (Entry entry : entries) {
        if (distance(entry, request.bytes()) < distance(nearest, request.bytes())) {
          nearest = entry;
        }
      }
      return Optional.of(nearest.choice());
    }

    private List<Entry> of(String collective, boolean symmetric) {
      return collectives.getOrDefault(collective, List.of()).stream()
          .filter(entry -> entry.symmetric() == symmetric)
          .toList();
    }

    /** This profile with what another has measured in place of what it measured of the same. */
    private Profile with(Profile newer) {
      Map<String, List<Entry>> all = new TreeMap<>(collectives);
      for (String name : newer.collectives.keySet()) {
        List<Entry> entries = new ArrayList<>();
        for (boolean symmetric : new boolean[] {false, true}) {
          List<Entry> fresh = newer.of(name, symmetric);
          entries.addAll(fresh.isEmpty() ? of(name, symmetric) : fresh);
        }
        all.put(name, entries);
      }
      return new Profile(hardware, all);
    }

    private static double distance(Entry entry, long bytes) {
      return Math.abs(Math.log(Math.max(1, entry.bytes())) - Math.log(Math.max(1, bytes)));
    }
  }

  /**
   * The table that a file holds.
   *
   * @throws IllegalArgumentException if it is none
   * @throws IOException if it cannot be read
   */
  public static TuningTable read(Path file) throws IOException {
    try {
      return TableReader.read(file);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(file + ": " + e.getMessage(), e);
    }
  }

  /**
   * The table that a text is.
   *
   * @throws IllegalArgumentException if it is none
   */
  public static TuningTable parse(String json) {
    return TableReader.read(json);
  }

  /** This table as text, one line an entry or row. */
  public String toJson() {
    return TableWriter.write(this);
  }

  /**
   * This table with a profile more. Of the same hardware it has one; collectives that were measured
   * anew, with the same kind of tensors, take the place of what it says of them.
   */
  public TuningTable with(Profile profile) {
    List<Profile> all = new ArrayList<>(profiles);
    for (int i = 0; i < all.size(); i++) {
      if (all.get(i).hardware().equals(profile.hardware())) {
        all.set(i, all.get(i).with(profile));
        return new TuningTable(all, rules);
      }
    }
    all.add(profile);
    return new TuningTable(all, rules);
  }

  /** The rows of all rules for a collective, in their order. */
  public List<TuningRule.Row> rows(Transport transport, String collective) {
    List<TuningRule.Row> rows = new ArrayList<>();
    for (TuningRule rule : rules) {
      if (rule.isFor(transport, collective)) {
        rows.addAll(rule.rows());
      }
    }
    return rows;
  }

  /**
   * What the rules give a request: one choice; several, by falling preference, if it depends on
   * where the tensors are, which no request tells; none if no row is for it.
   */
  public List<Choice> candidates(Request request) {
    Set<Choice> candidates = new LinkedHashSet<>();
    for (TuningRule.Row row : rows(request.transport(), request.collective())) {
      if (row.admits(request)) {
        candidates.add(row.choice());
        if (row.isDecided(request)) {
          break;
        }
      }
    }
    return List.copyOf(candidates);
  }

  /**
   * The profile for a machine; empty if there is none for so many ranks so placed.
   *
   * @throws IllegalArgumentException if the table is of other machines and has no rules, which are
   *     for any, or if it is of another version
   */
  public Optional<Profile> match(Hardware here) {
    List<Profile> same =
        profiles.stream()
            .filter(p -> p.hardware().sku().equals(here.sku()))
            .filter(p -> p.hardware().cores() == here.cores())
            .toList();
    if (same.isEmpty() && !rules.isEmpty()) {
      return Optional.empty();
    }
    if (same.isEmpty()) {
      throw new IllegalArgumentException(
          "the table is foreign: it was made on %s; this is %s; make one here by jcomms tune"
              .formatted(
                  profiles.isEmpty()
                      ? "no machine at all"
                      : profiles.stream()
                          .map(p -> machine(p.hardware()))
                          .distinct()
                          .collect(Collectors.joining(", ")),
                  machine(here)));
    }
    List<Profile> current =
        same.stream().filter(p -> p.hardware().version().equals(here.version())).toList();
    if (current.isEmpty()) {
      throw new IllegalArgumentException(
          "the table is stale: it was made by jccl %s; this is %s; make it anew by jcomms tune"
              .formatted(same.getFirst().hardware().version(), here.version()));
    }
    return current.stream().filter(p -> p.hardware().equals(here)).findFirst();
  }

  private static String machine(Hardware hardware) {
    return "'" + hardware.sku() + "' with " + hardware.cores() + " cores";
  }
}
