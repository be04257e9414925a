package dev.jcomms.cli.bench.op;

import dev.jcomms.ReduceOp;
import dev.jcomms.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;

/**
 * What a trial is made of: where the rank stands, and memory to read from and write to.
 *
 * @param elements of one section
 * @param send at least as many sections as {@link Operation#room} says; so {@code recv}
 */
public record Scene(
    Place place, ReduceOp redop, long elements, Tensor send, Tensor recv, Values values) {

  int rank() {
    return place.rank();
  }

  int ranks() {
    return place.ranks();
  }

  int root() {
    return place.root();
  }

  /** The first sections of the memory to read from. */
  Tensor send(int sections) {
    return send.narrow(0, 0, sections * elements);
  }

  /** The first sections of the memory to write to. */
  Tensor recv(int sections) {
    return recv.narrow(0, 0, sections * elements);
  }

  /** One section of one of them. */
  Tensor section(Tensor of, int index) {
    return of.narrow(0, index * elements, elements);
  }

  /** What this rank's sections of a tensor hold, each on its own. */
  List<Trial.Part> sections(Tensor of) {
    List<Trial.Part> parts = new ArrayList<>();
    for (int s = 0; s < ranks(); s++) parts.add(new Trial.Part(section(of, s), from(rank(), s)));
    return parts;
  }

  /** What a rank puts into its memory, from one of its sections on. */
  Content from(int rank, int section) {
    return values.of(rank, section * elements);
  }

  /** What the reduction of all ranks gives, from one of their sections on. */
  Content reduced(int section) {
    return values.reduced(section * elements);
  }
}
