package dev.jcomms.examples.tiny;

import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Device;
import dev.jcomms.tensor.Ops;
import dev.jcomms.tensor.Scalar;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import dev.jcomms.tensor.autograd.GradMode;
import dev.jcomms.tensor.dispatch.Dispatcher;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * 08 A device: a chip with memory of its own ({@link TinyChip}), fifteen kernels ({@link
 * TinyKernels}), everything else through composites and the cpu ({@link TinyLibrary}), and a model
 * trained on it.
 *
 * <pre>{@code
 * ./jcomms run examples/08-device/src/main/java/dev/jcomms/examples/tiny/App.java
 * }</pre>
 *
 * <p>{@code docs/devices.md} goes through it step by step. The device's test is three lines: the
 * conformance kit calls every operator with hundreds of arguments on it.
 */
public final class App {
  private static final int STEPS = 60;
  private static final int POINTS = 96;

  private App() {}

  /** One process is enough. */
  public static void main(String[] args) {
    Device tiny = Device.of("tiny");
    Tensor x = Tensor.of(1f, -2f, 3f).to(tiny);
    System.out.println("there: " + x);
    System.out.println("its own operator: " + Dispatcher.call("tiny::soft_clip", x, 2.0));
    try {
      Ops.add(x, Tensor.of(1f, 1f, 1f));
    } catch (IllegalArgumentException e) {
      System.out.println("refused: " + e.getMessage());
    }

    List<Double> onCpu = train(Device.CPU);
    List<Double> onTiny = train(tiny);
    for (int step = 0; step < STEPS; step += 12) {
      System.out.printf(
          Locale.ROOT,
          "step %2d: loss %.4f on cpu, %.4f on tiny%n",
          step,
          onCpu.get(step),
          onTiny.get(step));
    }
    System.out.println("gradients of relu in its own way: " + TinyRelu.backwards());
    System.out.println("on the cpu instead: " + TinyLibrary.onCpu());
  }

  /** The losses of a small network that learns which points lie in a ring. */
  static List<Double> train(Device device) {
    Tensor points = Tensor.randn(DType.F32, Shape.of(POINTS, 2), 7);
    Tensor labels = Tensor.zeros(DType.I64, Shape.of(POINTS));
    for (long i = 0; i < POINTS; i++) {
      double radius = Math.hypot(points.getDouble(i, 0), points.getDouble(i, 1));
      labels.set(radius > 0.7 && radius < 1.6 ? 1 : 0, i);
    }
    Tensor inputs = points.to(device);
    Tensor targets = labels.to(device);
    List<Tensor> parameters =
        List.of(
            parameter(device, 11, 24, 2),
            parameter(device, 12, 24),
            parameter(device, 13, 2, 24),
            parameter(device, 14, 2));

    List<Double> losses = new ArrayList<>();
    for (int step = 0; step < STEPS; step++) {
      Tensor hidden = Ops.relu(Ops.linear(inputs, parameters.get(0), parameters.get(1)));
      Tensor scores = Ops.linear(hidden, parameters.get(2), parameters.get(3));
      Tensor loss = Ops.crossEntropyLoss(scores, targets);
      loss.backward();
      losses.add(loss.getDouble());
      try (var _ = GradMode.noGrad()) {
        for (Tensor p : parameters) {
          Ops.add_(p, p.grad(), Scalar.of(-0.3));
          p.zeroGrad();
        }
      }
    }
    return losses;
  }

  private static Tensor parameter(Device device, long seed, long... sizes) {
    Tensor start = Ops.mul(Tensor.randn(DType.F32, Shape.of(sizes), seed), Scalar.of(0.5));
    return start.to(device).requiresGrad(true);
  }
}
