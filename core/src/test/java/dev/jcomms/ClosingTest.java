package dev.jcomms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jcomms.fake.FakeScript;
import dev.jcomms.spi.Backend;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What meets a communicator that is being closed. */
@Timeout(60)
class ClosingTest {
  private final Tensor x = Tensor.ones(Shape.of(4));

  private static Thread closing(Comm comm) throws InterruptedException {
    Thread closer = Thread.ofPlatform().start(comm::close);
    Parked.await(closer);
    return closer;
  }

  @Test
  void anAbortEndsItsWait() throws Exception {
    Occupied backend = new Occupied();
    Comm comm = backend.open();
    Work work = comm.allReduceAsync(x, ReduceOp.SUM);
    backend.awaitInside();
    Thread closer = closing(comm);
    comm.abort("enough");
    assertThat(closer.join(Duration.ofSeconds(15))).isTrue();
    assertThat(work.failure()).containsInstanceOf(CommAbortedException.class);
    assertThatThrownBy(() -> comm.abort("again")).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void nothingIsAbortedIfNothingIsOnItsWayWhoeverIsInterrupted() {
    Occupied backend = new Occupied();
    Comm comm = backend.open();
    Thread.currentThread().interrupt();
    comm.close();
    assertThat(Thread.interrupted()).isTrue();
    assertThat(backend.wasAborted).isFalse();
    assertThat(backend.insideAtClose).isZero();
  }

  /** Makes a call take its time before it comes to its turn. */
  private static final class Slow implements Codec<String> {
    final CountDownLatch begun = new CountDownLatch(1);
    final CountDownLatch goOn = new CountDownLatch(1);

    @Override
    public byte[] encode(String value) {
      begun.countDown();
      try {
        assertThat(goOn.await(20, TimeUnit.SECONDS)).isTrue();
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
      return Codecs.STRING.encode(value);
    }

    @Override
    public String decode(byte[] bytes) {
      return Codecs.STRING.decode(bytes);
    }
  }

  @Test
  void aCallThatEntersMeanwhileHasItsTime() throws Exception {
    Occupied backend = new Occupied(true);
    Comm comm = backend.open();
    Slow codec = new Slow();
    Work work = comm.allReduceAsync(x, ReduceOp.SUM);
    backend.awaitInside();
    comm.monitoredBarrier(Duration.ofSeconds(20)); // in its turn: the operation goes on by itself
    CompletableFuture<String> value =
        CompletableFuture.supplyAsync(() -> comm.broadcastObject("late", 0, codec));
    assertThat(codec.begun.await(20, TimeUnit.SECONDS)).isTrue();
    Thread closer = closing(comm);
    codec.goOn.countDown();
    backend.awaitInside(); // the first part of the value
    backend.release(Collective.AllReduce.class);
    work.await(Duration.ofSeconds(20));
    assertThat(closer.join(Duration.ofMillis(1500))).isFalse();
    backend.release(Collective.Broadcast.class);
    backend.release(Collective.Broadcast.class);
    assertThat(value.get(20, TimeUnit.SECONDS)).isEqualTo("late");
    assertThat(closer.join(Duration.ofSeconds(15))).isTrue();
    assertThat(backend.wasAborted).isFalse();
    assertThat(backend.insideAtClose).isZero();
  }

  @Test
  void aCallThatComesTooLateIsRefusedAndHarmsNobody() throws Exception {
    FakeScript script = new FakeScript();
    Comm comm = Fakes.oneOf(2, 0, script);
    Slow codec = new Slow();
    CompletableFuture<String> value =
        CompletableFuture.supplyAsync(() -> comm.broadcastObject("late", 0, codec));
    assertThat(codec.begun.await(20, TimeUnit.SECONDS)).isTrue();
    comm.close();
    codec.goOn.countDown();
    assertThatThrownBy(() -> value.get(20, TimeUnit.SECONDS))
        .isInstanceOf(ExecutionException.class)
        .cause()
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("is closed");
    assertThat(comm.isAborted()).isFalse();
  }

  @Test
  void aBackendThatBreaksInItsCloseLeavesNobodyWaiting() {
    Backend broken =
        new Backend() {
          @Override
          public Set<Class<? extends Collective>> supports() {
            return Set.of(Collective.AllReduce.class);
          }

          @Override
          public Work submit(Collective op, OpOptions options) {
            return Work.completed();
          }

          @Override
          public void close() {
            throw new AssertionError("broken");
          }
        };
    Comm comm = Fakes.builder(Fakes.register(broken)).build();
    comm.close();
    comm.close();
    CompletableFuture<Void> another = CompletableFuture.runAsync(comm::close);
    assertThat(another).succeedsWithin(20, TimeUnit.SECONDS);
  }
}
