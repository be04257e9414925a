package dev.jcomms.jccl.internal.algo.host;

import dev.jcomms.jccl.internal.transport.Deadline;
import dev.jcomms.jccl.internal.transport.shm.Floor;

/**
 * One operation's meetings on the floor: the facts it brings to each, and the time they may take.
 */
record Turn(Floor floor, long head, long count, Deadline deadline) {
  /** Begins the next phase. */
  void begin() {
    floor.begin(deadline);
  }

  /** Publishes what this rank has written in the phase it began, and waits for all. */
  void meet() {
    floor.meet(head, count, deadline);
  }

  /** Meets for what one rank gives, or all of them. */
  void hear(int giver) {
    if (giver == Move.ALL) {
      meet();
    } else {
      floor.hear(giver, head, count, deadline);
    }
  }

  /** Meets once more with nothing to show: afterwards nobody reads this rank's memory any more. */
  void part() {
    begin();
    meet();
  }
}
