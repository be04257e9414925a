package dev.jcomms.tensor.internal.autograd.formulas;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jcomms.tensor.dispatch.Dispatcher;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class FormulasTest {
  /** Written before their operators. */
  private static final Set<String> AHEAD =
      Set.of(
          "deg2rad", "rad2deg", "log_sigmoid_forward", "median.dim", "kthvalue", "mode", "repeat");

  /** An operator may be there in place alone, as fill_ is. */
  @Test
  void everyFormulaIsOfAnOperatorThatThereIs() {
    assertThat(Formulas.names())
        .filteredOn(name -> !AHEAD.contains(name))
        .allMatch(name -> exists(name) || exists(Book.inPlace(name)));
  }

  private static boolean exists(String name) {
    return Dispatcher.find("aten::" + name).isPresent();
  }

  @Test
  void anInPlaceFormHasTheFormulaOfItsFunctionalOne() {
    assertThat(Formulas.of("aten::mul_.Tensor")).isSameAs(Formulas.of("aten::mul.Tensor"));
    assertThat(Formulas.of("aten::pow_.Scalar")).isSameAs(Formulas.of("aten::pow.Tensor_Scalar"));
  }

  @Test
  void anOperatorWithoutAFormulaHasNone() {
    assertThat(Formulas.of("aten::no_such")).isNull();
  }
}
