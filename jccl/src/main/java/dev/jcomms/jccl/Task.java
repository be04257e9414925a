package dev.jcomms.jccl;

import dev.jcomms.ReduceOp;
import dev.jcomms.tensor.Tensor;

/**
 * One operation as an {@link Algorithm} sees it on one rank: flat, contiguous tensors, one section
 * a rank where the collective has sections. Only while the operation is under way; one thread.
 */
public interface Task {
  /** What this rank gives, all of it; null where it gives nothing (a scatter, not at the root). */
  Tensor input();

  /** Where this rank's result goes, all of it; null where it gets none. */
  Tensor output();

  /** The section of the input that belongs to a rank, where there are sections; else the input. */
  Tensor input(int rank);

  /**
   * The section of the output that belongs to a rank, where there are sections; else the output.
   */
  Tensor output(int rank);

  /** How elements are combined; null where they are not. */
  ReduceOp op();

  /** The rank that differs from the others; -1 where none does. */
  int root();
}
