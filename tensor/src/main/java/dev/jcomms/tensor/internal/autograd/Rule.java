package dev.jcomms.tensor.internal.autograd;

import dev.jcomms.tensor.Tensor;
import dev.jcomms.tensor.autograd.Derivative;
import dev.jcomms.tensor.dispatch.Argument;
import dev.jcomms.tensor.dispatch.Return;
import dev.jcomms.tensor.dispatch.Schema;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A derivative with its names looked up in one schema: what to keep of a call, and what to run. */
final class Rule {
  /** One formula: arguments by index, and as bits those that it needs; so too results. */
  record Part(Derivative.Formula formula, int[] inputs, long savedArguments, long savedResults) {}

  private final Schema schema;
  private final Map<String, Integer> names = new HashMap<>(); // results are -1, -2, ...
  final Part[] parts;
  final long known; // arguments that a formula or a declaration speaks of
  final Derivative derivative;

  Rule(Schema schema, Derivative derivative) {
    this.schema = schema;
    this.derivative = derivative;
    nameAll();
    parts = new Part[derivative.formulas().size()];
    long seen = 0;
    for (int i = 0; i < parts.length; i++) {
      Derivative.Formula f = derivative.formulas().get(i);
      int[] inputs = f.inputs().stream().mapToInt(this::input).toArray();
      long arguments = 0;
      long results = 0;
      for (String name : f.saves()) {
        int index = index(name);
        requireTensor(name, index);
        if (index >= 0) {
          arguments |= 1L << index;
        } else {
          results |= 1L << -1 - index;
        }
      }
      for (int input : inputs) {
        seen |= 1L << input;
      }
      parts[i] = new Part(f, inputs, arguments, results);
    }
    for (String name : derivative.constants()) {
      seen |= 1L << input(name);
    }
    known = seen;
  }

  private void nameAll() {
    List<Return> returns = schema.returns();
    for (int i = 0; i < returns.size(); i++) {
      names.put("result" + i, -1 - i);
      if (returns.get(i).name() != null) {
        names.put(returns.get(i).name(), -1 - i);
      }
    }
    if (!returns.isEmpty()) {
      names.put("result", -1);
    }
    for (int i = 0; i < schema.arguments().size(); i++) {
      names.put(schema.arguments().get(i).name(), i);
    }
  }

  /** The index of an argument, or -1 - that of a result. */
  int index(String name) {
    Integer index = names.get(name);
    if (index == null) {
      throw new IllegalArgumentException(
          "derivative of "
              + schema.qualifiedName()
              + ": no argument or result is named '"
              + name
              + "'; schema: "
              + schema);
    }
    return index;
  }

  private int input(String name) {
    int index = index(name);
    if (index < 0) {
      throw new IllegalArgumentException(
          "derivative of "
              + schema.qualifiedName()
              + ": '"
              + name
              + "' is a result, not an input; schema: "
              + schema);
    }
    requireTensor(name, index);
    return index;
  }

  private void requireTensor(String name, int index) {
    Class<?> type =
        index >= 0
            ? schema.arguments().get(index).type().javaType()
            : schema.returns().get(-1 - index).type().javaType();
    if (type != Tensor.class && type != List.class) {
      throw new IllegalArgumentException(
          "derivative of "
              + schema.qualifiedName()
              + ": '"
              + name
              + "' is no tensor; schema: "
              + schema);
    }
  }

  String argumentName(int index) {
    Argument argument = schema.arguments().get(index);
    return argument.name();
  }
}
