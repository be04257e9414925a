package dev.jcomms.tensor.dispatch;

import dev.jcomms.tensor.internal.Services;
import dev.jcomms.tensor.internal.aten.Aten;
import dev.jcomms.tensor.internal.aten.BuiltIn;
import dev.jcomms.tensor.internal.autograd.formulas.Formulas;
import dev.jcomms.tensor.spi.OperatorLibrary;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Registers the built-in operators, then those that modules provide, once, before the first
 * operator is looked up. While that is under way on a thread, the same thread sees what is there so
 * far.
 */
final class Libraries {
  static {
    Map<String, Supplier<Operator>> makers = new HashMap<>();
    for (BuiltIn b : Aten.operators()) {
      makers.put(b.name(), () -> make(b));
    }
    Registry.setBuiltIns(makers);
    Services.libraries(OperatorLibrary::register);
  }

  private Libraries() {}

  private static Operator make(BuiltIn b) {
    return new Operator(b.name(), b::schema, b.kernels(), () -> Formulas.of(b.name()));
  }

  static void load() {}
}
