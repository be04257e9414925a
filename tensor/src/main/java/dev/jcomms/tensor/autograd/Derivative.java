package dev.jcomms.tensor.autograd;

import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Device;
import dev.jcomms.tensor.Scalar;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/**
 * The gradient of an operator: a formula for each input that has one. Immutable; made by {@link
 * #of} and given to {@code Library.derivative}.
 *
 * <pre>{@code
 * Library.impl("my", DispatchKey.AUTOGRAD, m -> m.derivative("scale", Derivative.of()
 *     .wrt("self", c -> Ops.mul(c.grad(), c.tensor("factor")), "factor")
 *     .wrt("factor", c -> Ops.mul(c.grad(), c.tensor("self")), "self")));
 * }</pre>
 *
 * <p>A formula runs only if its input wants a gradient, and only then are the tensors kept that it
 * names: arguments by their name, results as {@code result}, or {@code result0}, {@code result1}.
 * Everything else of the call, shapes included, is always there. Its result is summed to the
 * input's shape where that was broadcast, and converted to its dtype. Formulas made of operators
 * can be differentiated themselves.
 */
public final class Derivative {
  /** What a formula is given: the gradients of the results, and the call as it was. */
  public interface Context {
    /** The gradient of the first result. */
    Tensor grad();

    /** The gradient of one result; null if nothing depends on it. */
    Tensor grad(int result);

    /** Whether this input wants a gradient: for formulas of several. */
    boolean needs(String input);

    /** Whether the i-th tensor of a list wants a gradient. */
    boolean needs(String input, int i);

    /** A tensor that the formula named: an argument or a result; null if it was not given. */
    Tensor tensor(String name);

    /** A list of tensors that the formula named. */
    List<Tensor> tensors(String name);

    /** The shape of any tensor of the call, kept or not. */
    Shape shape(String name);

    /** The shapes of a list of tensors. */
    List<Shape> shapes(String name);

    DType dtype(String name);

    Device device(String name);

    /** The strides of any tensor of the call; not to be written. */
    long[] strides(String name);

    /** Where any tensor of the call began in its storage. */
    long offset(String name);

    /** Any other argument, as kernels get it. */
    Object value(String name);

    default long integer(String name) {
      return (Long) value(name);
    }

    default double number(String name) {
      return (Double) value(name);
    }

    default boolean flag(String name) {
      return (Boolean) value(name);
    }

    default long[] integers(String name) {
      return (long[]) value(name);
    }

    default Scalar scalar(String name) {
      return (Scalar) value(name);
    }
  }

  /** One formula, for the inputs it gives the gradients of, and the tensors it needs. */
  public record Formula(
      List<String> inputs, Function<Context, Tensor[]> body, List<String> saves) {}

  private static final Derivative NONE = new Derivative(List.of(), Set.of(), Set.of(), true);

  private final List<Formula> formulas;
  private final Set<String> constants;
  private final Set<Integer> undifferentiable;
  private final boolean none;

  private Derivative(
      List<Formula> formulas, Set<String> constants, Set<Integer> undifferentiable, boolean none) {
    this.formulas = List.copyOf(formulas);
    this.constants = Set.copyOf(constants);
    this.undifferentiable = Set.copyOf(undifferentiable);
    this.none = none;
  }

  /** To be filled by {@link #wrt}. */
  public static Derivative of() {
    return new Derivative(List.of(), Set.of(), Set.of(), false);
  }

  /** Of an operator whose results never require a gradient, such as {@code zeros_like}. */
  public static Derivative none() {
    return NONE;
  }

  /** Adds the formula of one tensor argument. */
  public Derivative wrt(String input, Function<Context, Tensor> formula, String... saves) {
    return with(List.of(input), c -> new Tensor[] {formula.apply(c)}, saves);
  }

  /** Adds the formula of an argument that is a list: one gradient for each of its tensors. */
  public Derivative wrtList(
      String input, Function<Context, List<Tensor>> formula, String... saves) {
    return with(List.of(input), c -> formula.apply(c).toArray(Tensor[]::new), saves);
  }

  /** Adds one formula for several arguments, which gives their gradients in that order. */
  public Derivative joint(
      List<String> inputs, Function<Context, Tensor[]> formula, String... saves) {
    return with(inputs, formula, saves);
  }

  /** Tensor arguments that may require a gradient and get none. */
  public Derivative constant(String... inputs) {
    Set<String> all = new HashSet<>(constants);
    all.addAll(List.of(inputs));
    return new Derivative(formulas, all, undifferentiable, none);
  }

  /** Results that require no gradient though they are floating. */
  public Derivative undifferentiable(Integer... results) {
    Set<Integer> all = new HashSet<>(undifferentiable);
    all.addAll(List.of(results));
    return new Derivative(formulas, constants, all, none);
  }

  private Derivative with(
      List<String> inputs, Function<Context, Tensor[]> formula, String... saves) {
    for (Formula f : formulas) {
      for (String input : inputs) {
        if (f.inputs.contains(input)) {
          throw new IllegalArgumentException("derivative: two formulas for '" + input + "'");
        }
      }
    }
    List<Formula> all = new ArrayList<>(formulas);
    all.add(new Formula(List.copyOf(inputs), formula, List.of(saves)));
    return new Derivative(all, constants, undifferentiable, none);
  }

  public List<Formula> formulas() {
    return formulas;
  }

  public Set<String> constants() {
    return constants;
  }

  public Set<Integer> undifferentiable() {
    return undifferentiable;
  }

  /** Whether this is {@link #none}. */
  public boolean isNone() {
    return none;
  }
}
