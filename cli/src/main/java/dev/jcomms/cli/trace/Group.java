package dev.jcomms.cli.trace;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The records of one communicator, the newest of each rank.
 *
 * @param id counts the communicators of a trace from 1
 */
record Group(int id, String comm, int size, String backend, TreeMap<Integer, Dump> dumps) {

  /** A name alone may be used twice in a job; with the members it is one communicator's. */
  private record Key(String comm, int size, List<Long> ranks) {}

  static List<Group> of(List<Dump> dumps) {
    Map<Key, TreeMap<Integer, Dump>> byComm = new LinkedHashMap<>();
    for (Dump dump : dumps) {
      byComm
          .computeIfAbsent(new Key(dump.comm(), dump.size(), dump.ranks()), _ -> new TreeMap<>())
          .merge(dump.rank(), dump, (a, b) -> a.dumpedNs() >= b.dumpedNs() ? a : b);
    }
    List<Group> groups = new ArrayList<>();
    byComm.forEach(
        (key, byRank) ->
            groups.add(
                new Group(
                    groups.size() + 1,
                    key.comm(),
                    key.size(),
                    byRank.firstEntry().getValue().backend(),
                    byRank)));
    return groups;
  }

  List<Integer> missing() {
    List<Integer> missing = new ArrayList<>();
    for (int rank = 0; rank < size; rank++) {
      if (!dumps.containsKey(rank)) missing.add(rank);
    }
    return missing;
  }
}
