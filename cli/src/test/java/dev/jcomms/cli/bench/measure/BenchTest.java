package dev.jcomms.cli.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jcomms.Collective;
import dev.jcomms.Comm;
import dev.jcomms.OpOptions;
import dev.jcomms.ReduceOp;
import dev.jcomms.Registration;
import dev.jcomms.Work;
import dev.jcomms.World;
import dev.jcomms.cli.bench.op.Operations;
import dev.jcomms.fake.FakeProvider;
import dev.jcomms.spi.Backend;
import dev.jcomms.spi.BackendProvider;
import dev.jcomms.spi.Backends;
import dev.jcomms.store.HashStore;
import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Device;
import dev.jcomms.tensor.Tensor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(120)
final class BenchTest {
  private static final Pace QUICK = new Pace(1, 2, Duration.ofMillis(1));

  /** The ranks are threads of one JVM, told to be something else. */
  @ParameterizedTest
  @CsvSource({
    "ranks_per_host=4, local, memory",
    "transport=shm,    shm,   memory",
    "transport=tcp,    tcp,   socket",
    "ranks_per_host=1, tcp,   socket",
    "ranks_per_host=2, mixed, socket",
  })
  void theTransportIsTheOneThatWasUsedAndDecidesTheLimit(
      String hint, String transport, String limit) throws Exception {
    String[] pair = hint.split("=");
    Plan plan = plan("all_reduce");
    List<Message> messages = new ArrayList<>();
    Witness witness = new Witness(Backends.get("jccl"));
    try (HashStore store = HashStore.create();
        Registration _ = Backends.register("jccl", witness);
        ExecutorService threads = Executors.newCachedThreadPool()) {
      List<Future<?>> ranks = new ArrayList<>();
      for (int r = 0; r < 4; r++) {
        Comm.Builder builder =
            Comm.newBuilder("jccl", Device.CPU).ranks(r, 4).store(store).hint(pair[0], pair[1]);
        int rank = r;
        ranks.add(
            threads.submit(
                () -> {
                  try (Comm comm = builder.build()) {
                    new RankBench(plan, comm, witness.of(rank), Map.of(), messages::add).run();
                  }
                }));
      }
      for (Future<?> rank : ranks) rank.get(60, TimeUnit.SECONDS);
    }
    assertThat(messages.getFirst())
        .isInstanceOfSatisfying(
            Message.Started.class,
            started -> {
              assertThat(started.transport()).isEqualTo(transport);
              assertThat(started.limit()).isEqualTo(limit);
            });
    assertThat(messages.getLast())
        .isInstanceOfSatisfying(
            Message.Measured.class,
            measured -> assertThat(measured.measurement().algorithm()).isNotEmpty());
  }

  /** It has the last word on its own results otherwise: they are gathered by it. */
  @Test
  void aBackendThatZeroesWhatItGathersIsFoundOut() {
    Backend zeroes =
        new Backend() {
          @Override
          public Set<Class<? extends Collective>> supports() {
            return Set.copyOf(Collective.kinds());
          }

          @Override
          public Work submit(Collective op, OpOptions options) {
            op.outputs().forEach(Tensor::zero);
            return Work.completed();
          }

          @Override
          public void close() {}
        };
    try (Registration _ = Backends.register("zeroes", new FakeProvider(_ -> zeroes))) {
      World.of(2)
          .backend("zeroes")
          .run(
              comm -> {
                List<Message> messages = new ArrayList<>();
                new RankBench(plan("all_reduce"), comm, zeroes, Map.of(), messages::add).run();
                if (comm.rank() > 0) return;
                assertThat(messages).hasSize(1 + 2 * 2);
                for (Message message : messages.subList(1, messages.size())) {
                  Measurement one = ((Message.Measured) message).measurement();
                  assertThat(one.wrong().orElseThrow()).isEqualTo(one.count());
                }
              });
    }
  }

  @Test
  void whatWasAskedOfABackendThatDoesNotTellIsNotSaidToBeTrue() {
    List<Message> messages = new ArrayList<>();
    BackendProvider before = Backends.get("fake");
    Bench.run(plan("broadcast", "cpu:fake", 2), Map.of(), messages::add);
    assertThat(messages.getFirst())
        .isEqualTo(new Message.Started(2, "fake " + before.version(), "", "memory"));
    assertThat(Backends.get("fake")).hasSameClassAs(before);
  }

  private static Plan plan(String op) {
    return plan(op, "", 0);
  }

  private static Plan plan(String op, String backend, int threads) {
    return new Plan(
        Operations.of(op),
        List.of(8L, 4096L),
        DType.F32,
        ReduceOp.SUM,
        0,
        backend,
        threads > 0 ? "local" : Plan.AUTO,
        false,
        Map.of(),
        "",
        threads,
        QUICK,
        true,
        true);
  }
}
