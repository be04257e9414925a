package dev.jcomms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jcomms.fake.FakeProvider;
import dev.jcomms.fake.FakeScript;
import dev.jcomms.spi.Backend;
import dev.jcomms.spi.BackendContext;
import dev.jcomms.spi.SymmetricBackend;
import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Core's part of symmetric memory; what the memory is like is the conformance kit's to check. */
class SymmetricTest {
  private static final Shape SHAPE = Shape.of(2, 3);

  private final FakeScript script = new FakeScript();
  private final List<String> calls = Collections.synchronizedList(new ArrayList<>());

  @Test
  void aTensorOfZerosLivesUntilTheCommIsClosed() {
    Comm comm = Fakes.alone(script);
    Tensor tensor = comm.symmetric(DType.F32, SHAPE);
    assertThat(tensor.shape()).isEqualTo(SHAPE);
    assertThat(tensor.toFloatArray()).containsOnly(0f);
    comm.allReduce(tensor, ReduceOp.SUM);
    comm.close();
    assertThatThrownBy(() -> tensor.getFloat(0, 0)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> comm.symmetric(DType.F32, SHAPE))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("comm 'main' is closed (rank 0 of 1)");
  }

  @Test
  void aBackendWithoutItIsRefusedWithWhatItHas() {
    try (Comm comm = Fakes.builder(Fakes.register(new Plain())).build()) {
      assertThatThrownBy(() -> comm.symmetric(DType.F32, SHAPE))
          .isInstanceOf(UnsupportedOperationException.class)
          .hasMessageMatching("backend 'fake-\\d+' has no symmetric memory; it has barrier");
    }
  }

  @Test
  void wrongArgumentsAreRefusedBeforeTheBackendIsAsked() {
    try (Comm comm = comm(_ -> null)) {
      assertThatThrownBy(() -> comm.symmetric(DType.F8E4M3, SHAPE))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageMatching(
              "symmetric: backend 'fake-\\d+' does not move f8e4m3; it moves \\[f32, i64\\]");
      assertThatThrownBy(() -> comm.symmetric(DType.I64, Shape.of(Long.MAX_VALUE)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("has more bytes than a long can count");
      assertThatThrownBy(() -> comm.symmetric(null, SHAPE))
          .isInstanceOf(NullPointerException.class);
      assertThat(calls).isEmpty();
    }
  }

  @Test
  void optionsReachTheBackendWithATimeoutInAnyCase() {
    try (Comm comm = comm(_ -> Tensor.zeros(SHAPE))) {
      comm.symmetric(DType.F32, SHAPE);
      comm.symmetric(DType.F32, SHAPE, OpOptions.timeout(Duration.ofSeconds(3)));
      assertThat(calls).containsExactly("PT20S", "PT3S");
    }
  }

  @Test
  void itIsNotRecorded() {
    try (Comm comm = Fakes.alone(script)) {
      CommGraph graph =
          comm.capture(
              () ->
                  assertThatThrownBy(() -> comm.symmetric(DType.F32, SHAPE))
                      .isInstanceOf(IllegalStateException.class)
                      .hasMessageStartingWith("comm 'main': symmetric inside a capture"));
      assertThat(graph.operations()).isEmpty();
    }
  }

  @Test
  void itHasItsTurnBehindWhatWasCalledBefore() throws Exception {
    CountDownLatch asked = new CountDownLatch(1);
    try (Comm comm =
        comm(
            _ -> {
              assertThat(script.submitted()).hasSize(1);
              return Tensor.zeros(SHAPE);
            })) {
      comm.addHook(
          new Hook() {
            @Override
            public void before(Call call) {
              try {
                assertThat(asked.await(20, TimeUnit.SECONDS)).isTrue();
              } catch (InterruptedException e) {
                throw new AssertionError(e);
              }
            }
          });
      Work work = comm.allReduceAsync(Tensor.ones(SHAPE), ReduceOp.SUM);
      Thread.ofVirtual().start(asked::countDown);
      assertThat(comm.symmetric(DType.F32, SHAPE)).isNotNull();
      work.await();
    }
  }

  @Test
  void failuresAreSitedAndThoseThatLeaveRanksOutOfStepPoison() {
    for (CommException failure :
        List.of(
            new CommMismatchException("rank 0 has 6, rank 1 has 7", Set.of(1)),
            new CommTimeoutException(Duration.ofSeconds(1), "waiting", Set.of(1)),
            new PeerLostException(Set.of(1), "gone"))) {
      Comm comm = comm(_ -> fail(failure));
      assertThatThrownBy(() -> comm.symmetric(DType.F32, SHAPE))
          .isInstanceOf(failure.getClass())
          .hasMessageContaining("symmetric #0 on comm 'main'");
      assertThat(comm.isAborted()).isTrue();
      assertThatThrownBy(() -> comm.symmetric(DType.F32, SHAPE)).isInstanceOf(CommException.class);
      assertThat(calls).as("the backend is not asked again").hasSize(1);
      calls.clear();
      comm.close();
    }
  }

  @Test
  void memoryThatIsNotThereFailsAndDoesNotPoison() {
    try (Comm comm = comm(_ -> fail(new IllegalStateException("no room in /dev/shm")))) {
      assertThatThrownBy(() -> comm.symmetric(DType.F32, SHAPE))
          .isInstanceOf(BackendException.class)
          .hasMessageContaining("symmetric #0 on comm 'main' failed (rank 0 of 1)")
          .hasMessageContaining("no room in /dev/shm");
      assertThat(comm.isAborted()).isFalse();
      comm.allReduce(Tensor.ones(SHAPE), ReduceOp.SUM);
    }
  }

  @Test
  void anAbortReachesABackendThatWaits() throws Exception {
    CountDownLatch inside = new CountDownLatch(1);
    try (Comm comm =
        comm(
            _ -> {
              inside.countDown();
              try {
                Thread.sleep(Duration.ofMinutes(1));
                throw new AssertionError("nobody came");
              } catch (InterruptedException e) {
                throw new CommAbortedException("interrupted", e);
              }
            })) {
      Thread.ofVirtual()
          .start(
              () -> {
                try {
                  assertThat(inside.await(20, TimeUnit.SECONDS)).isTrue();
                } catch (InterruptedException e) {
                  throw new AssertionError(e);
                }
                comm.abort("enough");
              });
      assertThatThrownBy(() -> comm.symmetric(DType.F32, SHAPE))
          .isInstanceOf(CommAbortedException.class)
          .hasMessageContaining("enough");
      assertThat(Thread.interrupted()).isFalse();
    }
  }

  private static Tensor fail(RuntimeException failure) {
    throw failure;
  }

  private Comm comm(Function<Shape, Tensor> memory) {
    return Fakes.builder(Fakes.register(new FakeProvider(context -> giving(memory, context))))
        .build();
  }

  /** One operation, no memory. */
  private static final class Plain implements Backend {
    @Override
    public Set<Class<? extends Collective>> supports() {
      return Set.of(Collective.Barrier.class);
    }

    @Override
    public Work submit(Collective op, OpOptions options) {
      return Work.completed();
    }

    @Override
    public void close() {}
  }

  /** The fake's operations, and memory as a test wants it; cannot be aborted. */
  private Backend giving(Function<Shape, Tensor> memory, BackendContext context) {
    Backend fake = new FakeProvider(script).open(context);
    return new SymmetricBackend() {
      @Override
      public Set<Class<? extends Collective>> supports() {
        return fake.supports();
      }

      @Override
      public Set<DType> dtypes() {
        return EnumSet.of(DType.F32, DType.I64);
      }

      @Override
      public Work submit(Collective op, OpOptions options) {
        return fake.submit(op, options);
      }

      @Override
      public Tensor symmetric(DType dtype, Shape shape, OpOptions options) {
        calls.add(options.timeout().orElseThrow().toString());
        return memory.apply(shape);
      }

      @Override
      public void close() {
        fake.close();
      }
    };
  }
}
