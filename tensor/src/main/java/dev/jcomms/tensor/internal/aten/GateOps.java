package dev.jcomms.tensor.internal.aten;

import static dev.jcomms.tensor.internal.aten.Elementwise.Rule.SAME;

import dev.jcomms.tensor.Generator;
import dev.jcomms.tensor.Ops;
import dev.jcomms.tensor.Scalar;
import dev.jcomms.tensor.Tensor;
import dev.jcomms.tensor.internal.TensorAccess;
import dev.jcomms.tensor.internal.cpu.GateFunctions;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;
import java.util.Arrays;

/** Activations that are gates, or made of pieces; and dropout of whole channels. */
final class GateOps {
  private static final Lookup LOOKUP = MethodHandles.lookup();

  private GateOps() {}

  static void define(Definitions d) {
    d.op("hardsigmoid(Tensor self) -> Tensor")
        .inPlace()
        .out("out")
        .cpu(Elementwise.unary(SAME, GateFunctions.HARDSIGMOID));
    d.op("hardswish(Tensor self) -> Tensor")
        .inPlace()
        .out("out")
        .cpu(Elementwise.unary(SAME, GateFunctions.HARDSWISH));
    d.op("mish(Tensor self) -> Tensor")
        .inPlace()
        .out("out")
        .cpu(Elementwise.unary(SAME, GateFunctions.MISH));
    d.op("hardshrink(Tensor self, Scalar lambd=0.5) -> Tensor")
        .out("out")
        .cpu(LOOKUP, "hardshrink");
    d.op("softshrink(Tensor self, Scalar lambd=0.5) -> Tensor")
        .out("out")
        .cpu(LOOKUP, "softshrink");
    d.op("hardsigmoid_backward(Tensor grad_output, Tensor self) -> Tensor")
        .out("grad_input", "grad_input")
        .cpu(Elementwise.binary(SAME, GateFunctions.HARDSIGMOID_BACKWARD));
    d.op("hardswish_backward(Tensor grad_output, Tensor self) -> Tensor")
        .cpu(LOOKUP, "hardswishBackward")
        .exactOut("out");
    d.op("mish_backward(Tensor grad_output, Tensor self) -> Tensor").cpu(LOOKUP, "mishBackward");
    d.op("hardshrink_backward(Tensor grad_out, Tensor self, Scalar lambd) -> Tensor")
        .out("grad_input", "grad_input")
        .cpu(LOOKUP, "shrinkBackward");
    d.op("softshrink_backward(Tensor grad_output, Tensor self, Scalar lambd) -> Tensor")
        .out("grad_input", "grad_input")
        .cpu(LOOKUP, "shrinkBackward");
    d.op("selu_(Tensor(a!) self) -> Tensor(a!)").composite(LOOKUP, "seluInPlace");
    d.op("relu6_(Tensor(a!) self) -> Tensor(a!)").composite(LOOKUP, "relu6InPlace");
    d.op("glu(Tensor self, int dim=-1) -> Tensor").composite(LOOKUP, "glu").out("out");
    d.op("glu_backward(Tensor grad_output, Tensor self, int dim) -> Tensor")
        .composite(LOOKUP, "gluBackward")
        .outAs(
            "glu_backward.grad_input(Tensor grad_output, Tensor self, int dim, *, Tensor(a!)"
                + " grad_input) -> Tensor(a!)");
    d.op("log_sigmoid_forward(Tensor self) -> (Tensor output, Tensor buffer)")
        .everywhere(LOOKUP, "logSigmoidForward")
        .outAs(
            "log_sigmoid_forward.output(Tensor self, *, Tensor(a!) output, Tensor(b!) buffer) ->"
                + " (Tensor(a!), Tensor(b!))");
    d.op("log_sigmoid_backward(Tensor grad_output, Tensor self, Tensor buffer) -> Tensor")
        .everywhere(LOOKUP, "logSigmoidBackward")
        .outAs(
            "log_sigmoid_backward.grad_input(Tensor grad_output, Tensor self, Tensor buffer, *,"
                + " Tensor(a!) grad_input) -> Tensor(a!)");
    d.op("prelu(Tensor self, Tensor weight) -> Tensor").composite(LOOKUP, "prelu");
    d.op("_prelu_kernel(Tensor self, Tensor weight) -> Tensor").cpu(LOOKUP, "preluKernel");
    d.op(
            "_prelu_kernel_backward(Tensor grad_output, Tensor self, Tensor weight) -> (Tensor,"
                + " Tensor)")
        .composite(LOOKUP, "preluKernelBackward");
    d.op(
            "rrelu(Tensor self, Scalar lower=0.125, Scalar upper=0.33333333333333331, bool"
                + " training=False, Generator? generator=None) -> Tensor")
        .composite(LOOKUP, "rrelu");
    d.op(
            "rrelu_(Tensor(a!) self, Scalar lower=0.125, Scalar upper=0.33333333333333331, bool"
                + " training=False, Generator? generator=None) -> Tensor(a!)")
        .composite(LOOKUP, "rreluInPlace");
    d.op("feature_dropout(Tensor input, float p, bool train) -> Tensor")
        .composite(LOOKUP, "featureDropout");
    d.op("feature_dropout_(Tensor(a!) self, float p, bool train) -> Tensor(a!)")
        .composite(LOOKUP, "featureDropoutInPlace");
    d.op("alpha_dropout(Tensor input, float p, bool train) -> Tensor")
        .composite(LOOKUP, "alphaDropout");
    d.op("feature_alpha_dropout(Tensor input, float p, bool train) -> Tensor")
        .composite(LOOKUP, "featureAlphaDropout");
  }

  static Tensor hardswishBackward(Tensor grad, Tensor self) {
    return Elementwise.run(
        GateFunctions.HARDSWISH_BACKWARD, SAME, Scalar.ZERO, Scalar.ZERO, null, grad, self);
  }

  static Tensor hardshrink(Tensor self, Scalar lambda, Tensor out) {
    Forms.requireSame("hardshrink", self.dtype(), out);
    return Elementwise.run(GateFunctions.HARDSHRINK, SAME, lambda, Scalar.ZERO, out, self);
  }

  static Tensor softshrink(Tensor self, Scalar lambda, Tensor out) {
    if (!(lambda.toDouble() >= 0)) {
      throw new IllegalArgumentException("softshrink: lambd=" + lambda + " must not be negative");
    }
    Forms.requireSame("softshrink", self.dtype(), out);
    return Elementwise.run(GateFunctions.SOFTSHRINK, SAME, lambda, Scalar.ZERO, out, self);
  }

  static Tensor shrinkBackward(Tensor grad, Tensor self, Scalar lambda, Tensor out) {
    return Elementwise.run(
        GateFunctions.SHRINK_BACKWARD, SAME, lambda, Scalar.ZERO, out, grad, self);
  }

  static Tensor mishBackward(Tensor grad, Tensor self) {
    return Elementwise.run(
        GateFunctions.MISH_BACKWARD, SAME, Scalar.ZERO, Scalar.ZERO, null, grad, self);
  }

  static Tensor seluInPlace(Tensor self) {
    return Ops.copy_(self, Ops.selu(self));
  }

  static Tensor relu6InPlace(Tensor self) {
    return Ops.clamp_(self, Scalar.ZERO, Scalar.of(6));
  }

  // ---- one half gates the other

  static Tensor glu(Tensor self, long dim) {
    int d = half("glu", self, dim);
    long middle = self.shape().size(d) / 2;
    Tensor first = Ops.slice(self, d, 0, middle, 1);
    Tensor second = Ops.slice(self, d, middle, 2 * middle, 1);
    return Ops.mul(first, Ops.sigmoid(second));
  }

  static Tensor gluBackward(Tensor grad, Tensor self, long dim) {
    int d = half("glu_backward", self, dim);
    long middle = self.shape().size(d) / 2;
    Tensor first = Ops.slice(self, d, 0, middle, 1);
    Tensor gate = Ops.sigmoid(Ops.slice(self, d, middle, 2 * middle, 1));
    Tensor byGate =
        Ops.mul(Ops.mul(grad, first), Ops.mul(gate, Ops.rsub(gate, Scalar.ONE, Scalar.ONE)));
    return Ops.cat(java.util.List.of(Ops.mul(grad, gate), byGate), d);
  }

  private static int half(String op, Tensor self, long dim) {
    int dims = self.shape().dims();
    if (dims == 0 || !self.dtype().isFloating()) {
      throw new IllegalArgumentException(
          op + ": needs floats of a dim or more, but is " + self.dtype() + self.shape());
    }
    int d = TensorAccess.wrap(dim, dims, op + " of " + self.shape());
    if (self.shape().size(d) % 2 != 0) {
      throw new IllegalArgumentException(
          op + ": size of dim=" + d + " must be even, but shape=" + self.shape());
    }
    return d;
  }

  // ---- the logarithm of the sigmoid

  /** The result, and {@code e^-|x|}, which its gradient needs. */
  static Tensor[] logSigmoidForward(Tensor self) {
    requireFloats("log_sigmoid_forward", self);
    Tensor buffer = Ops.exp(Ops.neg(Ops.abs(self)));
    Tensor zero = ScalarTensors.of(Scalar.ZERO, self.dtype(), self.device());
    Tensor out = Ops.sub(Ops.minimum(self, zero), Ops.log1p(buffer));
    return new Tensor[] {out, buffer};
  }

  static Tensor logSigmoidBackward(Tensor grad, Tensor self, Tensor buffer) {
    requireFloats("log_sigmoid_backward", self);
    Tensor share = Ops.div(buffer, Ops.add(buffer, Scalar.ONE));
    Tensor rest = Ops.rsub(share, Scalar.ONE, Scalar.ONE);
    return Ops.mul(grad, Ops.where(Ops.lt(self, Scalar.ZERO), rest, share));
  }

  // ---- slopes that are learned, or random

  static Tensor prelu(Tensor self, Tensor weight) {
    int dims = self.shape().dims();
    long channels = dims < 2 ? 1 : self.shape().size(1);
    if (weight.shape().dims() > 1 || weight.dtype() != self.dtype()) {
      throw new IllegalArgumentException(
          "prelu: weight must be a number or a line of "
              + self.dtype()
              + ", but is "
              + weight.dtype()
              + weight.shape());
    }
    if (weight.elements() != 1 && (dims == 0 || weight.elements() != channels)) {
      throw new IllegalArgumentException(
          "prelu: weight must have 1 element or as many as channels="
              + channels
              + ", but has "
              + weight.elements());
    }
    if (dims == 0) {
      return Ops._preluKernel(self, Ops.reshape(weight));
    }
    long[] sizes = new long[dims];
    Arrays.fill(sizes, 1);
    sizes[dims == 1 ? 0 : 1] = weight.elements();
    return Ops._preluKernel(self, Ops.reshape(weight, sizes));
  }

  static Tensor preluKernel(Tensor self, Tensor weight) {
    return Elementwise.run(GateFunctions.PRELU, SAME, Scalar.ZERO, Scalar.ZERO, null, self, weight);
  }

  static Tensor[] preluKernelBackward(Tensor grad, Tensor self, Tensor weight) {
    requireFloats("_prelu_kernel_backward", self);
    Tensor above = Ops.gt(self, Scalar.ZERO);
    Tensor zero = ScalarTensors.of(Scalar.ZERO, grad.dtype(), grad.device());
    return new Tensor[] {
      Ops.where(above, grad, Ops.mul(weight, grad)), Ops.where(above, zero, Ops.mul(self, grad))
    };
  }

  static Tensor rrelu(
      Tensor self, Scalar lower, Scalar upper, boolean training, Generator generator) {
    if (!(lower.toDouble() <= upper.toDouble())) {
      throw new IllegalArgumentException(
          "rrelu: lower=" + lower + " must not be above upper=" + upper);
    }
    if (!training) {
      return Ops.leakyRelu(self, Scalar.of((lower.toDouble() + upper.toDouble()) / 2));
    }
    Tensor slopes = Ops.empty(self.dtype(), self.shape().toArray(), self.device());
    Ops.uniform_(slopes, lower.toDouble(), upper.toDouble(), generator);
    return Ops.where(Ops.gt(self, Scalar.ZERO), self, Ops.mul(self, slopes));
  }

  static Tensor rreluInPlace(
      Tensor self, Scalar lower, Scalar upper, boolean training, Generator generator) {
    return Ops.copy_(self, rrelu(self, lower, upper, training, generator));
  }

  // ---- dropout of channels, and one that keeps mean and variance

  static Tensor featureDropout(Tensor input, double p, boolean train) {
    requireShare("feature_dropout", p);
    if (p == 0 || !train || input.elements() == 0) {
      return input;
    }
    if (p == 1) {
      return Ops.mul(input, Scalar.ZERO);
    }
    Tensor kept = Ops.bernoulli_(channels(input), 1 - p, null);
    return Ops.mul(input, Ops.div(kept, Scalar.of(1 - p)));
  }

  static Tensor featureDropoutInPlace(Tensor self, double p, boolean train) {
    Tensor out = featureDropout(self, p, train);
    return out == self ? self : Ops.copy_(self, out);
  }

  static Tensor alphaDropout(Tensor input, double p, boolean train) {
    requireShare("alpha_dropout", p);
    return p == 0 || !train || input.elements() == 0
        ? input
        : saturated(input, p, Ops.empty(input.dtype(), input.shape().toArray(), input.device()));
  }

  static Tensor featureAlphaDropout(Tensor input, double p, boolean train) {
    requireShare("feature_alpha_dropout", p);
    return p == 0 || !train || input.elements() == 0 ? input : saturated(input, p, channels(input));
  }

  /** What is dropped becomes what selu gives far below zero. */
  private static Tensor saturated(Tensor input, double p, Tensor noise) {
    if (p == 1) {
      return Ops.mul(input, Scalar.ZERO);
    }
    requireFloats("alpha_dropout", input);
    double alpha = 1.7580993408473766;
    double scale = 1 / Math.sqrt((alpha * alpha * p + 1) * (1 - p));
    Tensor kept = Ops.bernoulli_(noise, 1 - p, null);
    Tensor offset =
        Ops.add(
            Ops.mul(Ops.add(kept, Scalar.of(-1.0)), Scalar.of(alpha * scale)),
            Scalar.of(alpha * scale * p));
    return Ops.add(Ops.mul(input, Ops.mul(kept, Scalar.of(scale))), offset);
  }

  private static void requireFloats(String op, Tensor self) {
    if (!self.dtype().isFloating()) {
      throw new IllegalArgumentException("\"" + op + "\" is not implemented for " + self.dtype());
    }
  }

  private static void requireShare(String op, double p) {
    if (!(p >= 0 && p <= 1)) {
      throw new IllegalArgumentException(op + ": p=" + p + " is not within 0 and 1");
    }
  }

  /** One number for each sample's channel. */
  private static Tensor channels(Tensor input) {
    requireFloats("feature_dropout", input);
    if (input.shape().dims() < 2) {
      throw new IllegalArgumentException(
          "feature dropout: needs channels, so at least 2 dims, but has shape=" + input.shape());
    }
    long[] sizes = input.shape().toArray();
    Arrays.fill(sizes, 2, sizes.length, 1);
    return Ops.empty(input.dtype(), sizes, input.device());
  }
}
