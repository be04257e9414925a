package dev.jcomms.internal.ops;

import dev.jcomms.internal.OpenComms;
import dev.jcomms.tensor.Ops;
import dev.jcomms.tensor.Scalar;
import dev.jcomms.tensor.Tensor;
import dev.jcomms.tensor.autograd.Derivative;
import dev.jcomms.tensor.autograd.Derivative.Context;
import dev.jcomms.tensor.dispatch.DispatchKey;
import dev.jcomms.tensor.dispatch.Dispatcher;
import dev.jcomms.tensor.dispatch.Library;
import dev.jcomms.tensor.spi.OperatorLibrary;
import java.lang.invoke.MethodHandles;

/**
 * The namespace {@code comms}: collectives as functional operators, with kernels for every device
 * ({@link CollectiveKernels}) and gradients, which are collectives again. A device that registers
 * kernels for its own key takes the kernels' place there; the gradients stay.
 */
public final class CollectiveOperators implements OperatorLibrary {
  private static final String SUM = "sum";
  private static final String AVG = "avg";

  @Override
  public void register() {
    Library.define(
        "comms",
        m -> {
          m.def("all_reduce(Tensor self, str op, str comm) -> Tensor");
          m.def("reduce(Tensor self, str op, int root, str comm) -> Tensor");
          m.def("broadcast(Tensor self, int root, str comm) -> Tensor");
          m.def("all_gather_into_tensor(Tensor self, str comm) -> Tensor");
          m.def("reduce_scatter_tensor(Tensor self, str op, str comm) -> Tensor");
          m.def(
              "all_to_all_single(Tensor self, int[]? output_splits, int[]? input_splits, str comm)"
                  + " -> Tensor");
        });
    MethodHandles.Lookup kernels = CollectiveKernels.LOOKUP;
    Library.impl("comms", DispatchKey.CPU, m -> m.kernels(kernels));
    Library.impl("comms", DispatchKey.COMPOSITE_EXPLICIT_AUTOGRAD, m -> m.kernels(kernels));
    Library.impl("comms", DispatchKey.AUTOGRAD, CollectiveOperators::derivatives);
  }

  private static void derivatives(Library m) {
    m.derivative(
        "all_reduce",
        by(c -> call("all_reduce", c.grad(), linear("all_reduce", c), c.value("comm"))));
    m.derivative(
        "reduce",
        by(
            c -> {
              String op = linear("reduce", c);
              return averaged(
                  op, c, call("broadcast", c.grad(), c.integer("root"), c.value("comm")));
            }));
    m.derivative(
        "broadcast", by(c -> call("reduce", c.grad(), SUM, c.integer("root"), c.value("comm"))));
    m.derivative(
        "all_gather_into_tensor",
        by(c -> call("reduce_scatter_tensor", c.grad(), SUM, c.value("comm"))));
    m.derivative(
        "reduce_scatter_tensor",
        by(
            c -> {
              String op = linear("reduce_scatter_tensor", c);
              return averaged(op, c, call("all_gather_into_tensor", c.grad(), c.value("comm")));
            }));
    m.derivative(
        "all_to_all_single",
        by(
            c ->
                call(
                    "all_to_all_single",
                    c.grad(),
                    c.value("input_splits"),
                    c.value("output_splits"),
                    c.value("comm"))));
  }

  private static Derivative by(java.util.function.Function<Context, Tensor> formula) {
    return Derivative.of().wrt("self", formula);
  }

  private static Tensor call(String operator, Object... args) {
    return (Tensor) Dispatcher.call("comms::" + operator, args);
  }

  /** The reduce op, of those that have a gradient. */
  private static String linear(String operator, Context c) {
    String op = ((String) c.value("op")).toLowerCase(java.util.Locale.ROOT);
    if (!op.equals(SUM) && !op.equals(AVG)) {
      throw new UnsupportedOperationException(
          "comms::" + operator + ": reduce op '" + op + "' has no gradient; sum and avg have");
    }
    return op;
  }

  private static Tensor averaged(String op, Context c, Tensor gradient) {
    if (op.equals(SUM)) {
      return gradient;
    }
    int size = OpenComms.find("comms", (String) c.value("comm")).size();
    return Ops.div(gradient, Scalar.of((long) size));
  }
}
