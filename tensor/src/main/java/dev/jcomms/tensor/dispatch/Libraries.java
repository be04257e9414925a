package dev.jcomms.tensor.dispatch;

import dev.jcomms.tensor.internal.Services;
import dev.jcomms.tensor.internal.aten.Aten;
import dev.jcomms.tensor.internal.aten.BuiltIn;
import dev.jcomms.tensor.internal.autograd.formulas.Formulas;
import dev.jcomms.tensor.spi.OperatorLibrary;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Registers the built-in operators, then those that modules provide, once, before the first
 * operator is looked up. While that is under way on a thread, the same thread sees what is there so
 * far.
 *
 * <p>Provided libraries come in no particular order, and one may have kernels for operators that
 * another defines: a library that asks for an operator that is not there yet is taken back whole
 * and has its turn again after the others.
 */
final class Libraries {
  /** What the library whose turn it is on a thread has registered; unset when it is nobody's. */
  private static final ThreadLocal<List<RegistrationHandle>> MADE = new ThreadLocal<>();

  static {
    Map<String, Supplier<Operator>> makers = new HashMap<>();
    for (BuiltIn b : Aten.operators()) {
      makers.put(b.name(), () -> make(b));
    }
    Registry.setBuiltIns(makers);
    register(Services.libraries());
  }

  private Libraries() {}

  private static Operator make(BuiltIn b) {
    return new Operator(b.name(), b::schema, b.kernels(), () -> Formulas.of(b.name()));
  }

  static void load() {}

  /** Notes a registration, in case its library fails later on. */
  static void note(RegistrationHandle handle) {
    List<RegistrationHandle> made = MADE.get();
    if (made != null) {
      made.add(handle);
    }
  }

  static void register(List<OperatorLibrary> libraries) {
    List<OperatorLibrary> open = libraries;
    while (!open.isEmpty()) {
      List<OperatorLibrary> early = new ArrayList<>();
      UnknownOperatorException wanting = null;
      for (OperatorLibrary library : open) {
        try {
          registerWhole(library);
        } catch (UnknownOperatorException e) {
          wanting = e;
          early.add(library);
        } catch (RuntimeException | LinkageError e) {
          Services.leftOut("the operator library " + library.getClass().getName(), e);
        }
      }
      if (early.size() == open.size()) { // nobody defines what they ask for
        for (OperatorLibrary library : early) {
          Services.leftOut("the operator library " + library.getClass().getName(), wanting);
        }
        return;
      }
      open = early;
    }
  }

  private static void registerWhole(OperatorLibrary library) {
    List<RegistrationHandle> made = new ArrayList<>();
    MADE.set(made);
    try {
      library.register();
    } catch (RuntimeException | Error e) {
      made.reversed().forEach(RegistrationHandle::close);
      throw e;
    } finally {
      MADE.remove();
    }
  }
}
