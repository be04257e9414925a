package dev.jcomms.testkit.operator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.jcomms.tensor.dispatch.Dispatcher;
import dev.jcomms.tensor.dispatch.Operator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** The kit tries every operator that is defined. */
final class OperatorCoverageTest {
  private static final String ON_DEVICES =
      "what a device overrides; on the cpu convolution and convolution_backward are tried instead";

  /** Operators without cases, and why. */
  private static final Map<String, String> LEFT_OUT =
      Map.of(
          "_native_batch_norm_legit.out",
              "its functional form writes statistics, so that no case follows from one of that",
          "convolution_overrideable", ON_DEVICES,
          "convolution_overrideable.out", ON_DEVICES,
          "convolution_backward_overrideable", ON_DEVICES,
          "convolution_backward_overrideable.out", ON_DEVICES);

  @Test
  void everyOperatorHasCases() {
    Set<String> tried = new HashSet<>(DeviceRun.names());
    Set<String> left = new TreeSet<>();
    for (Operator op : Dispatcher.operators()) {
      if (op.schema().namespace().equals("aten")) {
        String name = op.name().substring("aten::".length());
        if (!tried.contains(name) && !LEFT_OUT.containsKey(name)) {
          left.add(name);
        }
      }
    }
    assertEquals(Set.of(), left);
  }

  @Test
  void nothingIsExcusedThatIsTried() {
    List<String> names = DeviceRun.names();
    LEFT_OUT.keySet().forEach(name -> assertFalse(names.contains(name), name));
  }
}
