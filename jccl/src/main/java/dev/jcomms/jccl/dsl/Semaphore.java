package dev.jcomms.jccl.dsl;

import dev.jcomms.jccl.plan.Op;
import java.util.List;

/**
 * A count that the thread blocks of one rank wait on. Made by {@link Rank#semaphore}; belongs to
 * the thread that defines the program. It is not reset between launches.
 */
public final class Semaphore {
  private final Recorder recorder;
  private final int rank;
  private final int id;

  Semaphore(Recorder recorder, int rank, int id) {
    this.recorder = recorder;
    this.rank = rank;
    this.id = id;
  }

  /** Waits until the count is above 0, and takes one. */
  public void acquire(On on) {
    checkOrdered("acquire", on);
    recorder.emitSync("acquire of rank " + rank, rank, on, _ -> new Op.Acquire(List.of(id)));
  }

  /** Adds one. */
  public void release(On on) {
    checkOrdered("release", on);
    recorder.emitSync("release of rank " + rank, rank, on, _ -> new Op.Release(List.of(id)));
  }

  private void checkOrdered(String op, On on) {
    if (on.ordering() == Op.Ordering.RELAXED) {
      throw recorder.error("%s of rank %d: only memory channels can be relaxed", op, rank);
    }
  }
}
