package dev.jcomms.jccl.internal.mail;

import dev.jcomms.CommMismatchException;
import dev.jcomms.tensor.DType;
import java.util.Set;

/** What is said when a send and the receive it meets differ. */
final class Disagreement {
  private Disagreement() {}

  /** {@code rank 1 has recv of 10 x f32, rank 0 has send of 11 x f32}, told on the first. */
  static CommMismatchException of(
      int rank,
      String mine,
      long elements,
      DType dtype,
      int peer,
      String theirs,
      long peerElements,
      DType peerDtype) {
    return new CommMismatchException(
        "rank %d has %s of %d x %s, rank %d has %s of %d x %s"
            .formatted(rank, mine, elements, dtype, peer, theirs, peerElements, peerDtype),
        Set.of(peer));
  }
}
