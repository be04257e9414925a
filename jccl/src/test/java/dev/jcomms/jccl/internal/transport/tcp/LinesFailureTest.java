package dev.jcomms.jccl.internal.transport.tcp;

import static dev.jcomms.jccl.internal.transport.tcp.Messages.meet;
import static dev.jcomms.jccl.internal.transport.tcp.Messages.memory;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jcomms.CommAbortedException;
import dev.jcomms.CommException;
import dev.jcomms.CommMismatchException;
import dev.jcomms.CommTimeoutException;
import dev.jcomms.PeerLostException;
import dev.jcomms.jccl.internal.transport.Deadline;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How operations end that cannot go on: ranks disagree, are late, are stopped or are gone. */
class LinesFailureTest {
  @Test
  void ranksThatDisagreeLearnWhoHasWhat() {
    List<Throwable> outcomes =
        TcpRanks.outcomes(
            2,
            Map.of(),
            rank -> {
              Lines lines = rank.lines();
              long count = 1000 + rank.rank();
              lines.operation(
                  3, count, rank.deadline(), () -> meet(lines, memory(true, 8), memory(true, 8)));
            });
    assertThat(outcomes)
        .allSatisfy(
            failure ->
                assertThat(failure)
                    .isInstanceOf(CommMismatchException.class)
                    .hasMessageContaining("rank 0 has")
                    .hasMessageContaining("rank 1 has"));
  }

  @Test
  void aMessageOfAnotherLengthIsADisagreement() {
    List<Throwable> outcomes =
        TcpRanks.outcomes(
            2,
            Map.of(),
            rank -> {
              Lines lines = rank.lines();
              long bytes = rank.rank() == 0 ? 100 : 300;
              lines.operation(
                  3,
                  0,
                  rank.deadline(),
                  () -> meet(lines, memory(true, bytes), memory(true, bytes)));
            });
    assertThat(outcomes.getFirst())
        .isInstanceOf(CommMismatchException.class)
        .hasMessageContaining("rank 0 expects 100 bytes of rank 1, which sends 300");
    assertThat(outcomes.getLast()).isInstanceOf(CommException.class);
  }

  @Test
  void ranksThatWaitPastEachOtherFindOutThatTheyDisagree() {
    // 0 waits for 1, 1 for 2, 2 for 0; nobody sends, so no message can tell.
    List<Throwable> outcomes =
        TcpRanks.outcomes(
            3,
            Map.of(),
            rank -> {
              Lines lines = rank.lines();
              int next = (rank.rank() + 1) % 3;
              lines.operation(
                  1, rank.rank(), rank.deadline(), () -> lines.await(lines.signalFrom(next)));
            });
    assertThat(outcomes)
        .allSatisfy(failure -> assertThat(failure).isInstanceOf(CommMismatchException.class));
  }

  @Test
  void theDeadlineNamesWhoIsMissingAndWhere() {
    CountDownLatch over = new CountDownLatch(1);
    List<Throwable> outcomes =
        TcpRanks.outcomes(
            2,
            Map.of(),
            rank -> {
              Lines lines = rank.lines();
              if (rank.rank() == 1) {
                assertThat(over.await(30, TimeUnit.SECONDS)).isTrue();
                return;
              }
              // Rank 1 is asked, and has to answer in that time.
              Deadline deadline = new Deadline(Duration.ofSeconds(5), rank.alarm());
              try {
                lines.operation(1, 1, deadline, () -> lines.await(lines.signalFrom(1)));
              } catch (CommTimeoutException e) {
                assertThat(e.missingRanks()).isEqualTo(Set.of(1));
                assertThat(e)
                    .hasMessageContaining("waiting for rank 1 at " + rank.fabric().address(1))
                    .hasMessageContaining("which has not come to it");
                throw e;
              } finally {
                over.countDown();
              }
            });
    assertThat(outcomes.getFirst()).isInstanceOf(CommTimeoutException.class);
    assertThat(outcomes.getLast()).isNull();
  }

  @Test
  void anAlarmEndsAWaitAtOnce() {
    CountDownLatch waiting = new CountDownLatch(1);
    List<Throwable> outcomes =
        TcpRanks.outcomes(
            2,
            Map.of(),
            rank -> {
              Lines lines = rank.lines();
              if (rank.rank() == 1) {
                assertThat(waiting.await(30, TimeUnit.SECONDS)).isTrue();
                rank.alarms().getFirst().raise(new CommAbortedException("enough"));
                return;
              }
              lines.operation(
                  1,
                  1,
                  rank.deadline(),
                  () -> {
                    waiting.countDown();
                    lines.await(lines.signalFrom(1));
                  });
            });
    assertThat(outcomes.getFirst())
        .isInstanceOf(CommAbortedException.class)
        .hasMessageContaining("enough");
  }

  @Test
  void anInterruptEndsAWaitAndTheConnectionOutlivesIt() {
    List<Throwable> outcomes =
        TcpRanks.outcomes(
            2,
            Map.of(),
            rank -> {
              Lines lines = rank.lines();
              int peer = 1 - rank.rank();
              lines.operation(
                  1, 1, rank.deadline(), () -> meet(lines, memory(true, 8), memory(true, 8)));
              if (rank.rank() == 0) {
                Thread.currentThread().interrupt();
                lines.operation(1, 1, rank.deadline(), () -> lines.await(lines.signalFrom(peer)));
              }
            });
    assertThat(outcomes.getFirst())
        .isInstanceOf(CommAbortedException.class)
        .hasMessageContaining("interrupted");
    assertThat(outcomes.getLast()).isNull();
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 4})
  void aPeerThatGoesAwayMidwayIsNamed(int n) {
    List<Throwable> outcomes =
        TcpRanks.outcomes(
            n,
            Map.of(),
            rank -> {
              Lines lines = rank.lines();
              int last = n - 1;
              lines.operation(
                  1,
                  1,
                  rank.deadline(),
                  () -> {
                    if (rank.rank() == last) {
                      for (int peer = 0; peer < last; peer++) {
                        lines.await(lines.signal(peer));
                      }
                      rank.fabric().close();
                    } else {
                      lines.await(lines.signalFrom(last));
                      lines.send(last, memory(false, 80 << 20), 0, 80 << 20);
                      lines.await(lines.signalFrom(last));
                    }
                  });
            });
    assertThat(outcomes.subList(0, n - 1))
        .allSatisfy(
            failure -> {
              assertThat(failure).isInstanceOf(PeerLostException.class);
              assertThat(((PeerLostException) failure).missingRanks()).isEqualTo(Set.of(n - 1));
            });
  }

  @Test
  void afterAFailureMidwayThereIsNoNextOperation() {
    TcpRanks.run(
        2,
        rank -> {
          Lines lines = rank.lines();
          if (rank.rank() == 0) {
            Deadline deadline = new Deadline(Duration.ofMillis(1), rank.alarm());
            Throwable[] thrown = new Throwable[2];
            for (int i = 0; i < 2; i++) {
              try {
                lines.operation(1, 1, deadline, () -> lines.await(lines.signalFrom(1)));
              } catch (CommException e) {
                thrown[i] = e;
              }
            }
            assertThat(thrown[0]).isInstanceOf(CommTimeoutException.class);
            assertThat(thrown[1]).isInstanceOf(CommAbortedException.class);
          }
        });
  }
}
