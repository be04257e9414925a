package dev.jcomms.tensor.dispatch;

import dev.jcomms.tensor.internal.Services;
import dev.jcomms.tensor.internal.aten.Aten;
import dev.jcomms.tensor.spi.OperatorLibrary;

/**
 * Registers the built-in operators, then those that modules provide, once, before the first
 * operator is looked up. While that is under way on a thread, the same thread sees what is there so
 * far.
 */
final class Libraries {
  static {
    Registry.setBuiltIns(Aten.operators());
    Services.libraries(OperatorLibrary::register);
  }

  private Libraries() {}

  static void load() {}
}
