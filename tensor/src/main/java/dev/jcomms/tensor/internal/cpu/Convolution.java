package dev.jcomms.tensor.internal.cpu;

import static dev.jcomms.tensor.internal.cpu.Refusals.check;

import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import java.lang.ref.Reference;
import java.util.Arrays;

/**
 * Convolution of one and two dimensions, forward and backward, plain and transposed.
 *
 * <p>A transposed convolution is the plain one's gradient of the input, so the three products of
 * {@link ConvolutionProducts} are all there is: which of them serves as forward, which as which
 * gradient, is decided here.
 */
public final class Convolution {
  private Convolution() {}

  public static Tensor convolution(
      Tensor input,
      Tensor weight,
      Tensor bias,
      long[] stride,
      long[] padding,
      long[] dilation,
      boolean transposed,
      long[] outputPadding,
      long groups) {
    String op = "convolution";
    Form form =
        Form.of(op, input, weight, stride, padding, dilation, transposed, outputPadding, groups);
    if (bias != null) {
      check(
          bias.shape().dims() == 1 && bias.elements() == form.outChannels(),
          op
              + ": bias must have "
              + form.outChannels()
              + " elements, one an output channel, but has shape="
              + bias.shape());
      Refusals.same(op, "input", input, "bias", bias);
    }
    DType dtype = input.dtype();
    DType working = working(dtype);
    Tensor x = form.flat(Dense.of(input.to(working)));
    Tensor w = form.flat(Dense.of(weight.to(working)));
    Tensor out = Tensor.zeros(working, form.outShape());
    if (transposed) {
      ConvolutionProducts.inputGradient(form.geometry, x, w, out);
    } else {
      ConvolutionProducts.forward(form.geometry, x, w, out);
    }
    if (bias != null) {
      addChannels(out, bias.to(working));
    }
    return form.unflat(out).to(dtype);
  }

  /** Gradients of input, weight and bias; null where the mask says that nobody wants one. */
  public static Tensor[] backward(
      Tensor gradOutput,
      Tensor input,
      Tensor weight,
      long[] biasSizes,
      long[] stride,
      long[] padding,
      long[] dilation,
      boolean transposed,
      long[] outputPadding,
      long groups,
      boolean[] outputMask) {
    String op = "convolution_backward";
    Form form =
        Form.of(op, input, weight, stride, padding, dilation, transposed, outputPadding, groups);
    Refusals.floating(op, input);
    Refusals.same(op, "grad_output", gradOutput, "input", input);
    Shape expected = form.unflatShape(form.outShape());
    check(
        gradOutput.shape().equals(expected),
        op + ": grad_output must have shape=" + expected + ", but has " + gradOutput.shape());
    DType dtype = input.dtype();
    DType working = working(dtype);
    Tensor g = form.flat(Dense.of(gradOutput.to(working)));
    Tensor x = form.flat(Dense.of(input.to(working)));
    Tensor w = form.flat(Dense.of(weight.to(working)));
    Tensor gradInput = null;
    Tensor gradWeight = null;
    Tensor gradBias = null;
    if (outputMask[0]) {
      Tensor grad = Tensor.zeros(working, x.shape());
      if (transposed) {
        ConvolutionProducts.forward(form.geometry, g, w, grad);
      } else {
        ConvolutionProducts.inputGradient(form.geometry, g, w, grad);
      }
      gradInput = grad.view(input.shape()).to(dtype);
    }
    if (outputMask[1]) {
      Tensor grad = Tensor.zeros(working, w.shape());
      if (transposed) {
        ConvolutionProducts.weightGradient(form.geometry, x, g, grad);
      } else {
        ConvolutionProducts.weightGradient(form.geometry, g, x, grad);
      }
      gradWeight = grad.view(weight.shape()).to(dtype);
    }
    if (outputMask[2]) {
      gradBias = sumChannels(g).to(dtype);
    }
    return new Tensor[] {gradInput, gradWeight, gradBias};
  }

  /** Sums of narrow floats are kept in f32. */
  private static DType working(DType dtype) {
    return switch (dtype) {
      case F16, BF16 -> DType.F32;
      case BOOL, F8E4M3, F8E5M2 -> throw Refusals.dtype("convolution", dtype);
      default -> dtype;
    };
  }

  private static void addChannels(Tensor out, Tensor bias) {
    long places = out.shape().size(2) * out.shape().size(3);
    Tensor b = Dense.of(bias);
    DType dtype = out.dtype();
    long channels = out.shape().size(1);
    for (long i = 0; i < out.shape().size(0) * channels; i++) {
      long from = Dense.address(b) + i % channels * dtype.bytes();
      for (long p = 0; p < places; p++) {
        Deposit.ADD.apply(
            dtype, Dense.address(out) + (i * places + p) * dtype.bytes(), from, dtype.isFloating());
      }
    }
    Reference.reachabilityFence(b);
    Reference.reachabilityFence(out);
  }

  private static Tensor sumChannels(Tensor g) {
    int channels = (int) g.shape().size(1);
    int places = Math.toIntExact(g.shape().size(2) * g.shape().size(3));
    double[] sums = new double[channels];
    double[] line = new double[places];
    for (long i = 0; i < g.shape().size(0) * channels; i++) {
      Lines.read(Dense.address(g) + i * places * g.dtype().bytes(), g.dtype(), line, places);
      double sum = 0;
      for (double v : line) {
        sum += v;
      }
      sums[(int) (i % channels)] += sum;
    }
    Reference.reachabilityFence(g);
    return Tensor.wrap(sums).to(g.dtype()).copy();
  }

  /**
   * A checked call, in two dimensions: one of one dimension has a height of 1.
   *
   * @param geometry of the plain convolution, from what is its input to what is its output
   */
  private record Form(
      int dims, ConvolutionProducts.Geometry geometry, boolean transposed, long batch) {

    static Form of(
        String op,
        Tensor input,
        Tensor weight,
        long[] stride,
        long[] padding,
        long[] dilation,
        boolean transposed,
        long[] outputPadding,
        long groups) {
      int dims = weight.shape().dims() - 2;
      check(
          dims == 1 || dims == 2,
          op + ": weight must have 3 or 4 dims, but has shape=" + weight.shape());
      check(
          input.shape().dims() == dims + 2,
          op + ": input must have " + (dims + 2) + " dims, but has shape=" + input.shape());
      Refusals.same(op, "input", input, "weight", weight);
      check(groups > 0, op + ": groups=" + groups + " must be positive");
      long rows = weight.shape().size(0);
      check(
          rows >= groups && rows % groups == 0,
          op + ": weight of shape=" + weight.shape() + " does not divide into groups=" + groups);
      long channels = input.shape().size(1);
      check(
          channels == (transposed ? rows : weight.shape().size(1) * groups),
          op
              + ": input of shape="
              + input.shape()
              + " has "
              + channels
              + " channels, which weight of shape="
              + weight.shape()
              + " with groups="
              + groups
              + " does not take");
      Window[] windows = new Window[2];
      windows[0] = new Window(1, 1, 1, 0, 1, 1);
      for (int d = 0; d < dims; d++) {
        int s = positive(op, "stride", stride, d, dims, 1);
        int p = positive(op, "padding", padding, d, dims, 0);
        int l = positive(op, "dilation", dilation, d, dims, 1);
        int extra = transposed ? positive(op, "output_padding", outputPadding, d, dims, 0) : 0;
        int length = Math.toIntExact(weight.shape().size(2 + d));
        long size = input.shape().size(2 + d);
        if (transposed) {
          check(
              extra < s || extra < l,
              op
                  + ": output_padding="
                  + extra
                  + " must be below stride="
                  + s
                  + " or dilation="
                  + l);
          size = (size - 1) * s - 2L * p + l * (length - 1L) + extra + 1;
        }
        check(
            length > 0
                && (transposed ? size >= 0 : size > 0 && size + 2L * p >= l * (length - 1L) + 1),
            op
                + ": a kernel of "
                + (l * (length - 1L) + 1)
                + " is larger than the padded input of "
                + (size + 2L * p));
        int whole = Math.toIntExact(size);
        windows[2 - dims + d] =
            transposed
                ? new Window(whole, length, s, p, l, Math.toIntExact(input.shape().size(2 + d)))
                : Window.over(whole, length, s, p, l, false);
        check(
            l == 1 && !transposed || input.dtype().isFloating() || input.dtype() == DType.I64,
            op
                + (transposed ? ": transposed, it" : ": dilation")
                + " is not there for dtype="
                + input.dtype());
      }
      int in = Math.toIntExact(transposed ? weight.shape().size(1) * groups : channels);
      return new Form(
          dims,
          new ConvolutionProducts.Geometry(
              in, Math.toIntExact(rows), Math.toIntExact(groups), windows[0], windows[1]),
          transposed,
          input.shape().size(0));
    }

    private static int positive(String op, String name, long[] list, int i, int dims, int least) {
      long value = Refusals.at(op, name, list, i, dims);
      check(
          value >= least,
          op + ": " + name + "=" + Arrays.toString(list) + " must be at least " + least);
      return Math.toIntExact(value);
    }

    int outChannels() {
      return transposed ? geometry.in() : geometry.out();
    }

    Shape outShape() {
      return transposed
          ? Shape.of(batch, geometry.in(), geometry.height().size(), geometry.width().size())
          : Shape.of(
              batch, geometry.out(), geometry.height().positions(), geometry.width().positions());
    }

    Tensor flat(Tensor t) {
      return dims == 2 ? t : t.unsqueeze(2);
    }

    Tensor unflat(Tensor t) {
      return t.view(unflatShape(t.shape()));
    }

    Shape unflatShape(Shape s) {
      return dims == 2 ? s : Shape.of(s.size(0), s.size(1), s.size(3));
    }
  }
}
