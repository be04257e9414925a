package dev.jcomms.jccl.internal.exec;

import dev.jcomms.BackendException;
import dev.jcomms.CommException;
import dev.jcomms.PeerLostException;
import dev.jcomms.jccl.internal.transport.Alarm;
import dev.jcomms.jccl.internal.transport.shm.Floor;
import dev.jcomms.jccl.internal.transport.shm.Standings;
import java.util.BitSet;
import java.util.Set;

/**
 * A rank among those of its host, who touch each other's input and output where they are: those are
 * their callers' again when a call ends, also when it fails. One launch at a time.
 */
final class Neighbours {
  private final PlanMemory memory;
  private final Alarm alarm;
  private final Floor floor;
  private final boolean anyTouched;
  private final BitSet touchers = new BitSet();

  /**
   * @param floor null if the rank is alone on its host
   */
  Neighbours(PlanMemory memory, Exposure exposure, int rank, Alarm alarm, Floor floor) {
    this.memory = memory;
    this.alarm = alarm;
    this.floor = floor;
    this.anyTouched = exposure.any();
    for (int by = 0; by < memory.ranks(); by++) {
      touchers.set(by, !memory.isFar(by) && exposure.touches(rank, by));
    }
  }

  /**
   * Fails if a rank has failed whose input or output somebody touches: it may have been overwritten
   * before it was read, here or by a rank that has passed on what came of it. Before this rank says
   * that it is through: those of other hosts take its word for it.
   */
  void requireNoFailure() {
    if (anyTouched && floor != null) {
      floor.standings().requireNoFailure();
    }
  }

  /**
   * Says that this rank has failed, before its call ends, and waits until nobody touches its input
   * and output any more: not for long, should a rank be slow.
   *
   * @param shown the launch that they were shown for; 0 if they were not
   */
  void fail(String plan, Throwable thrown, long shown) {
    CommException failure =
        thrown instanceof CommException known
            ? known
            : new BackendException("plan '" + plan + "': " + thrown, thrown);
    alarm.raise(failure);
    if (floor != null) {
      floor.standings().fail(failure, true);
    }
    memory.leave();
    if (shown != 0) {
      memory.withdraw(shown);
      awaitTouchers(
          shown, failure instanceof PeerLostException ? failure.missingRanks() : Set.of());
    }
  }

  private void awaitTouchers(long launch, Set<Integer> lost) {
    long start = System.nanoTime();
    for (int peer = touchers.nextSetBit(0); peer >= 0; peer = touchers.nextSetBit(peer + 1)) {
      while (!lost.contains(peer)
          && memory.finished(peer) < launch
          && !memory.hasLeft(peer)
          && System.nanoTime() - start < Standings.LAST_NANOS) {
        Thread.yield();
      }
    }
  }
}
