package dev.jcomms.jccl.internal.dsl;

import java.util.Optional;

/**
 * Checks that a program can be cut into slices. An instance orders only its own slices, so the k-th
 * slice of every op has to be of the same bytes: chunks of one length, at multiples of it, by
 * groups of one size.
 */
public final class Slices {
  private int chunks;
  private int members;

  /** Notes a run of chunks that an op touches; what is wrong with it, if anything. */
  public Optional<String> chunk(int index, int length) {
    if (chunks == 0) {
      chunks = length;
    }
    if (length != chunks || index % length != 0) {
      return Optional.of(
          "instances that share chunks need all of them %d long, at multiples of %d"
              .formatted(chunks, chunks));
    }
    return Optional.empty();
  }

  /** Notes how many blocks share an op; what is wrong with it, if anything. */
  public Optional<String> group(int blocks) {
    if (members == 0) {
      members = blocks;
    }
    if (blocks != members) {
      return Optional.of(
          "instances that share chunks need %d blocks on every op, as on the first, not %d"
              .formatted(members, blocks));
    }
    return Optional.empty();
  }
}
