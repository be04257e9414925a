package dev.jcomms.jccl.dsl;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * A memory channel from each of some ranks to each other. Made by {@link
 * ProgramBuilder#memoryMesh()}; belongs to the thread that defines the program.
 */
public final class Mesh {
  private final Recorder recorder;
  private final List<Integer> ranks;
  private final Map<Integer, List<MemoryChannel>> links = new LinkedHashMap<>();

  Mesh(Recorder recorder, List<Integer> ranks) {
    this.recorder = recorder;
    this.ranks = List.copyOf(ranks);
    if (new HashSet<>(ranks).size() < ranks.size()) {
      throw recorder.error("a mesh cannot be of ranks %s; they must all be different", ranks);
    }
    for (int from : ranks) {
      links.put(
          from,
          ranks.stream()
              .filter(to -> to != from)
              .map(to -> new MemoryChannel(recorder, from, to))
              .toList());
    }
  }

  /** Every channel: first those of the first rank, in the order of the ranks they lead to. */
  public void forEach(Consumer<MemoryChannel> action) {
    links.values().forEach(some -> some.forEach(action));
  }

  /** The channels of one rank, in the order of the ranks they lead to. */
  public List<MemoryChannel> from(int rank) {
    if (!ranks.contains(rank)) {
      throw recorder.error("rank %d is not one of the mesh's ranks %s", rank, ranks);
    }
    return links.get(rank);
  }

  /** The channel between two ranks. */
  public MemoryChannel link(int from, int to) {
    return from(from).stream()
        .filter(link -> link.to() == to)
        .findFirst()
        .orElseThrow(
            () ->
                recorder.error(
                    "the mesh of ranks %s has no channel from rank %d to rank %d",
                    ranks, from, to));
  }
}
