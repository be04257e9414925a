package dev.jcomms.jccl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jcomms.Comm;
import dev.jcomms.ReduceOp;
import dev.jcomms.World;
import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** Results that no cache holds, in memory of their own or where the inputs were. */
final class LargeResultsTest {
  /** Just above 32 MiB, and no multiple of the ranks. */
  private static final int ELEMENTS = (8 << 20) + 5;

  @Test
  void whenAllHaveMemoryOfTheirOwnForThem() {
    reduceTwice(_ -> false);
  }

  @Test
  void whenAllOverwriteTheirInputs() {
    reduceTwice(_ -> true);
  }

  @Test
  void whenOneOverwritesItsInput() {
    reduceTwice(comm -> comm.rank() == 1);
  }

  private static void reduceTwice(Predicate<Comm> inPlace) {
    World.of(3)
        .backend("jccl")
        .run(
            comm -> {
              Tensor output = Tensor.zeros(DType.I32, Shape.of(ELEMENTS));
              Tensor input =
                  inPlace.test(comm) ? output : Tensor.zeros(DType.I32, Shape.of(ELEMENTS));
              for (int round = 1; round <= 2; round++) {
                fill(input, comm.rank() + round);
                comm.allReduce(output, input, ReduceOp.SUM);
                assertSums(output, 3 + 3 * round);
              }
            });
  }

  /** Each element is its place, in thousands, and a digit or two. */
  private static void fill(Tensor tensor, int digits) {
    int[] content = new int[ELEMENTS];
    for (int i = 0; i < ELEMENTS; i++) {
      content[i] = i % 100_000 * 1000 + digits;
    }
    MemorySegment.copy(content, 0, tensor.segment(), ValueLayout.JAVA_INT, 0, ELEMENTS);
  }

  private static void assertSums(Tensor tensor, int digits) {
    int[] content = tensor.segment().toArray(ValueLayout.JAVA_INT);
    for (int i = 0; i < ELEMENTS; i++) {
      if (content[i] != 3 * (i % 100_000 * 1000) + digits) {
        assertThat(content[i]).as("[" + i + "]").isEqualTo(3 * (i % 100_000 * 1000) + digits);
      }
    }
  }
}
