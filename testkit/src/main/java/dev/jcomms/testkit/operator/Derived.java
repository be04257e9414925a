package dev.jcomms.testkit.operator;

import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Device;
import dev.jcomms.tensor.Tensor;
import dev.jcomms.tensor.dispatch.Argument;
import dev.jcomms.tensor.dispatch.Dispatcher;
import dev.jcomms.tensor.dispatch.Operator;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The in-place and {@code out=} forms of functional operators, with cases made of theirs. */
final class Derived {
  private static final List<DType> MISFITS =
      List.of(DType.I32, DType.F64, DType.F16, DType.U8, DType.BOOL);

  private Derived() {}

  /** The forms of an operator that are defined. */
  static List<Operator> forms(Operator functional) {
    List<Operator> forms = new ArrayList<>();
    if (!functional.schema().isMutable()) {
      for (Operator op : Dispatcher.operators()) {
        if (isInPlace(functional, op) || isOut(functional, op)) {
          forms.add(op);
        }
      }
    }
    return forms;
  }

  private static boolean isInPlace(Operator functional, Operator op) {
    return op.schema().name().equals(functional.schema().name() + "_")
        && op.schema().overload().equals(functional.schema().overload())
        && op.schema().arguments().size() == functional.schema().arguments().size()
        && op.schema().arguments().getFirst().isWritten();
  }

  private static boolean isOut(Operator functional, Operator op) {
    List<Argument> given = functional.schema().arguments();
    List<Argument> taken = op.schema().arguments();
    if (!op.schema().name().equals(functional.schema().name()) || taken.size() <= given.size()) {
      return false;
    }
    for (int i = 0; i < taken.size(); i++) {
      boolean fits =
          i < given.size()
              ? taken.get(i).name().equals(given.get(i).name())
                  && taken.get(i).type().equals(given.get(i).type())
                  && !taken.get(i).isWritten()
              : taken.get(i).isWritten();
      if (!fits) {
        return false;
      }
    }
    return true;
  }

  /**
   * The case in that form; none if it has no result to be written.
   *
   * @param misfits whether results are also to go into tensors of another dtype, and in place into
   *     tensors whose elements share memory: which of these are refused is a matter of each kernel,
   *     and a device may differ from the cpu
   */
  static List<Case> of(Case functional, Operator form, boolean misfits) {
    if (form.schema().arguments().size() == functional.operator().schema().arguments().size()) {
      boolean shared =
          functional.arguments().getFirst() instanceof TensorSpec t
              && t.arrangement() == Arrangement.EXPANDED;
      return shared && !misfits
          ? List.of()
          : List.of(new Case(form, functional.arguments(), functional.form()));
    }
    if (!(Execution.run(functional, Device.CPU) instanceof Execution.Values values)) {
      return List.of();
    }
    List<Object> complete = new ArrayList<>(functional.arguments());
    List<Argument> wanted = functional.operator().schema().arguments();
    for (int i = complete.size(); i < wanted.size(); i++) {
      complete.add(wanted.get(i).defaultJava());
    }
    List<Case> cases = new ArrayList<>();
    into(functional, form, complete, values, Arrangement.PLAIN, null).ifPresent(cases::add);
    into(functional, form, complete, values, Arrangement.TURNED, null).ifPresent(cases::add);
    if (misfits) {
      for (DType other : MISFITS) {
        into(functional, form, complete, values, Arrangement.PLAIN, other).ifPresent(cases::add);
      }
    }
    return cases;
  }

  private static Optional<Case> into(
      Case functional,
      Operator form,
      List<Object> given,
      Execution.Values values,
      Arrangement arrangement,
      DType dtype) {
    List<Object> arguments = new ArrayList<>(given);
    for (Object value : values.results()) {
      if (value instanceof Tensor t) {
        long[] sizes = t.shape().toArray();
        if (!arrangement.fits(sizes)) {
          return Optional.empty();
        }
        arguments.add(
            TensorSpec.of(dtype == null ? t.dtype() : dtype, sizes).with(arrangement).salted(99));
      }
    }
    return arguments.size() == form.schema().arguments().size()
        ? Optional.of(new Case(form, arguments, functional.form()))
        : Optional.empty();
  }
}
