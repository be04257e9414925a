package dev.jcomms.jccl.internal.algo.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jcomms.Collective;
import dev.jcomms.OpOptions;
import dev.jcomms.ReduceOp;
import dev.jcomms.jccl.internal.transport.Alarm;
import dev.jcomms.jccl.internal.transport.Aside;
import dev.jcomms.jccl.internal.transport.Deadline;
import dev.jcomms.jccl.internal.transport.shm.Floor;
import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A tensor whose memory was freed is refused, and nobody has heard of the operation. */
final class FreedTensorTest {
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final OpOptions DIRECT = OpOptions.hint("algorithm", "direct");
  private static final long STAGE = 64 << 10;

  private final MemorySegment memory = Arena.ofAuto().allocate(Floor.bytes(2, STAGE), 4096);
  private final Object[] shown = new Object[2];

  private static Tensor living(int elements) {
    return Tensor.full(Shape.of(elements), 1);
  }

  private static Tensor freed(int elements) {
    try (Arena arena = Arena.ofShared()) {
      return Tensor.wrap(arena.allocate(4L * elements, 64), DType.F32, Shape.of(elements));
    }
  }

  /** Rank 0's: what it gives, or what it takes, was freed. */
  static Stream<Collective> refused() {
    return Stream.of(
        new Collective.AllReduce(living(8), freed(8), ReduceOp.SUM),
        new Collective.AllReduce(freed(8), living(8), ReduceOp.SUM),
        new Collective.AllGatherSingle(living(16), freed(8)),
        new Collective.AllGatherSingle(freed(16), living(8)),
        new Collective.Broadcast(freed(8), 1),
        new Collective.ReduceScatterSingle(living(4), freed(8), ReduceOp.SUM),
        new Collective.ReduceScatterSingle(freed(4), living(8), ReduceOp.SUM));
  }

  private UnaryOperator<Collective> rank(int rank) {
    Alarm alarm = new Alarm(0);
    Floor floor = new Floor(memory, rank, List.of(0, 1), STAGE, alarm, new Aside(), () -> {});
    HostEngine engine = new HostEngine(floor, new LocalReach(floor, shown), true, null, null, 1);
    return op -> {
      engine.perform(op, DIRECT, new Deadline(PATIENCE, alarm));
      return op;
    };
  }

  @ParameterizedTest
  @MethodSource("refused")
  void whatWasFreedIsRefusedBeforeAnybodyHearsOfIt(Collective op) throws Exception {
    UnaryOperator<Collective> first = rank(0);
    UnaryOperator<Collective> second = rank(1);
    assertThatThrownBy(() -> first.apply(op))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("the tensor's memory was freed: its arena is closed");

    Tensor sum = living(8);
    CompletableFuture<Collective> other =
        CompletableFuture.supplyAsync(
            () -> second.apply(new Collective.AllReduce(living(8), living(8), ReduceOp.SUM)));
    first.apply(new Collective.AllReduce(sum, living(8), ReduceOp.SUM));
    other.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    assertThat(sum.toFloatArray()).containsOnly(2);
  }
}
