package dev.jcomms.jccl.dsl.programs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jcomms.OpOptions;
import dev.jcomms.ReduceOp;
import dev.jcomms.Registration;
import dev.jcomms.World;
import dev.jcomms.jccl.AlgorithmCollection;
import dev.jcomms.jccl.Algorithms;
import dev.jcomms.jccl.Jccl;
import dev.jcomms.spi.Backends;
import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import java.util.Arrays;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A plan that works in its input, and an output that is a section of it. */
class InPlaceReduceScatterTest {
  private static final int EACH = 16;

  @ParameterizedTest
  @CsvSource({"auto, false", "auto, true", "shm, false", "shm, true", "tcp, false"})
  void theOtherSectionsStayAsTheyWere(String transport, boolean symmetric) {
    var plan = Algorithms.ofPlan(MultiNodePrograms.reduceScatter(2).plan());
    var provider = Jccl.with(AlgorithmCollection.defaults().with(plan));
    try (Registration _ = Backends.register("in-place", provider)) {
      World.of(4)
          .backend("in-place")
          .hint("transport", transport)
          .run(
              comm -> {
                Shape shape = Shape.of(4 * EACH);
                Tensor input =
                    symmetric ? comm.symmetric(DType.F32, shape) : Tensor.zeros(DType.F32, shape);
                input.fill(1 + comm.rank());
                float[] expected = input.toFloatArray();
                Arrays.fill(expected, comm.rank() * EACH, (comm.rank() + 1) * EACH, 1 + 2 + 3 + 4);
                comm.reduceScatterSingle(
                    input.narrow(0, comm.rank() * EACH, EACH),
                    input,
                    ReduceOp.SUM,
                    OpOptions.hint("algorithm", plan.name()));
                assertThat(input.toFloatArray()).isEqualTo(expected);
              });
    }
  }
}
