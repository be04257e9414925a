package dev.jcomms.jccl.internal.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jcomms.CommException;
import dev.jcomms.PeerLostException;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Five ranks that reach each other by TCP; this is 0, and 1, 2 and 3 live on one machine. */
final class LossesTest {
  private static final Duration DEADLINE = Duration.ofSeconds(30);

  private final Alarm alarm = new Alarm(0);
  private final Map<Integer, Runnable> calls = new ConcurrentHashMap<>();
  private final Set<Integer> left = ConcurrentHashMap.newKeySet();
  private final Losses losses =
      new Losses(
          "losses",
          new Roster(0, Collections.nCopies(5, Peer.self()), Roster.Transport.TCP),
          alarm,
          (one, other) -> one / 4 == other / 4,
          (answered, peer) -> calls.put(peer, answered),
          peer -> !left.contains(peer));

  @AfterEach
  void close() {
    losses.close();
  }

  private static PeerLostException loss(int rank) {
    return new PeerLostException(Set.of(rank), "rank " + rank + " is lost: gone");
  }

  private CommException raised() throws Exception {
    CompletableFuture<CommException> raised = new CompletableFuture<>();
    alarm.listen(raised::complete);
    return raised.get(DEADLINE.toSeconds(), TimeUnit.SECONDS);
  }

  @Test
  void whoLivedAloneIsToldOfAtOnce() {
    alarm.lose(loss(4));
    assertThat(alarm.failure().missingRanks()).containsExactly(4);
    assertThat(calls).isEmpty();
  }

  @Test
  void oneIsToldOfWhenAllWhoLiveWithItHaveAnswered() throws Exception {
    alarm.lose(loss(1));
    assertThat(calls).containsOnlyKeys(2, 3);
    calls.values().forEach(Runnable::run);
    assertThat(raised().missingRanks()).containsExactly(1);
  }

  @Test
  void allAreToldOfThatAreLostBeforeTheyAnswer() throws Exception {
    alarm.lose(loss(3));
    calls.get(1).run();
    alarm.lose(loss(2));
    CommException failure = raised();
    assertThat(failure.missingRanks()).containsExactly(2, 3);
    assertThat(failure.detail()).isEqualTo("rank 3 is lost: gone; rank 2 is lost: gone");
  }

  @Test
  void whoNeitherAnswersNorIsLostIsNotAwaitedForLong() throws Exception {
    alarm.lose(loss(1));
    assertThat(raised().missingRanks()).containsExactly(1);
  }

  @Test
  void whoHasLeftIsNotCalled() {
    left.addAll(List.of(2, 3));
    alarm.lose(loss(1));
    assertThat(alarm.failure().missingRanks()).containsExactly(1);
  }

  @Test
  void whatIsKnownWithoutACallIsToldWithIt() {
    alarm.count(() -> List.of(loss(2), loss(4)));
    alarm.lose(loss(4));
    assertThat(alarm.failure().missingRanks()).containsExactly(2, 4);
    assertThat(alarm.elsewhere()).isSameAs(alarm.failure());
  }

  @Test
  void whoClosesTellsWhatItKnows() {
    alarm.lose(loss(1));
    losses.close();
    assertThat(alarm.failure().missingRanks()).containsExactly(1);
    assertThat(Thread.getAllStackTraces().keySet())
        .filteredOn(thread -> thread.getName().equals("losses"))
        .isEmpty();
  }
}
