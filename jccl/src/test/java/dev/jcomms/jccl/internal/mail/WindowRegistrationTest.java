package dev.jcomms.jccl.internal.mail;

import static dev.jcomms.jccl.internal.mail.Windows.OPTIONS;
import static dev.jcomms.jccl.internal.mail.Windows.SHORT;
import static dev.jcomms.jccl.internal.mail.Windows.done;
import static dev.jcomms.jccl.internal.mail.Windows.failure;
import static dev.jcomms.jccl.internal.mail.Windows.filled;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jcomms.CommAbortedException;
import dev.jcomms.CommException;
import dev.jcomms.CommMismatchException;
import dev.jcomms.CommTimeoutException;
import dev.jcomms.OpOptions;
import dev.jcomms.Window;
import dev.jcomms.jccl.internal.transport.Roster.Transport;
import dev.jcomms.spi.WindowBackend.RegisteredWindow;
import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** How ranks come to a window together or fail to, whatever they are reached by. */
class WindowRegistrationTest {
  @AfterEach
  void noThreadIsLeft() {
    Rooms.assertNoThreadIsLeft();
  }

  @ParameterizedTest
  @EnumSource
  void partsMayHaveDifferentSizesAndWindowsAreIndependent(Transport transport) {
    int size = 3;
    Rooms.run(
        transport,
        size,
        (rank, room) -> {
          RegisteredWindow first = room.register(filled(3L * rank, -1), OPTIONS);
          Tensor memory = filled(5, -1);
          RegisteredWindow second = room.register(memory, OPTIONS);
          for (int r = 0; r < size; r++) {
            assertThat(first.attributes(r).elements()).isEqualTo(3L * r);
            boolean unified = transport == Transport.LOCAL || r == rank;
            assertThat(second.attributes(r).access())
                .isEqualTo(unified ? Window.Access.UNIFIED : Window.Access.SEPARATE);
          }
          done(second.put(filled(5, rank), (rank + 1) % size, 0, OPTIONS));
          first.close();
          done(second.fence(OPTIONS));
          assertThat(memory.toLongArray()).containsOnly((rank + size - 1) % size);
          second.close();
        });
  }

  @ParameterizedTest
  @EnumSource
  void dtypesThatDifferAreRefusedByAll(Transport transport) {
    int size = 3;
    Rooms.run(
        transport,
        size,
        (rank, room) -> {
          DType dtype = rank == 2 ? DType.F64 : DType.I64;
          CommException e = failure(() -> room.register(Tensor.zeros(dtype, Shape.of(4)), OPTIONS));
          assertThat(e).isInstanceOf(CommMismatchException.class).hasMessageContaining("f64");
        });
  }

  @ParameterizedTest
  @EnumSource
  void aRankThatDoesNotRegisterIsNamed(Transport transport) {
    OpOptions soon = OpOptions.timeout(Duration.ofSeconds(4));
    CyclicBarrier meet = new CyclicBarrier(2);
    try (Rooms rooms = Rooms.open(transport, 3)) {
      rooms.run(
          (rank, room) -> {
            if (rank != 1) {
              // Who came only when the other had given up would hear of that instead.
              meet.await(30, TimeUnit.SECONDS);
              CommException e = failure(() -> room.register(filled(1, 0), soon));
              assertThat(e).isInstanceOf(CommTimeoutException.class);
              assertThat(e.missingRanks()).containsExactly(1);
            }
          });
    }
  }

  /** It was announced, given up, and only then found by the other, who may not have heard. */
  @ParameterizedTest
  @EnumSource
  void aPartThatWasTakenBackIsReachedNoMore(Transport transport) {
    CountDownLatch timedOut = new CountDownLatch(1);
    CountDownLatch over = new CountDownLatch(1);
    try (Rooms rooms = Rooms.open(transport, 2)) {
      rooms.run(
          (rank, room) -> {
            if (rank == 0) {
              Tensor memory = filled(10, -1);
              assertThat(failure(() -> room.register(memory, SHORT))).isNotNull();
              timedOut.countDown();
              assertThat(over.await(30, TimeUnit.SECONDS)).isTrue();
              assertThat(memory.toLongArray()).containsOnly(-1);
            } else {
              assertThat(timedOut.await(30, TimeUnit.SECONDS)).isTrue();
              assertThat(
                      failure(
                          () -> {
                            RegisteredWindow window = room.register(filled(10, 0), OPTIONS);
                            done(window.put(filled(10, 7), 0, 0, OPTIONS));
                            done(window.flush(0, OPTIONS));
                          }))
                  .isNotNull();
              over.countDown();
            }
          });
    }
  }

  /** Who gives up, and tries again, is not taken to have come with the next window. */
  @ParameterizedTest
  @EnumSource
  void aWindowThatIsTriedAgainIsNotPairedWithAnother(Transport transport) {
    CountDownLatch timedOut = new CountDownLatch(1);
    try (Rooms rooms = Rooms.open(transport, 2)) {
      rooms.run(
          (rank, room) -> {
            if (rank == 0) {
              assertThat(failure(() -> room.register(filled(10, -1), SHORT))).isNotNull();
              timedOut.countDown();
              assertThat(
                      failure(
                          () -> {
                            RegisteredWindow again = room.register(filled(10, -1), OPTIONS);
                            done(again.put(filled(10, 7), 1, 0, OPTIONS));
                          }))
                  .isInstanceOf(CommTimeoutException.class);
            } else {
              assertThat(timedOut.await(30, TimeUnit.SECONDS)).isTrue();
              Tensor another = filled(10, 0);
              assertThat(
                      failure(
                          () -> {
                            room.register(filled(10, 0), OPTIONS);
                            room.register(another, OPTIONS);
                          }))
                  .isInstanceOf(CommAbortedException.class)
                  .hasMessageContaining("rank 0 has given up");
              assertThat(another.toLongArray()).containsOnly(0);
            }
          });
    }
  }
}
