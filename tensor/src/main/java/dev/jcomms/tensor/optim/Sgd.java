package dev.jcomms.tensor.optim;

import dev.jcomms.tensor.Ops;
import dev.jcomms.tensor.Scalar;
import dev.jcomms.tensor.Tensor;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/** Stochastic gradient descent, with momentum if asked for: PyTorch's {@code SGD}. */
public final class Sgd extends Optimizer {
  private static final String BUFFER = "momentum_buffer";

  private final double momentum;
  private final double dampening;
  private final double weightDecay;
  private final boolean nesterov;
  private final boolean maximize;
  private final Tensor[] buffers;

  private Sgd(Builder b) {
    super(b.parameters, b.lr);
    momentum = notNegative("momentum", b.momentum);
    dampening = b.dampening;
    weightDecay = notNegative("weightDecay", b.weightDecay);
    nesterov = b.nesterov;
    maximize = b.maximize;
    if (nesterov && (momentum <= 0 || dampening != 0)) {
      throw new IllegalArgumentException(
          "sgd: nesterov needs a momentum and no dampening; momentum="
              + momentum
              + ", dampening="
              + dampening);
    }
    buffers = new Tensor[parameters().size()];
  }

  public static Builder newBuilder(Collection<Tensor> parameters) {
    return new Builder(parameters);
  }

  /** What it is made with; lr is 0.001 and all else is 0 unless set. Used by one thread. */
  public static final class Builder {
    private final Collection<Tensor> parameters;
    private double lr = 1e-3;
    private double momentum;
    private double dampening;
    private double weightDecay;
    private boolean nesterov;
    private boolean maximize;

    private Builder(Collection<Tensor> parameters) {
      this.parameters = parameters;
    }

    public Builder lr(double lr) {
      this.lr = lr;
      return this;
    }

    public Builder momentum(double momentum) {
      this.momentum = momentum;
      return this;
    }

    public Builder dampening(double dampening) {
      this.dampening = dampening;
      return this;
    }

    public Builder weightDecay(double weightDecay) {
      this.weightDecay = weightDecay;
      return this;
    }

    public Builder nesterov(boolean nesterov) {
      this.nesterov = nesterov;
      return this;
    }

    public Builder maximize(boolean maximize) {
      this.maximize = maximize;
      return this;
    }

    public Sgd build() {
      return new Sgd(this);
    }
  }

  @Override
  void update(int i, Tensor parameter, Tensor grad) {
    Tensor by = maximize ? Ops.neg(grad) : grad;
    if (weightDecay != 0) {
      by = Ops.add(by, parameter, Scalar.of(weightDecay));
    }
    if (momentum != 0) {
      if (buffers[i] == null) {
        buffers[i] = Ops.clone(by);
      } else {
        Ops.add_(Ops.mul_(buffers[i], Scalar.of(momentum)), by, Scalar.of(1 - dampening));
      }
      by = nesterov ? Ops.add(by, buffers[i], Scalar.of(momentum)) : buffers[i];
    }
    Ops.add_(parameter, by, Scalar.of(-lr()));
  }

  @Override
  String name() {
    return "sgd";
  }

  @Override
  List<String> stateNames() {
    return List.of(BUFFER);
  }

  @Override
  Map<String, Tensor> state(int i) {
    return buffers[i] == null ? Map.of() : Map.of(BUFFER, buffers[i]);
  }

  @Override
  void restore(int i, Map<String, Tensor> state) {
    buffers[i] = state.get(BUFFER);
  }
}
