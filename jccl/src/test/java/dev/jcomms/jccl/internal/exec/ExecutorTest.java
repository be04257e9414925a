package dev.jcomms.jccl.internal.exec;

import static dev.jcomms.jccl.dsl.On.on;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jcomms.CommMismatchException;
import dev.jcomms.jccl.dsl.Buffer;
import dev.jcomms.jccl.dsl.Chunk;
import dev.jcomms.jccl.dsl.CollectiveProgram;
import dev.jcomms.jccl.dsl.ProgramSpec;
import dev.jcomms.jccl.internal.JcclBackend;
import dev.jcomms.jccl.internal.transport.Alarm;
import dev.jcomms.jccl.internal.transport.Deadline;
import dev.jcomms.jccl.plan.Plan;
import dev.jcomms.jccl.plan.Protocol;
import dev.jcomms.store.HashStore;
import dev.jcomms.tensor.DType;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What holds for any plan, on one of our own: a one-shot LL all-reduce of two ranks. */
class ExecutorTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  /** What a rank does; what it throws is the test's. */
  private interface Body {
    void run(JcclBackend backend, int rank) throws Exception;
  }

  private static Plan plan(String reduceOp) throws IOException {
    try (InputStream in = ExecutorTest.class.getResourceAsStream("one_shot.json")) {
      String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      return Plan.read(text.replace("\"sum\"", "\"" + reduceOp + "\""));
    }
  }

  private static List<Throwable> ranks(Body body) throws Exception {
    List<Throwable> outcomes = new ArrayList<>();
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try (HashStore store = HashStore.create()) {
      List<Future<?>> futures = new ArrayList<>();
      for (int r = 0; r < 2; r++) {
        int rank = r;
        futures.add(
            threads.submit(
                () -> {
                  try (JcclBackend backend =
                      JcclBackend.open(Trial.context(rank, 2, store, Map.of(), TIMEOUT))) {
                    body.run(backend, rank);
                  }
                  return null;
                }));
      }
      for (Future<?> future : futures) {
        try {
          future.get(2 * TIMEOUT.toSeconds(), TimeUnit.SECONDS);
          outcomes.add(null);
        } catch (ExecutionException e) {
          outcomes.add(e.getCause());
        }
      }
    } finally {
      threads.shutdownNow();
    }
    return outcomes;
  }

  @ParameterizedTest
  @ValueSource(strings = {"sum", "min", "max"})
  void theReductionIsThePlans(String op) throws Exception {
    for (DType dtype : List.of(DType.I32, DType.F32, DType.BF16, DType.I64)) {
      Trial trial = ExecPlans.trial(plan(op), 4096, dtype, PacketType.LL8, Map.of());
      assertThat(trial.withThreads()).as("%s", dtype).isEmpty();
    }
  }

  @Test
  void sizesMayChangeFromLaunchToLaunch() throws Exception {
    Plan plan = plan("sum");
    List<Throwable> outcomes =
        ranks(
            (backend, rank) -> {
              PreparedPlan prepared = backend.executor().prepare(plan, 1 << 20, TIMEOUT);
              MemorySegment memory = Arena.ofAuto().allocate(1 << 20, 64);
              for (int i = 0; i < 200; i++) {
                MemorySegment x = memory.asSlice(0, 16L << i * 7 % 17);
                long last = x.byteSize() - 4;
                x.set(ValueLayout.JAVA_INT, 0, i);
                x.set(ValueLayout.JAVA_INT, last, i + rank);
                prepared.run(x, x, DType.I32, PacketType.LL16, backend.deadline(TIMEOUT));
                assertThat(x.get(ValueLayout.JAVA_INT, last)).isEqualTo(2 * i + 1);
              }
            });
    assertThat(outcomes).containsOnlyNulls();
  }

  /** What one size has as data lies where another has packets, and looks like those of launch 2. */
  @Test
  void dataOfAnEarlierSizeAreNotTakenForPackets() throws Exception {
    Plan plan =
        CollectiveProgram.define(
                ProgramSpec.test("both", 2, 4, 4).protocol(Protocol.LL),
                p -> {
                  Buffer scratch = p.rank(1).scratch(8);
                  p.rank(1).copy(p.rank(1).input().all(), scratch.slice(4, 8), on(0));
                  Chunk arrival = scratch.chunk(1);
                  p.memoryMesh().link(0, 1).putPackets(p.rank(0).input().chunk(0), arrival, on(0));
                  p.rank(1).unpackPackets(arrival, p.rank(1).output().chunk(0), on(0));
                })
            .plan();
    CountDownLatch first = new CountDownLatch(1);
    CountDownLatch waiting = new CountDownLatch(1);
    List<Throwable> outcomes =
        ranks(
            (backend, rank) -> {
              PreparedPlan prepared = backend.executor().prepare(plan, 512, TIMEOUT);
              for (int launch = 1; launch <= 2; launch++) {
                MemorySegment in = Arena.ofAuto().allocate(256 * launch, 64);
                MemorySegment out = Arena.ofAuto().allocate(256 * launch, 64);
                for (long i = 0; i < in.byteSize() / 4; i++) {
                  in.setAtIndex(ValueLayout.JAVA_INT, i, rank == 1 ? 2 : 70 + launch);
                }
                Alarm naps = new Alarm(0);
                if (launch == 2) {
                  if (rank == 0) {
                    first.countDown();
                    assertThat(waiting.await(TIMEOUT.toSeconds(), TimeUnit.SECONDS)).isTrue();
                  } else {
                    assertThat(first.await(TIMEOUT.toSeconds(), TimeUnit.SECONDS)).isTrue();
                    naps.watch(waiting::countDown);
                  }
                }
                Deadline deadline = new Deadline(TIMEOUT, naps);
                prepared.run(in, out, DType.I32, PacketType.LL16, deadline);
                if (rank == 1) {
                  if (launch == 2) {
                    waiting.countDown();
                  }
                  assertThat(out.get(ValueLayout.JAVA_INT, 0)).isEqualTo(70 + launch);
                }
              }
            });
    assertThat(outcomes).containsOnlyNulls();
  }

  @Test
  void inputsAreNotWrittenToThoughThePlanIsInPlace() throws Exception {
    Plan plan = plan("sum");
    List<Throwable> outcomes =
        ranks(
            (backend, rank) -> {
              PreparedPlan prepared = backend.executor().prepare(plan, 64, TIMEOUT);
              MemorySegment input = MemorySegment.ofArray(new int[16]).fill((byte) 1);
              MemorySegment output = MemorySegment.ofArray(new int[16]);
              prepared.run(input, output, DType.I32, PacketType.LL16, backend.deadline(TIMEOUT));
              assertThat(input.toArray(ValueLayout.JAVA_BYTE)).containsOnly(1);
              assertThat(output.toArray(ValueLayout.JAVA_BYTE)).containsOnly(2);
            });
    assertThat(outcomes).containsOnlyNulls();
  }

  @Test
  void aTimeoutNamesRankBlockOpAndWhatIsAwaited() throws Exception {
    Plan plan = plan("sum");
    CountDownLatch over = new CountDownLatch(1);
    List<Throwable> outcomes =
        ranks(
            (backend, rank) -> {
              PreparedPlan prepared = backend.executor().prepare(plan, 64, TIMEOUT);
              if (rank == 0) {
                over.await(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
                return;
              }
              try {
                MemorySegment x = Arena.ofAuto().allocate(64, 64);
                Duration soon = Duration.ofMillis(200);
                prepared.run(x, x, DType.I32, PacketType.LL16, backend.deadline(soon));
              } finally {
                over.countDown();
              }
            });
    assertThat(outcomes.get(1))
        .hasMessageContaining("rank 1 block 0 op 1 (repkt)")
        .hasMessageContaining("packets in its scratch");
  }

  @Test
  void ranksThatBringDifferentPlansLearnIt() throws Exception {
    List<Throwable> outcomes =
        ranks(
            (backend, rank) ->
                backend.executor().prepare(plan(rank == 0 ? "sum" : "max"), 64, TIMEOUT));
    assertThat(outcomes).allSatisfy(e -> assertThat(e).isInstanceOf(CommMismatchException.class));
  }

  @Test
  void aMessageLargerThanPreparedIsRefused() throws Exception {
    List<Throwable> outcomes =
        ranks(
            (backend, _) -> {
              PreparedPlan prepared = backend.executor().prepare(plan("sum"), 64, TIMEOUT);
              MemorySegment x = Arena.ofAuto().allocate(128, 64);
              prepared.run(x, x, DType.I32, PacketType.LL16, backend.deadline(TIMEOUT));
            });
    assertThat(outcomes)
        .allSatisfy(
            e -> assertThat(e).hasMessageContaining("prepared for messages up to 64 bytes"));
  }
}
