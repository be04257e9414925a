package dev.jcomms.jccl.internal.algo.message;

import dev.jcomms.jccl.internal.pattern.Chain;
import dev.jcomms.jccl.internal.pattern.KnomialTree;
import dev.jcomms.jccl.internal.pattern.Tree;

/** The trees that broadcasts and reductions run along. */
public enum TreeShape {
  BINOMIAL {
    @Override
    public Tree of(int rank, int size, int root) {
      return KnomialTree.binomial(rank, size, root);
    }
  },
  KNOMIAL {
    @Override
    public Tree of(int rank, int size, int root) {
      return new KnomialTree(rank, size, root, RADIX);
    }
  },
  CHAIN {
    @Override
    public Tree of(int rank, int size, int root) {
      return new Chain(rank, size, root);
    }
  };

  /** A message costs a rank some microseconds, a level of the tree a few times that. */
  private static final int RADIX = 4;

  private final String shapeName = name().toLowerCase(java.util.Locale.ROOT);

  /** A rank's place in the tree. */
  public abstract Tree of(int rank, int size, int root);

  /** As hints and records name it. */
  public String shapeName() {
    return shapeName;
  }
}
