package dev.jcomms.tensor.internal.autograd;

import dev.jcomms.tensor.Ops;
import dev.jcomms.tensor.Tensor;
import dev.jcomms.tensor.autograd.Derivative;
import dev.jcomms.tensor.dispatch.Alias;
import dev.jcomms.tensor.dispatch.Argument;
import dev.jcomms.tensor.dispatch.DispatchKeySet;
import dev.jcomms.tensor.dispatch.Dispatcher;
import dev.jcomms.tensor.dispatch.Kernel;
import dev.jcomms.tensor.dispatch.Operator;
import dev.jcomms.tensor.dispatch.Return;
import dev.jcomms.tensor.dispatch.Schema;
import dev.jcomms.tensor.internal.TensorAccess;
import java.util.Arrays;
import java.util.List;

/**
 * What stands under an autograd key where nothing else does: runs the device's kernel and makes the
 * call a node of the graph. Called only where an argument requires a gradient.
 */
public final class Recorder implements Kernel.Boxed {
  private static final String CONVERSION = "aten::_to_copy";

  private final String name;
  private final Rule rule; // null: there is no derivative
  private final boolean none;
  private final boolean builtIn;
  private final int self; // the argument that is written and returned; -1 if none
  private final long written; // all arguments that are written, as bits
  private final int viewed; // the argument that results are views of; -1 if none
  private final boolean out;

  private Recorder(Operator op, Derivative derivative) {
    Schema schema = op.schema();
    name = op.name();
    none = derivative != null && derivative.isNone();
    rule = derivative == null || none ? null : new Rule(schema, derivative);
    builtIn = schema.namespace().equals("aten");
    List<Argument> arguments = schema.arguments();
    int first = -1;
    long all = 0;
    int seen = -1;
    boolean keyword = false;
    for (int i = 0; i < arguments.size(); i++) {
      Argument argument = arguments.get(i);
      if (argument.isWritten()) {
        keyword |= argument.keywordOnly();
        all |= 1L << i;
        first = first < 0 && isReturned(schema, argument) ? i : first;
      } else if (seen < 0 && argument.isAliased() && isReturned(schema, argument)) {
        seen = i;
      }
    }
    self = first;
    written = all;
    viewed = seen;
    out = keyword;
  }

  public static Kernel.Boxed of(Operator op, Derivative derivative) {
    return new Recorder(op, derivative);
  }

  /** Looks the names of a derivative up in a schema; refuses those that are not there. */
  public static void check(Schema schema, Derivative derivative) {
    if (schema.arguments().size() > 64) {
      throw new IllegalArgumentException(
          "derivative of " + schema.qualifiedName() + ": more than 64 arguments");
    }
    new Rule(schema, derivative);
  }

  private static boolean isReturned(Schema schema, Argument argument) {
    List<String> sets = sets(argument.alias(), argument.elementAlias());
    for (Return result : schema.returns()) {
      for (String set : sets(result.alias(), result.elementAlias())) {
        if (sets.contains(set)) {
          return true;
        }
      }
    }
    return false;
  }

  private static List<String> sets(Alias alias, Alias elements) {
    return alias != null ? alias.before() : elements != null ? elements.before() : List.of();
  }

  @Override
  public Object call(Operator op, DispatchKeySet keys, Object[] args) {
    if (none) {
      return below(op, keys, args);
    }
    if (out) {
      throw new IllegalStateException(
          name
              + ": functions with out=... arguments don't support automatic differentiation, but"
              + " one of the arguments requires grad");
    }
    Edges edges = Edges.forAll(args);
    point(edges, args);
    Tensor target = self >= 0 ? (Tensor) args[self] : null;
    if (target != null) {
      Places.requireWritable(target, name);
    }
    long saved = rule == null ? 0 : OperatorNode.savedArguments(rule, args, edges);
    Object[] kept = rule == null ? null : args.clone();
    if (kept != null) { // before the call: what it writes is no longer what the formulas mean
      for (int i = 0; i < kept.length; i++) {
        if ((saved & written & 1L << i) != 0 && kept[i] instanceof Tensor t) {
          kept[i] = Ops.clone(t);
        }
      }
      OperatorNode.keep(kept, saved);
    }
    Object result = below(op, keys, args);
    Header[] outputs = headers(result);
    if (outputs == null) {
      requireFloating(result);
      return result;
    }
    Node node;
    if (rule == null) {
      node = new UnknownNode(name, edges, outputs);
    } else {
      requireKnown(args, edges);
      long savedResults = OperatorNode.savedResults(rule, args, edges);
      OperatorNode made = new OperatorNode(name, rule, builtIn, kept, edges, outputs);
      made.keepResults(savedResults, result);
      node = made;
    }
    if (target != null) {
      Places.rewrittenBy(target, node, 0, OperatorNode.place(args, self));
      return result;
    }
    return attach(node, result, viewed >= 0 ? (Tensor) args[viewed] : null, args);
  }

  /** What has a derivative gives numbers that have one; a conversion alone may end in integers. */
  private void requireFloating(Object result) {
    if (rule != null
        && self < 0
        && !name.equals(CONVERSION)
        && result instanceof Tensor t
        && !t.dtype().isFloating()
        && !rule.derivative.undifferentiable().contains(0)) {
      throw new IllegalStateException(
          name
              + ": a result of dtype "
              + t.dtype()
              + " has no gradient, but one of the arguments requires it; detach() that one");
    }
  }

  private static Object below(Operator op, DispatchKeySet keys, Object[] args) {
    try (var _ = Dispatcher.belowAutograd()) {
      return op.redispatch(keys.without(DispatchKeySet.AUTOGRADS), args);
    }
  }

  private static void point(Edges edges, Object[] args) {
    int at = 0;
    for (Object arg : args) {
      int width = OperatorNode.width(arg);
      if (arg instanceof Tensor t) {
        edges.set(at, t);
      } else if (width > 0) {
        int i = at;
        for (Object element : (List<?>) arg) {
          edges.set(i++, (Tensor) element);
        }
      }
      at += width;
    }
  }

  /** An input that no formula speaks of may not want a gradient. */
  private void requireKnown(Object[] args, Edges edges) {
    int at = 0;
    for (int i = 0; i < args.length; i++) {
      int width = OperatorNode.width(args[i]);
      for (int j = at; j < at + width; j++) {
        if (edges.wants(j) && (rule.known & 1L << i) == 0) {
          throw new UnsupportedOperationException(
              name + ": the derivative for '" + rule.argumentName(i) + "' is not implemented");
        }
      }
      at += width;
    }
  }

  /** What the results' gradients look like; null if no result can have one. */
  private Header[] headers(Object result) {
    Object[] all =
        switch (result) {
          case Tensor t -> new Object[] {t};
          case List<?> list -> list.toArray();
          case Object[] several -> several;
          case null, default -> new Object[0];
        };
    Header[] headers = new Header[all.length];
    boolean any = false;
    for (int i = 0; i < all.length; i++) {
      if (all[i] instanceof Tensor t
          && t.dtype().isFloating()
          && (rule == null || !rule.derivative.undifferentiable().contains(i))) {
        headers[i] = Header.of(t);
        any = true;
      }
    }
    return any ? headers : null;
  }

  private Object attach(Node node, Object result, Tensor source, Object[] args) {
    switch (result) {
      case Tensor t -> {
        return attach(node, 0, t, source, args, false);
      }
      case List<?> list -> {
        Object[] all = list.toArray();
        for (int i = 0; i < all.length; i++) {
          all[i] = attach(node, i, all[i], source, args, source != null);
        }
        return Arrays.asList(all);
      }
      case Object[] several -> {
        for (int i = 0; i < several.length; i++) {
          several[i] = attach(node, i, several[i], null, args, false);
        }
        return several;
      }
      case null, default -> {
        return result;
      }
    }
  }

  private static Object attach(
      Node node, int i, Object made, Tensor source, Object[] args, boolean oneOfMany) {
    if (!(made instanceof Tensor given) || node.outputs[i] == null) {
      return made;
    }
    Tensor t = given;
    for (Object arg : args) {
      if (arg == given) {
        t = TensorAccess.detached(given); // a header of its own: the argument has its own place
      }
    }
    if (source != null && source.storage() == t.storage()) {
      Places.viewMadeBy(t, source, node, i, oneOfMany);
    } else {
      Places.madeBy(t, node, i);
    }
    return t;
  }
}
