package dev.jcomms.tensor.internal.autograd.formulas;

import dev.jcomms.tensor.Tensor;
import dev.jcomms.tensor.autograd.Derivative;
import dev.jcomms.tensor.dispatch.DispatchKey;
import dev.jcomms.tensor.dispatch.Dispatcher;
import dev.jcomms.tensor.dispatch.Library;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;

/**
 * Collects the formulas of the built-in operators, family by family. An in-place form has the
 * formula of its functional one; a formula whose operator does not exist is left out.
 */
final class Book {
  private final Map<String, Derivative> formulas = new LinkedHashMap<>();

  Book add(String name, Derivative derivative) {
    if (formulas.putIfAbsent(name, derivative) != null) {
      throw new IllegalStateException("two formulas for " + name);
    }
    return this;
  }

  /** An operator whose only differentiable input is {@code self}. */
  Book self(String name, Function<Derivative.Context, Tensor> formula, String... saves) {
    return add(name, Derivative.of().wrt("self", formula, saves));
  }

  /** Operators whose gradient is zero everywhere. */
  Book zero(String... names) {
    for (String name : names) {
      self(name, c -> Call.zerosLike(c.grad()));
    }
    return this;
  }

  /** Operators whose results never require a gradient. */
  Book none(String... names) {
    for (String name : names) {
      add(name, Derivative.none());
    }
    return this;
  }

  void register() {
    Map<String, Derivative> present = new LinkedHashMap<>();
    formulas.forEach(
        (name, derivative) -> {
          if (exists(name)) {
            present.put(name, derivative);
          }
        });
    formulas.forEach(
        (name, derivative) -> {
          String inPlace = inPlace(name);
          if (!present.containsKey(inPlace) && exists(inPlace)) {
            present.put(inPlace, derivative);
          }
        });
    Library.impl("aten", DispatchKey.AUTOGRAD, m -> present.forEach(m::derivative));
  }

  private static boolean exists(String name) {
    return Dispatcher.find("aten::" + name).isPresent();
  }

  /** {@code add.Tensor} becomes {@code add_.Tensor}; a few are named otherwise. */
  private static String inPlace(String name) {
    int dot = name.indexOf('.');
    return switch (name) {
      case "pow.Tensor_Scalar" -> "pow_.Scalar";
      case "pow.Tensor_Tensor" -> "pow_.Tensor";
      case "pow.Scalar" -> "pow_.Scalar_Tensor"; // there is none: self is no tensor
      case "floor_divide" -> "floor_divide_.Tensor";
      default -> dot < 0 ? name + "_" : name.substring(0, dot) + "_" + name.substring(dot);
    };
  }
}
