package dev.jcomms.jccl.internal.transport.tcp;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Which of all ranks have come to an operation, for engines of several parts: whoever waits in one
 * of them knows only whom it waits for, and that one may wait itself, in another. Of the thread
 * that performs operations.
 */
public final class RollCall {
  /** In place of an engine's group: that of all ranks, whichever engines they are in. */
  private static final int GROUP = Integer.MAX_VALUE;

  private static final int MOST_ASKED = 64;
  private static final Duration PATIENCE = Duration.ofMillis(300);

  private final Switchboard switchboard;
  private final List<Integer> others;
  private final Logbook logbook = new Logbook();
  private long sequence = -1;

  RollCall(Switchboard switchboard, Set<Integer> others) {
    this.switchboard = switchboard;
    this.others = others.stream().sorted().limit(MOST_ASKED).toList();
    switchboard.publish(GROUP, logbook);
  }

  /** This rank has come to the next operation. */
  public void come(long head, long count) {
    sequence++;
    logbook.note(sequence, head, count);
  }

  /**
   * Asks the others: those who have not come to the latest operation of this rank; if all have who
   * answer, those who do not answer, but for those who have taken leave. Takes a moment.
   */
  public Set<Integer> absent() {
    Notice about = new Notice(sequence, 0, 0);
    Set<Integer> silent = new ConcurrentSkipListSet<>(others);
    Set<Integer> notCome = new ConcurrentSkipListSet<>();
    CountDownLatch open = new CountDownLatch(others.size());
    for (int peer : others) {
      switchboard.ask(
          peer,
          GROUP,
          about,
          answer -> {
            if (answer.sequence() < about.sequence()) {
              notCome.add(peer);
            }
            silent.remove(peer);
            open.countDown();
          });
    }
    try {
      open.await(PATIENCE.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // somebody is in a hurry: what is known will do
    }
    Set<Integer> absent = new TreeSet<>(notCome.isEmpty() ? silent : notCome);
    absent.removeIf(peer -> switchboard.left(peer) != null);
    return absent;
  }
}
