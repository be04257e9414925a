package dev.jcomms.examples.tiny;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jcomms.tensor.Scalar;
import dev.jcomms.tensor.Tensor;
import dev.jcomms.tensor.dispatch.DispatchKey;
import dev.jcomms.tensor.dispatch.Library;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Mistakes are found when kernels are registered, in a module that is open to nobody, too. */
final class TinyRegistrationTest {
  private static Tensor withoutAlpha(Tensor self, Tensor other) {
    return self;
  }

  private static Tensor byANumber(Tensor self, Integer other, Scalar alpha) {
    return self;
  }

  private static String toText(Tensor self, Tensor other, Scalar alpha) {
    return "";
  }

  private static Tensor right(Tensor self, Tensor other, Scalar alpha) {
    return self;
  }

  private static void refused(String why, Consumer<Library> body) {
    assertThatThrownBy(() -> Library.impl("aten", DispatchKey.PRIVATE_USE_1, body))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(why);
  }

  @Test
  void aKernelThatDoesNotFitItsSchemaIsRefused() {
    refused(
        "takes 2 arguments, not 3; schema: aten::add.Tensor(Tensor self, Tensor other, *, Scalar",
        m -> m.impl("add.Tensor", TinyRegistrationTest::withoutAlpha));
    refused(
        "takes Integer for 'other', not Tensor; kernel: (Tensor, Integer, Scalar) -> Tensor",
        m -> m.impl("add.Tensor", TinyRegistrationTest::byANumber));
    refused("returns String, not Tensor", m -> m.impl("add.Tensor", TinyRegistrationTest::toText));
    refused(
        "as Java: (Tensor, Tensor, Scalar) -> Tensor",
        m -> m.impl("add.Tensor", TinyRegistrationTest::toText));
  }

  @Test
  void anOperatorThatIsNotThereIsRefusedWithTheNearestOnes() {
    refused("[aten::add.", m -> m.impl("add", TinyRegistrationTest::right));
  }
}
