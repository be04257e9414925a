package dev.jcomms.examples.zero;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jcomms.ReduceOp;
import dev.jcomms.World;
import dev.jcomms.spi.Backends;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import org.junit.jupiter.api.Test;

/** How a backend author tries a backend: as ranks that are threads. */
final class ZeroBackendTest {
  @Test
  void theServiceLoaderFindsIt() {
    assertThat(Backends.get("zero")).isInstanceOf(ZeroProvider.class);
  }

  @Test
  void everyRankEndsWithZeros() {
    World.of(3)
        .backend("zero")
        .run(
            comm -> {
              Tensor x = Tensor.ones(Shape.of(6));
              comm.allReduce(x, ReduceOp.SUM);
              assertThat(x.equal(Tensor.zeros(Shape.of(6)))).isTrue();
            });
  }

  @Test
  void whatItLacksIsRefusedByName() {
    World.of(2)
        .backend("zero")
        .run(
            comm ->
                assertThatThrownBy(() -> comm.broadcast(Tensor.ones(Shape.of(6)), 0))
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessage("backend 'zero' has no broadcast; it has all_gather, all_reduce"));
  }
}
