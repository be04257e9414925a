package dev.jcomms.testkit.reference;

import dev.jcomms.CommMismatchException;
import dev.jcomms.spi.Fingerprint;
import dev.jcomms.store.Store;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Collective operations as numbered rounds: every rank posts what it has and what it calls for, and
 * goes on when all have posted. One thread at a time.
 */
final class Rounds {
  private final String prefix;
  private final Store store;
  private final Parcels parcels;
  private final Waits waits;
  private final int rank;
  private final int size;
  private long number;
  private Map<String, Integer> posted = Map.of();

  /** Rounds under keys that begin with {@code prefix}. */
  Rounds(String prefix, Store store, Waits waits, int rank, int size) {
    this.prefix = prefix;
    this.store = store;
    this.parcels = new Parcels(store);
    this.waits = waits;
    this.rank = rank;
    this.size = size;
  }

  /** One round, in which every rank has posted its parts. */
  record Round(Parcels parcels, String key) {
    /** A part of a rank. */
    byte[] part(int src, String name) {
      return parcels.get(partKey(key, src, name));
    }

    private static String partKey(String key, int rank, String name) {
      return key + "/" + rank + "/" + name;
    }
  }

  /**
   * Posts this rank's parts by name, and waits for the other ranks.
   *
   * @throws CommMismatchException if a rank calls for something else
   */
  Round begin(Fingerprint mine, Map<String, byte[]> parts, Deadline deadline) {
    waits.requireNoAbort();
    Round round = new Round(parcels, prefix + "/" + number++);
    Map<String, Integer> posting = new LinkedHashMap<>();
    parts.forEach(
        (name, bytes) -> {
          String key = Round.partKey(round.key(), rank, name);
          parcels.put(key, bytes);
          posting.put(key, bytes.length);
        });
    // Last, so that whoever sees the fingerprint finds the parts.
    String fingerprint = fingerprintKey(round, rank);
    store.set(fingerprint, mine.encode().getBytes(StandardCharsets.UTF_8));
    posting.put(fingerprint, 0);
    Map<String, Integer> owed = new LinkedHashMap<>();
    for (int r = 0; r < size; r++) {
      owed.put(fingerprintKey(round, r), r);
    }
    waits.await(owed, deadline);
    compare(mine, store.multiGet(List.copyOf(owed.keySet())));
    // All have come to this round, so nobody reads the one before any more.
    posted.forEach(parcels::delete);
    posted = posting;
    return round;
  }

  private void compare(Fingerprint mine, List<byte[]> all) {
    Map<Integer, Fingerprint> others = new LinkedHashMap<>();
    for (int r = 0; r < size; r++) {
      Fingerprint theirs = Fingerprint.decode(new String(all.get(r), StandardCharsets.UTF_8));
      if (!theirs.equals(mine)) {
        others.put(r, theirs);
      }
    }
    if (!others.isEmpty()) {
      Set<Integer> ranks = new TreeSet<>(others.keySet());
      throw new CommMismatchException(
          "rank "
              + rank
              + " has "
              + mine
              + ", "
              + others.entrySet().stream()
                  .map(e -> "rank " + e.getKey() + " has " + e.getValue())
                  .collect(Collectors.joining(", ")),
          ranks);
    }
  }

  private static String fingerprintKey(Round round, int rank) {
    return round.key() + "/" + rank;
  }
}
