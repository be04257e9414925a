package dev.jcomms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jcomms.fake.FakeScript;
import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Wrong arguments are told before anything moves: nothing reaches the backend. Rank 1 of 3 speaks.
 */
class ArgumentChecksTest {
  private static final Tensor FOUR = Tensor.zeros(Shape.of(4));
  private static final Tensor SIX = Tensor.zeros(Shape.of(6));
  private static final Tensor TWELVE = Tensor.zeros(Shape.of(12));
  private static final Tensor INTS = Tensor.zeros(DType.I32, Shape.of(4));
  private static final Tensor STRIDED = Tensor.zeros(Shape.of(4, 4)).t();
  private static final Tensor READ_ONLY =
      Tensor.wrap(Arena.global().allocate(16).asReadOnly(), DType.F32, Shape.of(4));
  private static final ReduceOp SUM = ReduceOp.SUM;

  static Stream<Arguments> wrong() {
    return Stream.of(
        of("send: dst=3 is not a rank of comm 'main' (size 3)", c -> c.send(FOUR, 3)),
        of("send: dst=-1 is not a rank of comm 'main' (size 3)", c -> c.send(FOUR, -1)),
        of("send: dst=1 is this rank itself", c -> c.send(FOUR, 1)),
        of("recv: src=1 is this rank itself", c -> c.recv(FOUR, 1)),
        of("recv: src=9 is not a rank", c -> c.recv(FOUR, 9)),
        of("recv: tensor is read-only", c -> c.recv(READ_ONLY, 0)),
        of("send: tag=-1 is negative", c -> c.send(FOUR, 0, -1)),
        of("send: tensor is null", c -> c.send(null, 0)),
        of("send: tensor is not contiguous: shape=[4, 4], strides=[1, 4]", c -> c.send(STRIDED, 0)),
        of("broadcast: root=3 is not a rank", c -> c.broadcast(FOUR, 3)),
        of("broadcast: tensor is read-only", c -> c.broadcast(READ_ONLY, 0)),
        of("all_reduce: tensor is read-only", c -> c.allReduce(READ_ONLY, SUM)),
        of("all_reduce: the reduce op is null", c -> c.allReduce(FOUR, null)),
        of(
            "all_reduce: reduce op BAND needs an integer dtype; tensor is f32",
            c -> c.allReduce(FOUR, ReduceOp.BAND)),
        of(
            "reduce op PREMUL_SUM needs a floating dtype",
            c -> c.allReduce(INTS, ReduceOp.premulSum(2))),
        of(
            "needs a dtype other than f8",
            c -> c.allReduce(Tensor.zeros(DType.F8E4M3, Shape.of(4)), SUM)),
        of(
            "all_reduce: output has dtype=f32, input has dtype=i32",
            c -> c.allReduce(FOUR, INTS, SUM)),
        of("all_reduce: output has elements=6; input makes it 4", c -> c.allReduce(SIX, FOUR, SUM)),
        of("reduce: root=-1 is not a rank", c -> c.reduce(FOUR, -1, SUM)),
        of(
            "all_gather: outputs has length=2; comm 'main' has size=3",
            c -> c.allGather(List.of(FOUR, FOUR), FOUR)),
        of(
            "all_gather: outputs has elements=6; input makes it 4",
            c -> c.allGather(List.of(FOUR, SIX, FOUR), FOUR)),
        of(
            "all_gather: outputs[2] has dtype=i32",
            c -> c.allGather(List.of(FOUR, FOUR, INTS), FOUR)),
        of(
            "all_gather_v: outputs[1] has elements=6; input makes it 4",
            c -> c.allGatherV(List.of(FOUR, SIX, FOUR), FOUR)),
        of(
            "all_gather_single: output has elements=6; size x input makes it 12",
            c -> c.allGatherSingle(SIX, FOUR)),
        of("reduce_scatter: inputs has length=1", c -> c.reduceScatter(FOUR, List.of(FOUR), SUM)),
        of(
            "reduce_scatter_v: inputs[1] has elements=6",
            c -> c.reduceScatterV(FOUR, List.of(FOUR, SIX, FOUR), SUM)),
        of(
            "reduce_scatter_single: input has elements=6",
            c -> c.reduceScatterSingle(FOUR, SIX, SUM)),
        of("all_to_all: outputs has length=0", c -> c.allToAll(List.of(), List.of())),
        of(
            "all_to_all_single: input has elements=4, not a multiple of size=3",
            c -> c.allToAllSingle(FOUR, FOUR)),
        of(
            "all_to_all_single: output has elements=6; input makes it 12",
            c -> c.allToAllSingle(SIX, TWELVE)),
        of(
            "outputSplits=[1, 1, 1] adds up to rows=3; output has rows=6",
            c -> c.allToAllVSingle(SIX, SIX, List.of(1L, 1L, 1L), List.of(2L, 2L, 2L))),
        of(
            "inputSplits=[7, -1, 0] has a negative or null entry",
            c -> c.allToAllVSingle(SIX, SIX, List.of(2L, 2L, 2L), List.of(7L, -1L, 0L))),
        of(
            "outputSplits has length=2",
            c -> c.allToAllVSingle(SIX, SIX, List.of(3L, 3L), List.of(2L, 2L, 2L))),
        of(
            "what a rank sends itself must fit",
            c -> c.allToAllVSingle(SIX, SIX, List.of(1L, 4L, 1L), List.of(2L, 2L, 2L))),
        of(
            "a row of output has elements=0, of input elements=2",
            c ->
                c.allToAllVSingle(
                    Tensor.zeros(Shape.of(3, 0)),
                    Tensor.zeros(Shape.of(3, 2)),
                    List.of(1L, 1L, 1L),
                    List.of(1L, 1L, 1L))),
        of(
            "all_gather: outputs[1] is null",
            c -> c.allGather(java.util.Arrays.asList(FOUR, null, FOUR), FOUR)),
        of(
            "the sizes do not fit 64 bits",
            c -> c.allToAllVSingle(SIX, SIX, List.of(Long.MAX_VALUE, 1L, 0L), List.of(2L, 2L, 2L))),
        of("scatter: root=5 is not a rank", c -> c.scatter(FOUR, List.of(), 5)),
        of("scatter: inputs has length=0", c -> c.scatter(FOUR, List.of(), 1)),
        of("gather: outputs has length=1", c -> c.gather(List.of(FOUR), FOUR, 1)),
        of("gather_single: output is null", c -> c.gatherSingle(null, FOUR, 1)),
        of(
            "timeout=PT0S is not positive",
            c -> c.barrier(OpOptions.timeout(java.time.Duration.ZERO))),
        of("send: dst=7 is not a rank", c -> c.batch().send(FOUR, 7)),
        of("recv: src=1 is this rank itself", c -> c.batch().recv(FOUR, 1)));
  }

  private static Arguments of(String message, Consumer<Comm> call) {
    return Arguments.of(message, call);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("wrong")
  void wrongArgumentsAreToldAndNothingMoves(String message, Consumer<Comm> call) {
    FakeScript script = new FakeScript();
    try (Comm comm = Fakes.oneOf(3, 1, script)) {
      assertThatThrownBy(() -> call.accept(comm))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining(message);
      assertThat(script.submitted()).isEmpty();
      assertThat(comm.isAborted()).isFalse();
    }
  }

  @Test
  void whatIsReadOnlyElsewhereMayBeLeftOutOffTheRoot() {
    FakeScript script = new FakeScript();
    try (Comm comm = Fakes.oneOf(3, 1, script)) {
      comm.scatter(FOUR, List.of(), 0);
      comm.gather(List.of(), FOUR, 0);
      comm.gatherSingle(null, FOUR, 2);
      comm.reduce(READ_ONLY, 0, SUM);
      comm.send(READ_ONLY, 0);
      assertThat(script.submitted()).hasSize(5);
    }
  }

  @Test
  void zeroElementsAreLegalEverywhere() {
    Tensor none = Tensor.zeros(Shape.of(0));
    List<Tensor> nones = List.of(none, none, none);
    FakeScript script = new FakeScript();
    try (Comm comm = Fakes.oneOf(3, 1, script)) {
      List<Runnable> calls = new ArrayList<>();
      calls.add(() -> comm.allReduce(none, SUM));
      calls.add(() -> comm.allGather(nones, none));
      calls.add(() -> comm.allGatherSingle(none, none));
      calls.add(() -> comm.reduceScatterSingle(none, none, SUM));
      calls.add(() -> comm.allToAllSingle(none, none));
      calls.add(() -> comm.allToAllVSingle(none, none, List.of(0L, 0L, 0L), List.of(0L, 0L, 0L)));
      calls.add(() -> comm.broadcast(none, 2));
      calls.add(() -> comm.send(none, 0));
      calls.forEach(Runnable::run);
      assertThat(script.submitted()).hasSize(calls.size());
    }
  }
}
