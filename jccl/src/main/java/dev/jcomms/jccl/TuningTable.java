package dev.jcomms.jccl;

import dev.jcomms.jccl.internal.select.TableJson;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Which algorithm is the fastest for what size, as measured on some machines: what {@link Tuner}
 * and {@code jcomms tune} make, in the spirit of MSCCL++'s tuning files. Loaded by {@link
 * Jccl#tuning}, by the communicator's hint {@code tuning=FILE} or by {@code JCOMMS_TUNING}.
 * Immutable; any thread.
 */
public record TuningTable(List<Profile> profiles) {
  public static final int VERSION = 1;

  public TuningTable {
    profiles = List.copyOf(profiles);
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
      String sku,
      int cores,
      String version,
      int scale,
      int ranksPerHost,
      Selector.Transport transport) {}

  /**
   * One size of one collective.
   *
   * @param bytes as {@link Algorithm} counts them
   * @param choice the fastest; {@link Selector.Choice#AUTO} where nothing beat jccl's own choice
   * @param micros how long it took, on the slowest rank
   * @param autoMicros how long jccl's own choice took
   */
  public record Entry(long bytes, Selector.Choice choice, double micros, double autoMicros) {}

  /**
   * The measurements of one machine, by collective and size. As a selector it takes the entry of
   * the nearest size, by ratio, unless the request is far from all that was measured. It was
   * measured with ordinary tensors, and says nothing of symmetric ones.
   *
   * @param collectives entries by size
   */
  public record Profile(Hardware hardware, Map<String, List<Entry>> collectives)
      implements Selector {
    /** A size outside the measured range by more than this is not the table's. */
    private static final int REACH = 2;

    public Profile {
      Map<String, List<Entry>> sorted = new TreeMap<>();
      collectives.forEach(
          (name, entries) ->
              sorted.put(
                  name,
                  entries.stream()
                      .sorted(java.util.Comparator.comparingLong(Entry::bytes))
                      .toList()));
      collectives = java.util.Collections.unmodifiableMap(sorted);
    }

    @Override
    public Optional<Choice> select(Request request) {
      List<Entry> entries = collectives.getOrDefault(request.collective(), List.of());
      if (entries.isEmpty()
          || request.symmetric()
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
      return parse(Files.readString(file, StandardCharsets.UTF_8));
    } catch (java.nio.charset.CharacterCodingException e) {
      throw new IllegalArgumentException(file + ": not UTF-8", e);
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
    return TableJson.read(json);
  }

  /** This table as text, one line an entry. */
  public String toJson() {
    return TableJson.write(this);
  }

  /** This table with a profile more; it takes the place of one of the same hardware. */
  public TuningTable with(Profile profile) {
    List<Profile> all = new ArrayList<>(profiles);
    all.removeIf(known -> known.hardware().equals(profile.hardware()));
    all.add(profile);
    return new TuningTable(all);
  }

  /**
   * The profile for a machine; empty if there is none for so many ranks so placed.
   *
   * @throws IllegalArgumentException if the table is of other machines, or of another version
   */
  public Optional<Profile> match(Hardware here) {
    List<Profile> same =
        profiles.stream()
            .filter(p -> p.hardware().sku().equals(here.sku()))
            .filter(p -> p.hardware().cores() == here.cores())
            .toList();
    if (same.isEmpty()) {
      throw new IllegalArgumentException(
          "the table is foreign: it was made on %s; this is %s; make one here by jcomms tune"
              .formatted(
                  profiles.isEmpty()
                      ? "no machine at all"
                      : profiles.stream()
                          .map(p -> machine(p.hardware()))
                          .distinct()
                          .collect(java.util.stream.Collectors.joining(", ")),
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
