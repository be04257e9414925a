package dev.jcomms.tensor.optim;

import dev.jcomms.tensor.Ops;
import dev.jcomms.tensor.Scalar;
import dev.jcomms.tensor.Tensor;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Adam, or by {@link #decoupled} AdamW, whose weight decay is apart from the moments: PyTorch's
 * {@code Adam} and {@code AdamW}, {@code amsgrad} included.
 */
public final class Adam extends Optimizer {
  private static final String FIRST = "exp_avg";
  private static final String SECOND = "exp_avg_sq";
  private static final String LARGEST = "max_exp_avg_sq";

  /** What is remembered of one parameter. */
  private static final class Moments {
    long step;
    Tensor first;
    Tensor second;
    Tensor largest; // null without amsgrad
  }

  private final double beta1;
  private final double beta2;
  private final double eps;
  private final double weightDecay;
  private final boolean decoupled;
  private final boolean amsgrad;
  private final boolean maximize;
  private final Moments[] moments;

  private Adam(Builder b) {
    decoupled = b.decoupled; // first, since messages name the optimizer by it
    super(b.parameters, b.lr);
    beta1 = beta(0, b.beta1);
    beta2 = beta(1, b.beta2);
    eps = notNegative("eps", b.eps);
    weightDecay =
        notNegative("weightDecay", b.weightDecay != null ? b.weightDecay : decoupled ? 1e-2 : 0);
    amsgrad = b.amsgrad;
    maximize = b.maximize;
    moments = new Moments[parameters().size()];
  }

  /** Adam. */
  public static Builder newBuilder(Collection<Tensor> parameters) {
    return new Builder(parameters, false);
  }

  /** AdamW, whose weight decay is 0.01 unless set. */
  public static Builder decoupled(Collection<Tensor> parameters) {
    return new Builder(parameters, true);
  }

  /**
   * What it is made with; lr is 0.001, betas are 0.9 and 0.999, eps is 1e-8 unless set. Used by one
   * thread.
   */
  public static final class Builder {
    private final Collection<Tensor> parameters;
    private final boolean decoupled;
    private double lr = 1e-3;
    private double beta1 = 0.9;
    private double beta2 = 0.999;
    private double eps = 1e-8;
    private Double weightDecay;
    private boolean amsgrad;
    private boolean maximize;

    private Builder(Collection<Tensor> parameters, boolean decoupled) {
      this.parameters = parameters;
      this.decoupled = decoupled;
    }

    public Builder lr(double lr) {
      this.lr = lr;
      return this;
    }

    public Builder betas(double beta1, double beta2) {
      this.beta1 = beta1;
      this.beta2 = beta2;
      return this;
    }

    public Builder eps(double eps) {
      this.eps = eps;
      return this;
    }

    public Builder weightDecay(double weightDecay) {
      this.weightDecay = weightDecay;
      return this;
    }

    public Builder amsgrad(boolean amsgrad) {
      this.amsgrad = amsgrad;
      return this;
    }

    public Builder maximize(boolean maximize) {
      this.maximize = maximize;
      return this;
    }

    public Adam build() {
      return new Adam(this);
    }
  }

  private double beta(int which, double beta) {
    if (!(beta >= 0 && beta < 1)) {
      throw new IllegalArgumentException(
          name() + ": betas[" + which + "]=" + beta + " is not in [0, 1)");
    }
    return beta;
  }

  @Override
  void update(int i, Tensor parameter, Tensor grad) {
    Tensor by = maximize ? Ops.neg(grad) : grad;
    Moments m = moments[i];
    if (m == null) {
      m = moments[i] = new Moments();
      m.first = zeros(parameter);
      m.second = zeros(parameter);
      m.largest = amsgrad ? zeros(parameter) : null;
    }
    m.step++;
    if (decoupled) {
      if (weightDecay != 0) {
        Ops.mul_(parameter, Scalar.of(1 - lr() * weightDecay));
      }
    } else if (weightDecay != 0) {
      by = Ops.add(by, parameter, Scalar.of(weightDecay));
    }
    Ops.lerp_(m.first, by, Scalar.of(1 - beta1));
    Ops.addcmul_(Ops.mul_(m.second, Scalar.of(beta2)), by, by, Scalar.of(1 - beta2));
    Tensor second = m.second;
    if (amsgrad) {
      m.largest = second = Ops.maximum(m.largest, m.second);
    }
    double stepSize = lr() / (1 - Math.pow(beta1, m.step));
    double correction = Math.sqrt(1 - Math.pow(beta2, m.step));
    Tensor denominator =
        Ops.add_(Ops.div_(Ops.sqrt(second), Scalar.of(correction)), Scalar.of(eps));
    Ops.addcdiv_(parameter, m.first, denominator, Scalar.of(-stepSize));
  }

  private static Tensor zeros(Tensor like) {
    return Ops.fill_(Ops.empty(like.dtype(), like.shape().toArray(), like.device()), Scalar.ZERO);
  }

  @Override
  String name() {
    return decoupled ? "adamw" : "adam";
  }

  @Override
  List<String> stateNames() {
    return List.of(STEP, FIRST, SECOND, LARGEST);
  }

  @Override
  Map<String, Tensor> state(int i) {
    Moments m = moments[i];
    Map<String, Tensor> state = new LinkedHashMap<>();
    if (m != null) {
      state.put(STEP, Tensor.scalar((double) m.step));
      state.put(FIRST, m.first);
      state.put(SECOND, m.second);
      if (m.largest != null) {
        state.put(LARGEST, m.largest);
      }
    }
    return state;
  }

  @Override
  void restore(int i, Map<String, Tensor> state) {
    if (state.isEmpty()) {
      moments[i] = null;
      return;
    }
    for (String name : amsgrad ? stateNames() : List.of(STEP, FIRST, SECOND)) {
      if (!state.containsKey(name)) {
        throw new IllegalArgumentException(name() + ": state '" + i + "." + name + "' is missing");
      }
    }
    Moments m = new Moments();
    m.step = state.get(STEP).getLong();
    m.first = state.get(FIRST);
    m.second = state.get(SECOND);
    m.largest = amsgrad ? state.get(LARGEST) : null;
    moments[i] = m;
  }
}
