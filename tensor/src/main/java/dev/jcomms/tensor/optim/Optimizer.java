package dev.jcomms.tensor.optim;

import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import dev.jcomms.tensor.autograd.GradMode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Changes parameters by their gradients, a step at a time. Used by one thread at a time.
 *
 * <pre>{@code
 * var optimizer = Sgd.newBuilder(parameters).lr(0.1).momentum(0.9).build();
 * loss.backward();
 * optimizer.step();
 * optimizer.zeroGrad();
 * }</pre>
 *
 * <p>A parameter without a gradient is left alone. What an optimizer remembers between steps is its
 * {@link #state}: tensors by name, that can be kept and given to another one of the same kind.
 */
public abstract sealed class Optimizer permits Sgd, Adam {
  /** The one state that is a number: a 0-d tensor on the cpu, whatever the parameter is. */
  static final String STEP = "step";

  private final List<Tensor> parameters;
  private double lr;

  Optimizer(Collection<Tensor> parameters, double lr) {
    this.parameters = List.copyOf(parameters);
    if (this.parameters.isEmpty()) {
      throw new IllegalArgumentException(name() + ": no parameters are given");
    }
    var seen = Collections.newSetFromMap(new IdentityHashMap<Tensor, Boolean>());
    for (Tensor parameter : this.parameters) {
      if (!parameter.isLeaf()) {
        throw new IllegalArgumentException(
            name() + ": a parameter is the result of an operator; only leaves can be optimized");
      }
      if (!seen.add(parameter)) {
        throw new IllegalArgumentException(name() + ": a parameter is given twice");
      }
    }
    lr(lr);
  }

  /** The parameters, in the order they were given in. */
  public final List<Tensor> parameters() {
    return parameters;
  }

  /** The learning rate. */
  public final double lr() {
    return lr;
  }

  /** Changes the learning rate, from the next step on. */
  public final void lr(double lr) {
    this.lr = notNegative("lr", lr);
  }

  /** Changes every parameter that has a gradient. */
  public final void step() {
    try (var _ = GradMode.noGrad()) {
      for (int i = 0; i < parameters.size(); i++) {
        Tensor grad = parameters.get(i).grad();
        if (grad != null) {
          update(i, parameters.get(i), grad);
        }
      }
    }
  }

  /** Forgets all gradients. */
  public final void zeroGrad() {
    parameters.forEach(Tensor::zeroGrad);
  }

  /**
   * A copy of what is remembered, by names such as {@code 0.momentum_buffer}: the parameter's
   * position, then PyTorch's name.
   */
  public final Map<String, Tensor> state() {
    Map<String, Tensor> all = new LinkedHashMap<>();
    for (int i = 0; i < parameters.size(); i++) {
      String prefix = i + ".";
      state(i).forEach((name, tensor) -> all.put(prefix + name, tensor.copy()));
    }
    return all;
  }

  /**
   * Goes on from a state that {@link #state} gave, copying it to the parameters' devices and
   * dtypes; what it has not is as at the start.
   *
   * @throws IllegalArgumentException if it names what there is not, or a tensor does not fit
   */
  public final void restore(Map<String, Tensor> state) {
    List<Map<String, Tensor>> sorted = new ArrayList<>();
    parameters.forEach(_ -> sorted.add(new LinkedHashMap<>()));
    state.forEach(
        (key, tensor) -> {
          int dot = key.indexOf('.');
          int i =
              dot > 0 && key.substring(0, dot).matches("[0-9]{1,9}")
                  ? Integer.parseInt(key.substring(0, dot))
                  : -1;
          String name = key.substring(dot + 1);
          if (i < 0 || i >= parameters.size() || !stateNames().contains(name)) {
            throw new IllegalArgumentException(
                name()
                    + ": state '"
                    + key
                    + "' is not known; there are N."
                    + String.join(", N.", stateNames())
                    + " for N below "
                    + parameters.size());
          }
          Tensor parameter = parameters.get(i);
          boolean number = name.equals(STEP);
          Shape fitting = number ? Shape.scalar() : parameter.shape();
          if (!tensor.shape().equals(fitting)) {
            throw new IllegalArgumentException(
                name()
                    + ": state '"
                    + key
                    + "' has shape "
                    + tensor.shape()
                    + (number ? "; a number has " : "; its parameter has ")
                    + fitting);
          }
          Tensor moved = number ? tensor : tensor.to(parameter.device(), parameter.dtype());
          sorted.get(i).put(name, moved == tensor ? tensor.copy() : moved);
        });
    for (int i = 0; i < sorted.size(); i++) {
      restore(i, sorted.get(i));
    }
  }

  abstract String name();

  abstract List<String> stateNames();

  abstract void update(int i, Tensor parameter, Tensor grad);

  abstract Map<String, Tensor> state(int i);

  abstract void restore(int i, Map<String, Tensor> state);

  final double notNegative(String what, double value) {
    if (!(value >= 0)) {
      throw new IllegalArgumentException(
          name() + ": " + what + "=" + value + " is negative or NaN");
    }
    return value;
  }
}
