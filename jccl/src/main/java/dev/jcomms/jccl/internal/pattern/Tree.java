package dev.jcomms.jccl.internal.pattern;

import java.util.OptionalInt;

/** All ranks below one root, each with its neighbours up and down. */
public sealed interface Tree permits KnomialTree, Chain {
  /** Whom this rank hangs from; empty at the root. */
  OptionalInt parent();

  /** Who hangs from this rank, the deepest subtree first: the order to send in. */
  int[] children();
}
