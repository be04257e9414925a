package dev.jcomms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jcomms.Collective.AllReduce;
import dev.jcomms.Collective.Barrier;
import dev.jcomms.Collective.Broadcast;
import dev.jcomms.fake.FakeProvider;
import dev.jcomms.fake.FakeScript;
import dev.jcomms.spi.Backend;
import dev.jcomms.spi.BackendContext;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Values as operations on tensors; what moves between ranks is the conformance kit's to check. */
class ObjectCollectivesTest {
  private final FakeScript script = new FakeScript();
  private final Tensor x = Tensor.ones(Shape.of(4));

  @Test
  void theRootsValueIsItsOwnAndOptionsReachEveryOperation() throws Exception {
    try (Comm comm = Fakes.alone(script)) {
      OpOptions options = OpOptions.timeout(Duration.ofSeconds(3)).withHint("k", "v");
      assertThat(comm.broadcastObject("hello", 0, Codecs.STRING, options)).isEqualTo("hello");
      assertThat(get(comm.broadcastObjectAsync("again", 0, Codecs.STRING, options)))
          .isEqualTo("again");
      assertThat(script.submitted())
          .hasSize(4)
          .allSatisfy(s -> assertThat(s.options()).isEqualTo(options));
    }
  }

  @Test
  void aValueMayChangeOnceTheCallHasReturned() throws Exception {
    CountDownLatch changed = new CountDownLatch(1);
    try (Comm comm = Fakes.alone(script)) {
      comm.addHook(
          new Hook() {
            @Override
            public void before(Call call) {
              await(changed);
            }
          });
      List<Object> value = new ArrayList<>(List.of(1L));
      CompletableFuture<Object> got = comm.broadcastObjectAsync(value, 0, Codecs.JSON);
      value.add(2L);
      changed.countDown();
      assertThat(get(got)).isEqualTo(List.of(1L));
    }
  }

  @Test
  void nothingComesBetweenTheOperationsOfAValue() throws Exception {
    CountDownLatch first = new CountDownLatch(1);
    CountDownLatch others = new CountDownLatch(1);
    try (Comm comm = Fakes.alone(script)) {
      comm.addHook(
          new Hook() {
            @Override
            public void before(Call call) {
              first.countDown();
              await(others);
            }
          });
      Thread blocking =
          Thread.ofPlatform().start(() -> comm.broadcastObject("a", 0, Codecs.STRING));
      await(first);
      Work reduced = comm.allReduceAsync(x, ReduceOp.SUM);
      CompletableFuture<String> value = comm.broadcastObjectAsync("b", 0, Codecs.STRING);
      Work met = comm.barrierAsync();
      others.countDown();
      reduced.await();
      met.await();
      assertThat(get(value)).isEqualTo("b");
      blocking.join();
      assertThat(script.submitted())
          .extracting(submitted -> (Object) submitted.op().getClass())
          .containsExactly(
              Broadcast.class,
              Broadcast.class,
              AllReduce.class,
              Broadcast.class,
              Broadcast.class,
              Barrier.class);
      assertThat(comm.flightRecorder().entries())
          .extracting(FlightRecorder.Entry::number)
          .as("one number a call")
          .containsExactly(0L, 0L, 1L, 2L, 2L, 3L);
    }
  }

  @Test
  void aBlockingCallThatHadToQueueReturnsItsValue() throws Exception {
    script.delay(AllReduce.class, Duration.ofMillis(20));
    CountDownLatch queued = new CountDownLatch(1);
    try (Comm comm = Fakes.alone(script)) {
      comm.addHook(
          new Hook() {
            @Override
            public void before(Call call) {
              await(queued);
            }
          });
      comm.allReduceAsync(x, ReduceOp.SUM);
      Thread.ofVirtual().start(queued::countDown);
      assertThat(comm.broadcastObject("mine", 0, Codecs.STRING)).isEqualTo("mine");
    }
  }

  @Test
  void whatDependsOnAValueMayCallTheNextOperation() throws Exception {
    try (Comm comm = Fakes.alone(script)) {
      CompletableFuture<String> twice =
          comm.broadcastObjectAsync("a", 0, Codecs.STRING)
              .thenApply(value -> comm.broadcastObject(value + value, 0, Codecs.STRING));
      assertThat(get(twice)).isEqualTo("aa");
    }
  }

  @Test
  void anAbortReachesAValueUnderWayAndOneThatIsQueued() {
    script.hangOnce(Broadcast.class);
    try (Comm comm = Fakes.alone(script)) {
      CompletableFuture<String> running = comm.broadcastObjectAsync("a", 0, Codecs.STRING);
      CompletableFuture<Void> queued =
          comm.gatherObjectAsync("b", 0, Codecs.STRING).thenAccept(_ -> {});
      comm.abort("enough");
      assertThatThrownBy(() -> get(running))
          .cause()
          .isInstanceOf(CommAbortedException.class)
          .hasMessageFindingMatch("broadcast(_object)? #0") // whoever tells it first
          .hasMessageContaining("enough");
      assertThatThrownBy(() -> get(queued)).cause().isInstanceOf(CommAbortedException.class);
    }
  }

  @Test
  void aDeadlineReachesTheFuture() {
    script.hangOnce(Broadcast.class);
    try (Comm comm = Fakes.alone(script)) {
      OpOptions options = OpOptions.timeout(Duration.ofMillis(50));
      assertThatThrownBy(() -> get(comm.broadcastObjectAsync("a", 0, Codecs.STRING, options)))
          .cause()
          .isInstanceOf(CommTimeoutException.class)
          .hasMessageContaining("broadcast #0 on comm 'main' timed out after 0.050 s");
      assertThat(comm.isAborted()).isTrue();
    }
  }

  @Test
  void whatIsWrongWithAnArgumentIsSaidByTheCallItself() {
    try (Comm comm = Fakes.alone(script)) {
      assertThatThrownBy(() -> comm.scatterObject(List.of("a", "b"), 0, Codecs.STRING))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("scatter_object: values has size=2; the comm has size=1");
      assertThatThrownBy(() -> comm.broadcastObjectAsync("a", 1, Codecs.STRING))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("broadcast: root=1 is not a rank of comm 'main' (size 1)");
      assertThatThrownBy(() -> comm.gatherObjectAsync("a", 1, Codecs.STRING))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("gather: root=1 is not a rank of comm 'main' (size 1)");
      assertThatThrownBy(() -> comm.sendObjectAsync("a", 0, Codecs.STRING))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("send: dst=0 is this rank itself");
      assertThatThrownBy(() -> comm.recvObjectAsync(3, Codecs.STRING))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> comm.allGatherObjectAsync(new Object(), Codecs.JSON))
          .isInstanceOf(IllegalArgumentException.class);
      assertThat(script.submitted()).isEmpty();
    }
  }

  @Test
  void whatABackendLacksIsSaidBeforeAnythingMoves() {
    try (Comm comm = Fakes.builder(Fakes.register(new FakeProvider(this::gathering))).build()) {
      assertThatThrownBy(() -> comm.allGatherObject("a", Codecs.STRING))
          .isInstanceOf(UnsupportedOperationException.class)
          .hasMessageContaining("has no all_gather_v; it has all_gather_single");
      assertThat(script.submitted()).isEmpty();
    }
  }

  /** The others wait for the bytes. */
  @Test
  void aLengthThatCannotBeEndsTheCommunicator() {
    Backend liar =
        new Backend() {
          @Override
          public Set<Class<? extends Collective>> supports() {
            return Set.of(Broadcast.class);
          }

          @Override
          public Work submit(Collective op, OpOptions options) {
            op.outputs().getFirst().setLong(-1, 0);
            return Work.completed();
          }

          @Override
          public void close() {}
        };
    try (Comm comm = Fakes.oneOf(2, 0, Fakes.register(liar))) {
      assertThatThrownBy(() -> comm.broadcastObject(null, 1, Codecs.STRING))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("bytes=-1");
      assertThat(comm.isAborted()).isTrue();
      assertThatThrownBy(() -> comm.broadcast(x, 0))
          .isInstanceOf(CommAbortedException.class)
          .hasMessageContaining("broadcast_object ended between its parts");
    }
  }

  @Test
  void valuesAreNotRecorded() {
    try (Comm comm = Fakes.alone(script)) {
      List<Runnable> calls =
          List.of(
              () -> comm.broadcastObject("a", 0, Codecs.STRING),
              () -> comm.broadcastObjectAsync("a", 0, Codecs.STRING),
              () -> comm.allGatherObjectAsync("a", Codecs.STRING));
      CommGraph graph =
          comm.capture(
              () -> {
                comm.barrier();
                for (Runnable call : calls) {
                  assertThatThrownBy(call::run)
                      .isInstanceOf(IllegalStateException.class)
                      .hasMessageMatching(
                          "comm 'main': (broadcast|all_gather)_object inside a capture;"
                              + " only operations on tensors can be recorded");
                }
              });
      assertThat(graph.operations()).hasSize(1);
    }
  }

  @Test
  void refusalsAndCodecsFailTheFutureAsTheyFailTheCall() {
    try (Comm comm = Fakes.alone(script)) {
      Codec<String> bad =
          new Codec<>() {
            @Override
            public byte[] encode(String value) {
              return new byte[] {1};
            }

            @Override
            public String decode(byte[] bytes) {
              throw new IllegalArgumentException("not mine");
            }
          };
      assertThatThrownBy(() -> comm.broadcastObject("a", 0, bad)).hasMessage("not mine");
      assertThatThrownBy(() -> get(comm.broadcastObjectAsync("a", 0, bad)))
          .cause()
          .hasMessage("not mine");
      comm.addHook(
          new Hook() {
            @Override
            public void before(Call call) {
              throw new SecurityException("no values here");
            }
          });
      assertThatThrownBy(() -> get(comm.broadcastObjectAsync("a", 0, Codecs.STRING)))
          .cause()
          .isInstanceOf(SecurityException.class)
          .hasMessage("no values here");
    }
  }

  @Test
  void closeWaitsForAValueOnItsWayAndRefusesTheNext() throws Exception {
    script.delay(Broadcast.class, Duration.ofMillis(50));
    Comm comm = Fakes.alone(script);
    CompletableFuture<String> value = comm.broadcastObjectAsync("a", 0, Codecs.STRING);
    comm.close();
    assertThat(get(value)).isEqualTo("a");
    assertThatThrownBy(() -> comm.broadcastObjectAsync("a", 0, Codecs.STRING))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("comm 'main' is closed (rank 0 of 1)");
  }

  private static <T> T get(CompletableFuture<T> future) throws Exception {
    return future.get(20, TimeUnit.SECONDS);
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(20, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** A fake with one operation. */
  private Backend gathering(BackendContext context) {
    Backend fake = new FakeProvider(script).open(context);
    return new Backend() {
      @Override
      public Set<Class<? extends Collective>> supports() {
        return Set.of(Collective.AllGatherSingle.class);
      }

      @Override
      public Work submit(Collective op, OpOptions options) {
        return fake.submit(op, options);
      }

      @Override
      public void close() {
        fake.close();
      }
    };
  }
}
