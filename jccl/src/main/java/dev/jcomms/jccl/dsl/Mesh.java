package dev.jcomms.jccl.dsl;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * A memory channel from each of some ranks to each other. Made by {@link
 * ProgramBuilder#memoryMesh()}; belongs to the thread that defines the program.
 */
public final class Mesh {
  private final Recorder recorder;
  private final List<Integer> ranks;
  private final List<MemoryChannel> links = new ArrayList<>();

  Mesh(Recorder recorder, List<Integer> ranks) {
    this.recorder = recorder;
    this.ranks = List.copyOf(ranks);
    for (int from : ranks) {
      for (int to : ranks) {
        if (from != to) {
          links.add(new MemoryChannel(recorder, from, to));
        }
      }
    }
  }

  /** Every channel: first those of the first rank, in the order of the ranks they lead to. */
  public void forEach(Consumer<MemoryChannel> action) {
    links.forEach(action);
  }

  /** The channels of one rank, in the order of the ranks they lead to. */
  public List<MemoryChannel> from(int rank) {
    if (!ranks.contains(rank)) {
      throw recorder.error("rank %d is not one of the mesh's ranks %s", rank, ranks);
    }
    return links.stream().filter(link -> link.from() == rank).toList();
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
