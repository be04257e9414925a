package dev.jcomms.tensor.internal.autograd.formulas;

import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import dev.jcomms.tensor.autograd.Derivative;
import dev.jcomms.tensor.autograd.Derivative.Context;
import java.util.Arrays;
import java.util.List;

/** Convolution, and the gradient of its gradient, which is three convolutions. */
final class ConvolutionFormulas {
  private ConvolutionFormulas() {}

  static void into(Book book) {
    book.add(
        "convolution",
        Derivative.of()
            .joint(
                List.of("input", "weight", "bias"),
                c ->
                    backward(
                        c,
                        c.grad(),
                        c.tensor("input"),
                        c.tensor("weight"),
                        c.value("bias") == null ? null : c.shape("bias").toArray(),
                        c.needs("input"),
                        c.needs("weight"),
                        c.needs("bias")),
                "input",
                "weight"));
    book.add(
        "convolution_backward",
        Derivative.of()
            .joint(
                List.of("grad_output", "input", "weight"),
                ConvolutionFormulas::twice,
                "grad_output",
                "input",
                "weight"));
  }

  private static Tensor[] backward(
      Context c, Tensor grad, Tensor input, Tensor weight, long[] bias, boolean... wanted) {
    return Call.several(
        "convolution_backward",
        grad,
        input,
        weight,
        bias,
        c.integers("stride"),
        c.integers("padding"),
        c.integers("dilation"),
        c.flag("transposed"),
        c.integers("output_padding"),
        c.integer("groups"),
        wanted);
  }

  private static Tensor forward(Context c, Tensor input, Tensor weight) {
    return Call.of(
        "convolution",
        input,
        weight,
        null,
        c.integers("stride"),
        c.integers("padding"),
        c.integers("dilation"),
        c.flag("transposed"),
        c.integers("output_padding"),
        c.integer("groups"));
  }

  private static Tensor[] twice(Context c) {
    Tensor byInput = c.grad(0);
    Tensor byWeight = c.grad(1);
    Tensor byBias = c.grad(2);
    Tensor grad = c.tensor("grad_output");
    Tensor input = c.tensor("input");
    Tensor weight = c.tensor("weight");
    Tensor[] found = new Tensor[3];
    if (c.needs("grad_output")) {
      found[0] = sum(found[0], byInput == null ? null : forward(c, byInput, weight));
      found[0] = sum(found[0], byWeight == null ? null : forward(c, input, byWeight));
      if (byBias != null) {
        long[] sizes = new long[grad.shape().dims()];
        Arrays.fill(sizes, 1);
        sizes[1] = byBias.elements();
        Tensor spread = Call.reshape(byBias, Shape.of(sizes));
        found[0] = sum(found[0], Call.expand(spread, grad.shape()));
      }
    }
    if (c.needs("input") && byWeight != null) {
      found[1] = backward(c, grad, input, byWeight, null, true, false, false)[0];
    }
    if (c.needs("weight") && byInput != null) {
      found[2] = backward(c, grad, byInput, weight, null, false, true, false)[1];
    }
    return found;
  }

  private static Tensor sum(Tensor a, Tensor b) {
    return a == null ? b : b == null ? a : Call.add(a, b);
  }
}
