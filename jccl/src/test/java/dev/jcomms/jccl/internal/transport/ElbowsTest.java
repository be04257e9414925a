package dev.jcomms.jccl.internal.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** A rank that waits in every other phase, on a clock that turns alone move on. */
final class ElbowsTest {
  private static final long ALONE_NANOS = 300;
  private static final long SHARED_NANOS = 15_000;
  private static final int ENOUGH = 4;

  private final Made made = new Made();
  private final Elbows elbows = new Elbows(made);
  private long phase;

  private static final class Made implements Elbows.Scheduler {
    private long now = -1_000_000_000_000L;
    private long turn = SHARED_NANOS;
    private int moves;

    @Override
    public long nanoTime() {
      return now;
    }

    @Override
    public void yield() {
      now += turn;
    }

    @Override
    public void leave() {
      moves++;
    }
  }

  /** Turns that bring what is waited for, so many phases from each other. */
  private void turns(int count, int apart) {
    for (int i = 0; i < count; i++) {
      phase += apart;
      assertTrue(elbows.giveTurn(phase, () -> true));
    }
  }

  @Test
  void whoHasNotGivenTurnsSpins() {
    assertFalse(elbows.areInTheWay());
  }

  @Test
  void whoseTurnsHelpInEveryOtherPhaseSleepsOnce() {
    turns(ENOUGH - 1, 2);
    assertFalse(elbows.areInTheWay());
    turns(1, 2);
    assertTrue(elbows.areInTheWay());
    assertFalse(elbows.areInTheWay(), "and spins afterwards");
    assertEquals(0, made.moves);
  }

  @Test
  void whoIsCrowdedAgainSoonMoves() {
    turns(ENOUGH, 2);
    assertTrue(elbows.areInTheWay());
    turns(ENOUGH, 1);
    assertFalse(elbows.areInTheWay(), "it has moved, and may spin");
    assertEquals(1, made.moves);
  }

  @Test
  void whoIsCrowdedAgainMuchLaterSleeps() {
    turns(ENOUGH, 2);
    assertTrue(elbows.areInTheWay());
    made.now += 1_000_000_000;
    turns(ENOUGH, 2);
    assertTrue(elbows.areInTheWay());
    assertEquals(0, made.moves);
  }

  @Test
  void turnsThatHelpNowAndThenProveNothing() {
    turns(10 * ENOUGH, 3);
    assertFalse(elbows.areInTheWay());
  }

  @Test
  void aTurnThatNobodyTookProvesNothing() {
    made.turn = ALONE_NANOS;
    turns(10 * ENOUGH, 2);
    assertFalse(elbows.areInTheWay(), "what was waited for came from another processor");
  }

  @Test
  void aTurnInVainIsProofOfTheContrary() {
    turns(ENOUGH - 1, 2);
    assertFalse(elbows.giveTurn(++phase, () -> false));
    turns(ENOUGH - 1, 1);
    assertFalse(elbows.areInTheWay());
  }
}
