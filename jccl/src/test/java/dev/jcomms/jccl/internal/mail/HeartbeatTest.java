package dev.jcomms.jccl.internal.mail;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Who is called, and who is lost, on a clock of the test's own: in milliseconds, limit 5 s. */
final class HeartbeatTest {
  private final PipedCorrespondent peer =
      new PipedCorrespondent(
          0, 1, MemoryPipe.pair(1000)[0], new Guard(), null, new WindowBook(2), Arena.ofAuto());
  private final List<Long> calls = new ArrayList<>();
  private long now;

  /** From when on calls are answered. */
  private long answersFrom = Long.MAX_VALUE;

  private final Heartbeat heartbeat =
      new Heartbeat(
          Duration.ofSeconds(5),
          0,
          answered -> {
            calls.add(now);
            if (now >= answersFrom) {
              answered.run();
            }
          });

  /** Goes on until a time, or until the peer is lost. */
  private void runUntil(long end) {
    while (now < end && !peer.isOver()) {
      now += 10;
      heartbeat.keep(peer, now * 1_000_000, 0);
    }
  }

  @Test
  void nobodyIsCalledWhoseMailComes() {
    while (now < 20_000) {
      runUntil(now + 1000);
      heartbeat.heard(now * 1_000_000);
    }
    assertThat(calls).isEmpty();
  }

  @Test
  void whoDoesNotAnswerIsLostAtTheLimit() {
    runUntil(60_000);
    assertThat(now).isEqualTo(5000);
    assertThat(calls).hasSize(10).allMatch(at -> at >= 2500);
  }

  @Test
  void whoFallsSilentWithAnotherIsLostWithIt() {
    runUntil(3990);
    heartbeat.giveUpWithAnother(peer, now * 1_000_000);
    assertThat(peer.isOver()).as("heard of for long after the other").isFalse();
    runUntil(4000);
    heartbeat.giveUpWithAnother(peer, now * 1_000_000);
    assertThat(peer.isOver()).isTrue();
    assertThat(peer.lost()).hasMessageContaining("rank 1 is lost: not heard of for 4.0 s");
  }

  @Test
  void whoAnswersBeforeTheLimitIsNotLost() {
    answersFrom = 4500;
    runUntil(10_000);
    assertThat(peer.isOver()).isFalse();
    heartbeat.heard(now * 1_000_000);
    calls.clear();
    runUntil(12_000);
    assertThat(calls).isEmpty();
  }

  @Test
  void whoAnswersIsLostAllTheSameIfItsMailNeverComes() {
    answersFrom = 0;
    runUntil(60_000);
    assertThat(now).isEqualTo(15_000);
    assertThat(calls).hasSizeLessThan(10);
  }
}
