package dev.jcomms.tensor.internal.autograd.formulas;

import dev.jcomms.tensor.Tensor;
import dev.jcomms.tensor.autograd.Derivative;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * Collects the formulas of the built-in operators, family by family. An in-place form has the
 * formula of its functional one unless it has its own.
 */
final class Book {
  static final String NAMESPACE = "aten::";

  private final Map<String, Derivative> formulas = new LinkedHashMap<>(); // by local name
  private final Map<String, Derivative> ofInPlace = new HashMap<>();

  Book add(String name, Derivative derivative) {
    if (formulas.putIfAbsent(name, derivative) != null) {
      throw new IllegalStateException("two formulas for " + name);
    }
    ofInPlace.put(inPlace(name), derivative);
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

  /** Its own, else that of the functional form if it is an in-place one; null if neither. */
  Derivative find(String name) {
    Derivative own = formulas.get(name);
    return own != null ? own : ofInPlace.get(name);
  }

  Set<String> names() {
    return formulas.keySet();
  }

  /** {@code add.Tensor} becomes {@code add_.Tensor}; a few are named otherwise. */
  static String inPlace(String name) {
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
