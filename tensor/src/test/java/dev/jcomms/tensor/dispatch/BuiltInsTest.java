package dev.jcomms.tensor.dispatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.jcomms.tensor.internal.autograd.Recorder;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Built-in operators are made when they are first used; here all of them are. */
final class BuiltInsTest {
  @Test
  void everySchemaIsReadAndHasItsOperatorsName() {
    for (Operator op : Dispatcher.operators()) {
      assertThat(op.schema().qualifiedName()).isEqualTo(op.name());
    }
  }

  @Test
  void everyKernelIsFoundAndFitsItsSchema() {
    for (Operator op : Dispatcher.operators()) {
      for (DispatchKey key : op.keys()) {
        assertThat(op.kernel(key).typed().type())
            .as("kernel of %s for %s", op.name(), key)
            .isEqualTo(op.schema().methodType());
      }
    }
  }

  @Test
  void everyOperatorOfTheCpuHasAKernelThere() {
    List<String> without = new ArrayList<>();
    for (Operator op : Dispatcher.operators()) {
      if (op.name().startsWith("aten::") && !op.serves(DispatchKey.CPU)) {
        without.add(op.name());
      }
    }
    assertThat(without).isEmpty();
  }

  @Test
  void everyDerivativeNamesWhatItsSchemaHas() {
    for (Operator op : Dispatcher.operators()) {
      assertThatCode(() -> op.derivative().ifPresent(d -> Recorder.check(op.schema(), d)))
          .as(op.name())
          .doesNotThrowAnyException();
    }
  }

  @Test
  void anOperatorIsTheSameObjectHoweverItIsFound() {
    Operator add = Dispatcher.operator("aten::add.Tensor");
    assertThat(Dispatcher.operators()).contains(add);
    assertThat(Dispatcher.find("aten::add.Tensor")).containsSame(add);
  }
}
