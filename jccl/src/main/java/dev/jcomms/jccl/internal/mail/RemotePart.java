package dev.jcomms.jccl.internal.mail;

import dev.jcomms.ReduceOp;
import dev.jcomms.tensor.Tensor;
import java.util.Optional;

/**
 * A rank's part of a window, as this rank reaches it. Each operation is a part of a job, done when
 * the tensor may be used again. Arguments have been checked. Any thread, outside the guard.
 *
 * <p>What one rank asks of another's part is done in the order it was asked.
 */
interface RemotePart {
  void put(Job job, Tensor tensor, long offset);

  void get(Job job, Tensor tensor, long offset);

  void accumulate(Job job, Tensor tensor, long offset, ReduceOp op);

  void signal(Job job);

  /** Done when everything asked before is in place. */
  void flush(Job job);

  /** Says that this rank has come to the next half of a fence. */
  void fence();

  /** Says that this rank deregisters the window. */
  void end();

  /** All ranks have come to both halves of a fence: what was asked before it is in place. */
  default void fenced() {}

  /** Its memory, where loads and stores reach it. */
  Optional<Tensor> memory();
}
