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

  /** Meets once more with nothing to show: afterwards nobody reads this rank's memory any more. */
  void part() {
    floor.begin();
    meet();
  }
}
