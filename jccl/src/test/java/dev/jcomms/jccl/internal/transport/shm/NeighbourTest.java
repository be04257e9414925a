package dev.jcomms.jccl.internal.transport.shm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import dev.jcomms.tensor.spi.TensorMemory;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class NeighbourTest {
  private final Tensor tensor = Tensor.full(Shape.of(100_000), 2.5);

  @BeforeEach
  void haveAFile() {
    assumeTrue(TensorMemory.own() != null, "the system has no memfd_create");
  }

  private float first(MemorySegment tensors) {
    return tensors.get(ValueLayout.JAVA_FLOAT, TensorMemory.offset(tensor.segment()));
  }

  @Test
  void itIsMappedOnceAndAsLongAsAnybodyUsesIt() throws IOException {
    Neighbour one = Neighbour.open(TensorMemory.own());
    Neighbour two = Neighbour.open(TensorMemory.own());
    MemorySegment seen = two.tensors();
    assertThat(seen.address()).isEqualTo(one.tensors().address());
    one.close();
    assertThat(first(seen)).isEqualTo(2.5f);
    two.close();
    assertThatThrownBy(() -> first(seen)).isInstanceOf(IllegalStateException.class);
    try (Neighbour again = Neighbour.open(TensorMemory.own())) {
      assertThat(first(again.tensors())).isEqualTo(2.5f);
    }
  }

  @Test
  void whatCannotBeMappedIsNotRemembered() throws IOException {
    TensorMemory own = TensorMemory.own();
    TensorMemory wrong =
        new TensorMemory(own.pid(), own.descriptor(), UUID.randomUUID(), own.bytes());
    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(() -> Neighbour.open(wrong)).isInstanceOf(IOException.class);
    }
    try (Neighbour right = Neighbour.open(own)) {
      assertThat(first(right.tensors())).isEqualTo(2.5f);
    }
  }
}
