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
  private final Set<Integer> silent = ConcurrentHashMap.newKeySet();
  private final Losses losses =
      new Losses(
          "losses",
          new Roster(0, Collections.nCopies(5, Peer.self()), Roster.Transport.TCP),
          alarm,
          new View());

  private final class View implements Losses.View {
    @Override
    public boolean together(int one, int other) {
      return one / 4 == other / 4;
    }

    @Override
    public boolean takesPart(int peer) {
      return !left.contains(peer);
    }

    @Override
    public boolean isWell(int peer) {
      return !silent.contains(peer);
    }

    @Override
    public void call(int peer, Runnable answered) {
      calls.put(peer, answered);
    }
  }

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

  /** As rank 4 tells it. */
  private void hear(Integer... lost) {
    PeerLostException told = new PeerLostException(Set.of(lost), "not heard of");
    alarm.hear(4, told, told);
  }

  @Test
  void whoTellsOfTheLossOfARankThatAnswersIsTheOneThatIsLost() throws Exception {
    hear(2);
    assertThat(alarm.isRaised()).isFalse();
    calls.get(2).run();
    CommException failure = raised();
    assertThat(failure.missingRanks()).containsExactly(4);
    assertThat(failure)
        .hasMessageContaining("rank 4 has given up ranks [2], which are well here: not heard of");
    assertThat(alarm.elsewhere().missingRanks()).containsExactly(4);
    assertThat(alarm.isHeard()).isTrue();
  }

  /** A rank that was killed answers nobody; that its connection ends may be seen here later. */
  @Test
  void whoTellsOfADeathBeforeItIsSeenHereIsBelieved() throws Exception {
    hear(2);
    alarm.lose(loss(2));
    calls.get(1).run();
    calls.get(3).run();
    assertThat(raised().missingRanks()).containsExactly(2);
  }

  @Test
  void whoTellsOfARankThatDoesNotAnswerIsBelieved() throws Exception {
    hear(2);
    assertThat(raised().missingRanks()).containsExactly(2);
    assertThat(alarm.failure().detail()).isEqualTo("not heard of");
  }

  @Test
  void ofSeveralThoseAreLostThatDoNotAnswer() throws Exception {
    silent.add(1);
    hear(1, 2, 3);
    assertThat(calls).containsOnlyKeys(2, 3);
    calls.get(3).run();
    assertThat(raised().missingRanks()).containsExactly(1, 2);
  }

  @Test
  void whoIsNotHeardOfHereEitherOrHasLeftIsNotCalled() {
    silent.add(1);
    left.add(2);
    hear(1, 2);
    assertThat(alarm.failure().missingRanks()).containsExactly(1, 2);
    assertThat(calls).isEmpty();
  }

  @Test
  void whoHasGivenThisRankUpIsNamedAtOnce() {
    PeerLostException told = new PeerLostException(Set.of(4), "rank 4 has given this rank up");
    alarm.hear(4, told, told);
    assertThat(alarm.failure()).isSameAs(told);
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
