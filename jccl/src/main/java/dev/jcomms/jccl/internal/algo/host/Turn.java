package dev.jcomms.jccl.internal.algo.host;

import dev.jcomms.jccl.internal.transport.Deadline;
import dev.jcomms.jccl.internal.transport.shm.Floor;

/**
 * One operation's meetings on the floor: the facts it brings to each, and the time they may take.
 */
record Turn(Floor floor, long head, long count, Deadline deadline) {
  /** Publishes what this rank has written in the phase it began, and waits for all. */
  void meet() {
    floor.meet(head, count, deadline);
  }

  /** The first half of a {@link #meet}: publishes. */
  void offer() {
    floor.offer(head, count, deadline);
  }

  /** The second half: waits for all. */
  void await() {
    floor.await(head, count, deadline);
  }

  /** Meets once more with nothing to show: afterwards nobody reads this rank's memory any more. */
  void part() {
    floor.begin();
    meet();
  }

  /**
   * Meets after tensors of others were read where they are, unless a rank has failed: its tensors
   * may have been overwritten meanwhile. That is found before anybody is told that this rank has
   * done its part, so nobody takes what came of it.
   */
  void meetIntact() {
    floor.requireNoFailure();
    meet();
  }

  /** Parts after tensors of others were read where they are; see {@link #meetIntact}. */
  void partIntact() {
    floor.begin();
    meetIntact();
  }
}
