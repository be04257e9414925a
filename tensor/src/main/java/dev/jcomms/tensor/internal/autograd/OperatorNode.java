package dev.jcomms.tensor.internal.autograd;

import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Device;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import dev.jcomms.tensor.autograd.Derivative;
import java.util.ArrayList;
import java.util.List;

/**
 * A recorded call of an operator with a derivative. Of its tensors it keeps those that its formulas
 * name, of the others the header.
 */
final class OperatorNode extends Node {
  private final String name;
  private final Rule rule;
  private final boolean builtIn;
  private final Object[] args;
  private Object[] results; // those that are kept
  private boolean released;

  /**
   * @param args the call's, as {@link #keep} has left them
   */
  OperatorNode(
      String name, Rule rule, boolean builtIn, Object[] args, Edges edges, Header[] outputs) {
    super(outputs, edges);
    this.name = name;
    this.rule = rule;
    this.builtIn = builtIn;
    this.args = args;
  }

  @Override
  String name() {
    return name;
  }

  /** Which arguments the formulas of the wanted inputs need, as bits. */
  static long savedArguments(Rule rule, Object[] args, Edges edges) {
    long bits = 0;
    for (Rule.Part part : rule.parts) {
      bits |= isWanted(part, args, edges) ? part.savedArguments() : 0;
    }
    return bits;
  }

  static long savedResults(Rule rule, Object[] args, Edges edges) {
    long bits = 0;
    for (Rule.Part part : rule.parts) {
      bits |= isWanted(part, args, edges) ? part.savedResults() : 0;
    }
    return bits;
  }

  private static boolean isWanted(Rule.Part part, Object[] args, Edges edges) {
    for (int input : part.inputs()) {
      int at = place(args, input);
      for (int i = 0; i < width(args[input]); i++) {
        if (edges.wants(at + i)) {
          return true;
        }
      }
    }
    return false;
  }

  /** The first edge of an argument: tensors and lists before it have theirs. */
  static int place(Object[] args, int index) {
    int at = 0;
    for (int i = 0; i < index; i++) {
      at += width(args[i]);
    }
    return at;
  }

  /** How many edges an argument has. */
  static int width(Object arg) {
    return switch (arg) {
      case Tensor _, Saved _, Header _ -> 1;
      case List<?> list when list.isEmpty() || !isOther(list.getFirst()) -> list.size();
      case null, default -> 0;
    };
  }

  private static boolean isOther(Object element) {
    return !(element == null
        || element instanceof Tensor
        || element instanceof Saved
        || element instanceof Header);
  }

  /** Replaces the tensors of a call's arguments by what is kept of them. */
  static void keep(Object[] args, long saved) {
    for (int i = 0; i < args.length; i++) {
      boolean keep = (saved & 1L << i) != 0;
      if (args[i] instanceof Tensor t) {
        args[i] = keep ? new Saved(t) : Header.of(t);
      } else if (args[i] instanceof List<?> list && !list.isEmpty() && !isOther(list.getFirst())) {
        List<Object> kept = new ArrayList<>(list.size());
        for (Object o : list) {
          kept.add(o == null ? null : keep ? new Saved((Tensor) o) : Header.of((Tensor) o));
        }
        args[i] = kept;
      }
    }
  }

  void keepResults(long saved, Object result) {
    if (saved == 0) {
      return;
    }
    Object[] all = result instanceof Object[] several ? several : new Object[] {result};
    results = new Object[all.length];
    for (int i = 0; i < all.length; i++) {
      if ((saved & 1L << i) != 0 && all[i] instanceof Tensor t) {
        results[i] = new Saved(t);
      }
    }
  }

  @Override
  Tensor[] backward(Tensor[] gradients) {
    Pass pass = new Pass(gradients);
    Tensor[] inputs = new Tensor[edges.count()];
    for (Rule.Part part : rule.parts) {
      if (isWanted(part, args, edges)) {
        Tensor[] found = part.formula().body().apply(pass);
        place(part, found, inputs);
      }
    }
    return inputs;
  }

  private void place(Rule.Part part, Tensor[] found, Tensor[] inputs) {
    int from = 0;
    for (int input : part.inputs()) {
      int at = place(args, input);
      int width = width(args[input]);
      if (found == null || from + width > found.length) {
        if (found != null && width == 0) {
          continue;
        }
        throw new IllegalStateException(
            name
                + ": the formula for '"
                + rule.argumentName(input)
                + "' gave "
                + (found == null ? "nothing" : found.length + " gradients"));
      }
      for (int i = 0; i < width; i++) {
        inputs[at + i] = edges.wants(at + i) ? found[from + i] : null;
      }
      // An optional tensor that was not given still has its place in the formula's answer.
      from += args[input] == null ? 1 : width;
    }
  }

  @Override
  void release() {
    released = true;
    results = null;
    for (int i = 0; i < args.length; i++) {
      if (args[i] instanceof Saved saved) {
        args[i] = Header.of(saved.header());
      } else if (args[i] instanceof List<?> list
          && list.stream().anyMatch(Saved.class::isInstance)) {
        args[i] =
            list.stream()
                .<Object>map(o -> o instanceof Saved s ? Header.of(s.header()) : o)
                .toList();
      }
    }
  }

  @Override
  boolean gives(Tensor gradient) {
    if (!builtIn) {
      return false;
    }
    for (Object arg : args) {
      if (arg instanceof Saved saved && saved.header().storage() == gradient.storage()) {
        return false;
      }
      if (arg instanceof List<?> list) {
        for (Object o : list) {
          if (o instanceof Saved saved && saved.header().storage() == gradient.storage()) {
            return false;
          }
        }
      }
    }
    if (results != null) {
      for (Object result : results) {
        if (result instanceof Saved saved && saved.header().storage() == gradient.storage()) {
          return false;
        }
      }
    }
    return true;
  }

  /** The call as one backward pass sees it. */
  private final class Pass implements Derivative.Context {
    private final Tensor[] gradients;

    Pass(Tensor[] gradients) {
      this.gradients = gradients;
    }

    @Override
    public Tensor grad() {
      return gradients[0];
    }

    @Override
    public Tensor grad(int result) {
      return result < gradients.length ? gradients[result] : null;
    }

    @Override
    public boolean needs(String input) {
      int index = rule.index(input);
      int at = place(args, index);
      for (int i = 0; i < width(args[index]); i++) {
        if (edges.wants(at + i)) {
          return true;
        }
      }
      return false;
    }

    @Override
    public boolean needs(String input, int i) {
      return edges.wants(place(args, rule.index(input)) + i);
    }

    @Override
    public Tensor tensor(String name) {
      return unpack(kept(name), name);
    }

    @Override
    public List<Tensor> tensors(String name) {
      List<Tensor> all = new ArrayList<>();
      for (Object o : (List<?>) kept(name)) {
        all.add(unpack(o, name));
      }
      return all;
    }

    private Object kept(String name) {
      int index = rule.index(name);
      if (index >= 0) {
        return args[index];
      }
      if (released) {
        throw freed();
      }
      Object saved = results == null ? null : results[-1 - index];
      if (saved == null) {
        throw unnamed(name);
      }
      return saved;
    }

    private Tensor unpack(Object kept, String name) {
      return switch (kept) {
        case null -> null;
        case Saved saved -> saved.get(OperatorNode.this.name);
        case Header _ -> throw released ? freed() : unnamed(name);
        default -> throw unnamed(name);
      };
    }

    private IllegalStateException freed() {
      return new IllegalStateException(
          "Trying to backward through the graph a second time: what "
              + OperatorNode.this.name
              + " had kept was freed by the first pass; give that one retainGraph=true");
    }

    private IllegalArgumentException unnamed(String name) {
      return new IllegalArgumentException(
          OperatorNode.this.name
              + ": the formula uses tensor '"
              + name
              + "' but does not name it among those to keep");
    }

    private Header header(Object kept, String name) {
      return switch (kept) {
        case Saved saved -> Header.of(saved.header());
        case Header header -> header;
        case null, default ->
            throw new IllegalArgumentException(
                OperatorNode.this.name + ": '" + name + "' is no tensor of this call");
      };
    }

    private Object any(String name) {
      int index = rule.index(name);
      return index >= 0 ? args[index] : outputs[-1 - index];
    }

    @Override
    public Shape shape(String name) {
      return header(any(name), name).shape();
    }

    @Override
    public List<Shape> shapes(String name) {
      List<Shape> all = new ArrayList<>();
      for (Object o : (List<?>) any(name)) {
        all.add(header(o, name).shape());
      }
      return all;
    }

    @Override
    public DType dtype(String name) {
      return header(any(name), name).dtype();
    }

    @Override
    public Device device(String name) {
      return header(any(name), name).device();
    }

    @Override
    public long[] strides(String name) {
      return header(any(name), name).strides();
    }

    @Override
    public long offset(String name) {
      return header(any(name), name).offset();
    }

    @Override
    public Object value(String name) {
      return args[rule.index(name)];
    }
  }
}
