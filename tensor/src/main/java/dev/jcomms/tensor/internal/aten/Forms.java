package dev.jcomms.tensor.internal.aten;

import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import dev.jcomms.tensor.dispatch.Dispatcher;
import dev.jcomms.tensor.dispatch.Operator;
import dev.jcomms.tensor.dispatch.Schema;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Arrays;

/**
 * In-place and {@code out=} forms made of the functional one, for every device: compute, check that
 * the result may go where it is to go, copy it there.
 */
final class Forms {
  private static final MethodHandle IN_PLACE = find("runInPlace");
  private static final MethodHandle OUT = find("runOut");
  private static final MethodHandle OUTS = find("runOuts", Object.class);
  private static final MethodHandle CALL = find("call", Object.class);

  private Forms() {}

  static MethodHandle inPlace(Schema functional, Schema form) {
    return bind(IN_PLACE, functional, form);
  }

  static MethodHandle out(Schema functional, Schema form) {
    return bind(OUT, functional, form);
  }

  /**
   * As {@link #out}, with as many tensors at the end as there are results, of just their dtypes.
   */
  static MethodHandle outs(Schema functional, Schema form) {
    return bind(OUTS, functional, form);
  }

  /** A kernel that takes {@code out} last, given null there: it makes a new tensor. */
  static MethodHandle intoNew(MethodHandle into) {
    int last = into.type().parameterCount() - 1;
    return Origins.note(MethodHandles.insertArguments(into, last, (Object) null), into);
  }

  /** A kernel that takes {@code out} last, given its first argument there. */
  static MethodHandle intoFirst(MethodHandle into) {
    int last = into.type().parameterCount() - 1;
    int[] order = new int[last + 1];
    Arrays.setAll(order, i -> i == last ? 0 : i);
    return Origins.note(
        MethodHandles.permuteArguments(into, into.type().dropParameterTypes(last, last + 1), order),
        into);
  }

  /** Calls an operator under another name. */
  static MethodHandle alias(Schema target) {
    MethodType type = target.methodType();
    MethodHandle kernel =
        MethodHandles.insertArguments(CALL, 0, target.qualifiedName())
            .asCollector(Object[].class, type.parameterCount())
            .asType(type);
    return Origins.note(kernel, CALL, target.qualifiedName());
  }

  private static Object call(String name, Object[] args) {
    return operator(name).call(args);
  }

  private static MethodHandle bind(MethodHandle run, Schema functional, Schema form) {
    MethodType type = form.methodType();
    MethodHandle kernel =
        MethodHandles.insertArguments(run, 0, functional.qualifiedName())
            .asCollector(Object[].class, type.parameterCount())
            .asType(type);
    return Origins.note(kernel, run, functional.qualifiedName());
  }

  private static Tensor runInPlace(String functional, Object[] args) {
    Tensor self = (Tensor) args[0];
    Operator op = operator(functional);
    Tensor result = (Tensor) op.call(ownDType(op.schema(), self, args));
    if (!result.shape().equals(self.shape())) {
      throw new IllegalArgumentException(
          functional
              + ": in place, self has shape "
              + self.shape()
              + " but the result has "
              + result.shape());
    }
    requireCast(functional, result.dtype(), self.dtype());
    return CopyOps.copyInto(self, result);
  }

  /** In place, a dtype that was left open is self's; another one is refused. */
  private static Object[] ownDType(Schema schema, Tensor self, Object[] args) {
    Object[] given = args.clone();
    for (int i = 0; i < given.length; i++) {
      if (schema.arguments().get(i).name().equals("dtype")) {
        requireSame(schema.name(), given[i] == null ? self.dtype() : (DType) given[i], self);
        given[i] = self.dtype();
      }
    }
    return given;
  }

  private static Tensor runOut(String functional, Object[] args) {
    Tensor out = (Tensor) args[args.length - 1];
    Tensor result = (Tensor) operator(functional).call(Arrays.copyOf(args, args.length - 1));
    requireCast(functional, result.dtype(), out.dtype());
    resize(functional, out, result.shape());
    return CopyOps.copyInto(out, result);
  }

  private static Object runOuts(String functional, Object[] args) {
    Operator operator = operator(functional);
    int given = operator.schema().arguments().size();
    Object result = operator.call(Arrays.copyOf(args, given));
    Tensor[] results = result instanceof Tensor t ? new Tensor[] {t} : (Tensor[]) result;
    Tensor[] outs = new Tensor[results.length];
    for (int i = 0; i < outs.length; i++) {
      outs[i] = (Tensor) args[given + i];
      requireSame(functional, results[i].dtype(), outs[i]);
      resize(functional, outs[i], results[i].shape());
    }
    for (int i = 0; i < outs.length; i++) {
      CopyOps.copyInto(outs[i], results[i]);
    }
    return outs.length == 1 ? outs[0] : outs;
  }

  private static Operator operator(String name) {
    return Dispatcher.operator(name);
  }

  /** PyTorch's rule: floats do not go into integers, nor numbers into booleans. */
  static void requireCast(String op, DType from, DType to) {
    boolean lossy = from.isFloating() && !to.isFloating() || from != DType.BOOL && to == DType.BOOL;
    if (lossy) {
      throw new IllegalArgumentException(
          op
              + ": result type "
              + from.torchName()
              + " can't be cast to the desired output type "
              + to.torchName());
    }
  }

  /** For operators that do not convert their result: {@code out} has its dtype already. */
  static void requireSame(String op, DType result, Tensor out) {
    if (out != null && out.dtype() != result) {
      throw new IllegalArgumentException(
          op + ": out must be " + result + " as the result is, but is " + out.dtype());
    }
  }

  /** An {@code out} must have the result's shape; our tensors' headers do not change. */
  static void resize(String op, Tensor out, Shape shape) {
    if (!out.shape().equals(shape)) {
      throw new IllegalArgumentException(
          op + ": out has shape " + out.shape() + "; the result has " + shape);
    }
  }

  private static MethodHandle find(String name) {
    return find(name, Tensor.class);
  }

  private static MethodHandle find(String name, Class<?> result) {
    try {
      return MethodHandles.lookup()
          .findStatic(
              Forms.class, name, MethodType.methodType(result, String.class, Object[].class));
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }
}
