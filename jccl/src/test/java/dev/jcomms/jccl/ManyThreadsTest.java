package dev.jcomms.jccl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.jcomms.Collective;
import dev.jcomms.Comm;
import dev.jcomms.CommAbortedException;
import dev.jcomms.CommException;
import dev.jcomms.CommTimeoutException;
import dev.jcomms.FlightRecorder;
import dev.jcomms.Hook;
import dev.jcomms.OpOptions;
import dev.jcomms.ReduceOp;
import dev.jcomms.Work;
import dev.jcomms.World;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Threads of one rank that wait for messages on one communicator do not hold up each other. */
@Timeout(120)
class ManyThreadsTest {
  private static final int LARGE = 1 << 20;
  private static final int ROUNDS = 200;

  private static void run(String transport, World.Body body) {
    FaceRanks.run(
        2, Jccl.with(AlgorithmCollection.defaults()), Map.of("transport", transport), body);
  }

  /** Begins a receive on a thread of its own; returns when it waits. */
  private static CompletableFuture<Void> receiving(Comm comm, Tensor into, int tag) {
    int before = comm.flightRecorder().entries().size();
    CompletableFuture<Void> received =
        CompletableFuture.runAsync(
            () -> comm.recv(into, 1 - comm.rank(), tag), task -> Thread.ofPlatform().start(task));
    await(() -> comm.flightRecorder().entries().size() > before);
    return received;
  }

  private static void await(BooleanSupplier condition) {
    long deadline = System.nanoTime() + FaceRanks.DEADLINE.toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).isLessThan(deadline);
      Thread.onSpinWait();
    }
  }

  private static void join(CompletableFuture<Void> end) {
    end.orTimeout(FaceRanks.DEADLINE.toSeconds(), TimeUnit.SECONDS).join();
  }

  @ParameterizedTest
  @ValueSource(strings = {"local", "shm", "tcp"})
  void aReceiveThatWaitsLetsASendOfAnotherThreadPass(String transport) {
    run(
        transport,
        comm -> {
          for (int elements : new int[] {1, LARGE}) {
            Tensor in = Tensor.zeros(Shape.of(elements));
            CompletableFuture<Void> received = receiving(comm, in, 0);
            comm.send(Tensor.full(Shape.of(elements), 1 + comm.rank()), 1 - comm.rank());
            join(received);
            assertThat(in.getFloat(elements - 1)).isEqualTo(2 - comm.rank());
          }
          assertThat(comm.flightRecorder().entries())
              .hasSize(4)
              .allMatch(entry -> entry.state() == FlightRecorder.State.COMPLETED);
        });
  }

  @ParameterizedTest
  @ValueSource(strings = {"local", "shm", "tcp"})
  void aReceiveThatWaitsLetsCollectivesAndReceivesOfOtherThreadsPass(String transport) {
    run(
        transport,
        comm -> {
          Tensor late = Tensor.zeros(Shape.of(1));
          Tensor early = Tensor.zeros(Shape.of(1));
          CompletableFuture<Void> last = receiving(comm, late, 7);
          Tensor x = Tensor.full(Shape.of(100), 1);
          for (int i = 0; i < ROUNDS; i++) {
            comm.allReduce(x, ReduceOp.MAX);
            CompletableFuture<Void> first = receiving(comm, early, 1);
            comm.send(Tensor.full(Shape.of(1), i), 1 - comm.rank(), 1);
            join(first);
            assertThat(early.getFloat(0)).isEqualTo(i);
          }
          assertThat(last).isNotDone();
          comm.barrier(); // nobody has sent it yet
          comm.send(Tensor.full(Shape.of(1), 5), 1 - comm.rank(), 7);
          join(last);
          assertThat(late.getFloat(0)).isEqualTo(5);
        });
  }

  @ParameterizedTest
  @ValueSource(strings = {"local", "shm", "tcp"})
  void whatUsesTheSameTensorStillComesAfterTheReceive(String transport) {
    run(
        transport,
        comm -> {
          Tensor x = Tensor.zeros(Shape.of(LARGE));
          if (comm.rank() == 0) {
            CompletableFuture<Void> received = receiving(comm, x, 0);
            comm.allReduce(x, ReduceOp.SUM);
            join(received);
          } else {
            Thread.sleep(50);
            comm.send(Tensor.full(Shape.of(LARGE), 3), 0);
            comm.allReduce(x, ReduceOp.SUM);
          }
          assertThat(x.getFloat(LARGE - 1)).isEqualTo(3);
        });
  }

  @ParameterizedTest
  @ValueSource(strings = {"local", "shm", "tcp"})
  void closeWaitsForAReceiveOfAnotherThread(String transport) {
    run(
        transport,
        comm -> {
          Tensor x = Tensor.zeros(Shape.of(1));
          if (comm.rank() == 0) {
            CompletableFuture<Void> received = receiving(comm, x, 0);
            comm.close();
            join(received);
            assertThat(x.getFloat(0)).isEqualTo(3);
          } else {
            Thread.sleep(200);
            comm.send(Tensor.full(Shape.of(1), 3), 0);
          }
        });
  }

  @ParameterizedTest
  @ValueSource(strings = {"local", "shm", "tcp"})
  void abortEndsAllThatWait(String transport) {
    run(
        transport,
        comm -> {
          Tensor x = Tensor.zeros(Shape.of(1));
          Tensor y = Tensor.zeros(Shape.of(1));
          if (comm.rank() == 0) {
            CompletableFuture<Void> one = receiving(comm, x, 0);
            CompletableFuture<Void> other = receiving(comm, y, 1);
            comm.abort("enough");
            for (CompletableFuture<Void> end : List.of(one, other)) {
              assertThatThrownBy(() -> end.get(10, TimeUnit.SECONDS))
                  .hasCauseInstanceOf(CommAbortedException.class);
            }
          } else {
            assertThatThrownBy(() -> comm.recv(x, 0, OpOptions.timeout(Duration.ofSeconds(20))))
                .isInstanceOf(CommAbortedException.class);
          }
        });
  }

  @ParameterizedTest
  @ValueSource(strings = {"local", "shm", "tcp"})
  void aHookOfAReceiveThatHasWaitedMayNotWaitEither(String transport) {
    run(
        transport,
        comm -> {
          List<Throwable> refusals = new CopyOnWriteArrayList<>();
          comm.addHook(
              new Hook() {
                @Override
                public void after(Call call, Optional<RuntimeException> failure) {
                  if (call.op() instanceof Collective.Recv(_, _, int tag) && tag == 0) {
                    refusals.add(catchThrowable(comm::barrier));
                    refusals.add(catchThrowable(comm::close));
                    refusals.add(catchThrowable(() -> comm.recvAsync(any(), 1, 9).await()));
                  }
                }
              });
          Tensor x = Tensor.zeros(Shape.of(1));
          if (comm.rank() == 0) {
            CompletableFuture<Void> received = receiving(comm, x, 0);
            comm.barrier();
            join(received);
            assertThat(refusals).hasSize(3).allMatch(t -> t instanceof IllegalStateException);
          } else {
            comm.barrier(); // rank 0 waits by now
            comm.send(Tensor.full(Shape.of(1), 3), 0);
            comm.send(x, 0, 9);
          }
          comm.barrier();
        });
  }

  private static Tensor any() {
    return Tensor.zeros(Shape.of(1));
  }

  @ParameterizedTest
  @ValueSource(strings = {"local", "shm", "tcp"})
  void whoseTimeIsNotOverIsToldThatAnothersIs(String transport) {
    run(
        transport,
        comm -> {
          if (comm.rank() == 0) {
            CompletableFuture<Void> patient = receiving(comm, any(), 0);
            assertThatThrownBy(
                    () -> comm.recv(any(), 1, 1, OpOptions.timeout(Duration.ofMillis(300))))
                .isInstanceOf(CommTimeoutException.class)
                .hasMessageContaining("tag 1");
            assertThatThrownBy(() -> patient.get(10, TimeUnit.SECONDS))
                .cause()
                .isInstanceOf(CommAbortedException.class)
                .hasMessageContaining("recv #0")
                .hasMessageContaining("another operation of this rank failed")
                .hasMessageContaining("tag 1");
          } else {
            assertThatThrownBy(() -> comm.recv(any(), 0)).isInstanceOf(CommException.class);
          }
        });
  }

  @ParameterizedTest
  @ValueSource(strings = {"local", "shm", "tcp"})
  void manyReceivesMayBeUnderWay(String transport) {
    int many = 20_000;
    run(
        transport,
        comm -> {
          Tensor all = Tensor.zeros(Shape.of(many));
          List<Work> works = new ArrayList<>();
          for (int i = 0; i < many; i++) {
            works.add(comm.recvAsync(all.narrow(0, i, 1), 1 - comm.rank()));
          }
          for (int i = 0; i < many; i++) {
            works.add(comm.sendAsync(Tensor.full(Shape.of(1), i), 1 - comm.rank()));
          }
          works.forEach(Work::await);
          for (int i = 0; i < many; i++) {
            assertThat(all.getFloat(i)).isEqualTo(i);
          }
        });
  }
}
