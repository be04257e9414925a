package dev.jcomms.jccl.internal.algo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jcomms.CommAbortedException;
import dev.jcomms.CommTimeoutException;
import dev.jcomms.ReduceOp;
import dev.jcomms.jccl.internal.reduce.Reducer;
import dev.jcomms.jccl.internal.reduce.Reducers;
import dev.jcomms.jccl.internal.transport.Alarm;
import dev.jcomms.jccl.internal.transport.Deadline;
import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class PartialsTest {
  /** Several pieces, the last one short. */
  private static final int MANY = (5 << 19) + 7;

  private static final Reducer AVERAGE = Reducers.of(DType.BF16, ReduceOp.AVG);

  private final Partials partials = new Partials();
  private final Alarm alarm = new Alarm(0);

  private Deadline patient() {
    return new Deadline(Duration.ofMinutes(1), alarm);
  }

  private static Tensor counting(int elements) {
    Tensor counting = Tensor.zeros(DType.BF16, Shape.of(elements));
    for (int i = 0; i < elements; i++) {
      counting.setDouble(i % 128, i);
    }
    return counting;
  }

  @Test
  void aPartialResultOfManyPiecesHasAllElements() {
    Tensor partial = partials.of(AVERAGE, counting(MANY), ReduceOp.AVG, patient());
    assertThat(partial.dtype()).isEqualTo(DType.F32);
    Tensor output = Tensor.zeros(DType.BF16, Shape.of(MANY));
    partials.finish(AVERAGE, partial, output, 2, patient());
    for (int i = 0; i < MANY; i++) {
      if (output.getDouble(i) != i % 128 / 2.0) {
        assertThat(output.getDouble(i)).as("element %d", i).isEqualTo(i % 128 / 2.0);
      }
    }
  }

  @Test
  void factorsAreAppliedOnce() {
    ReduceOp tripled = ReduceOp.premulSum(3);
    Reducer reducer = Reducers.of(DType.F32, tripled);
    Tensor partial = partials.of(reducer, Tensor.of(1f, 2f), tripled, patient());
    Tensor output = Tensor.zeros(Shape.of(2));
    partials.finish(reducer, partial, output, 2, patient());
    assertThat(output.toFloatArray()).containsExactly(3f, 6f);
    assertThat(Partials.joining(tripled)).isEqualTo(ReduceOp.SUM);
    assertThat(Partials.joining(ReduceOp.MAX)).isEqualTo(ReduceOp.MAX);
  }

  @Test
  void theMemoryIsUsedAgain() {
    Tensor large = partials.of(AVERAGE, counting(1000), ReduceOp.AVG, patient());
    Tensor small = partials.of(AVERAGE, counting(10), ReduceOp.AVG, patient());
    assertThat(small.segment().address()).isEqualTo(large.segment().address());
    assertThat(small.elements()).isEqualTo(10);
    assertThat(partials.of(AVERAGE, counting(0), ReduceOp.AVG, patient()).elements()).isZero();
  }

  @Test
  void itEndsWhenItMustNotGoOn() {
    Tensor input = counting(MANY);
    assertThatThrownBy(
            () ->
                partials.of(AVERAGE, input, ReduceOp.AVG, new Deadline(Duration.ofNanos(1), alarm)))
        .isInstanceOf(CommTimeoutException.class)
        .hasMessageContaining("computing");
    Tensor partial = partials.of(AVERAGE, input, ReduceOp.AVG, patient());
    alarm.raise(new CommAbortedException("enough"));
    assertThatThrownBy(() -> partials.of(AVERAGE, input, ReduceOp.AVG, patient()))
        .isInstanceOf(CommAbortedException.class);
    assertThatThrownBy(() -> partials.finish(AVERAGE, partial, input, 2, patient()))
        .isInstanceOf(CommAbortedException.class);
  }
}
