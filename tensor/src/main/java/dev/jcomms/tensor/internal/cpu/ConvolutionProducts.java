package dev.jcomms.tensor.internal.cpu;

import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Scalar;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import dev.jcomms.tensor.internal.Elements;
import java.lang.foreign.ValueLayout;
import java.lang.ref.Reference;

/**
 * The three products of a convolution of two dimensions, each by matrices.
 *
 * <p>The patches of one image and group that the window sees make a matrix, a row for every tap of
 * every channel and a column for every position; the weights times it is the output. Its transposed
 * products are the gradients.
 */
final class ConvolutionProducts {
  private static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT_UNALIGNED;

  private ConvolutionProducts() {}

  record Geometry(int in, int out, int groups, Window height, Window width) {
    int inPerGroup() {
      return in / groups;
    }

    int outPerGroup() {
      return out / groups;
    }

    int taps() {
      return inPerGroup() * height.length() * width.length();
    }

    int positions() {
      return height.positions() * width.positions();
    }

    long inPlane() {
      return (long) height.size() * width.size();
    }

    /** Whether the patches are the image itself. */
    boolean plain() {
      return height.length() == 1
          && width.length() == 1
          && height.stride() == 1
          && width.stride() == 1
          && height.padding() == 0
          && width.padding() == 0;
    }
  }

  /** All dense; {@code out} has zeros. */
  static void forward(Geometry g, Tensor x, Tensor w, Tensor out) {
    Tensor weights = w.view(g.groups, g.outPerGroup(), g.taps());
    Tensor result = out.view(x.shape().size(0), g.groups, g.outPerGroup(), g.positions());
    images(
        g,
        x.shape().size(0),
        (image, group, scratch) -> {
          Tensor patches = patches(g, x, image, group, scratch.get(x.dtype(), g));
          Gemm.run(
              weights.select(0, group),
              patches,
              result.select(0, image).select(0, group),
              Scalar.ONE,
              Scalar.ZERO);
        });
  }

  /** {@code gradIn} has zeros. */
  static void inputGradient(Geometry g, Tensor gradOut, Tensor w, Tensor gradIn) {
    Tensor weights = w.view(g.groups, g.outPerGroup(), g.taps());
    Tensor grad = gradOut.view(gradOut.shape().size(0), g.groups, g.outPerGroup(), g.positions());
    images(
        g,
        gradOut.shape().size(0),
        (image, group, scratch) -> {
          Tensor patches = scratch.get(w.dtype(), g);
          Gemm.run(
              weights.select(0, group).t(),
              grad.select(0, image).select(0, group),
              patches,
              Scalar.ONE,
              Scalar.ZERO);
          spread(g, patches, gradIn, image, group);
        });
  }

  /** {@code gradWeight} has zeros. Images are added up in their order, whatever the threads. */
  static void weightGradient(Geometry g, Tensor gradOut, Tensor x, Tensor gradWeight) {
    Tensor weights = gradWeight.view(g.groups, g.outPerGroup(), g.taps());
    Tensor grad = gradOut.view(gradOut.shape().size(0), g.groups, g.outPerGroup(), g.positions());
    Scratch scratch = new Scratch();
    for (long image = 0; image < x.shape().size(0); image++) {
      for (int group = 0; group < g.groups; group++) {
        Tensor patches = patches(g, x, image, group, scratch.get(x.dtype(), g));
        Gemm.run(
            grad.select(0, image).select(0, group),
            patches.t(),
            weights.select(0, group),
            Scalar.ONE,
            Scalar.ONE);
      }
    }
  }

  private interface ImageTask {
    void run(long image, int group, Scratch scratch);
  }

  /** A matrix of patches that a thread uses again for every image. */
  private static final class Scratch {
    private Tensor patches;

    Tensor get(DType dtype, Geometry g) {
      if (patches == null) {
        patches = Tensor.empty(dtype, Shape.of(g.taps(), g.positions()));
      }
      return patches;
    }
  }

  private static void images(Geometry g, long count, ImageTask task) {
    long flops = 2L * g.out * g.taps() * g.positions();
    Parallel.run(
        count,
        Math.max(1, (1L << 21) / Math.max(1, flops)),
        (from, to) -> {
          Scratch scratch = new Scratch();
          for (long image = from; image < to; image++) {
            for (int group = 0; group < g.groups; group++) {
              task.run(image, group, scratch);
            }
          }
        });
  }

  private static Tensor patches(Geometry g, Tensor x, long image, int group, Tensor out) {
    long first = (image * g.in + (long) group * g.inPerGroup()) * g.inPlane();
    if (g.plain()) {
      return x.view(x.elements())
          .narrow(0, first, g.taps() * g.inPlane())
          .view(g.taps(), g.inPlane());
    }
    int bytes = x.dtype().bytes();
    long from = Dense.address(x) + first * bytes;
    long to = Dense.address(out);
    int wide = g.width.positions();
    for (int c = 0; c < g.inPerGroup(); c++) {
      for (int i = 0; i < g.height.length(); i++) {
        for (int j = 0; j < g.width.length(); j++) {
          int begin = firstInside(g.width, j, wide);
          int end = firstBeyond(g.width, j, wide);
          for (int y = 0; y < g.height.positions(); y++) {
            int row = g.height.at(y, i);
            if (row < 0 || row >= g.height.size() || end <= begin) {
              Memory.ALL.asSlice(to, (long) wide * bytes).fill((byte) 0);
            } else {
              line(
                  g,
                  from + ((long) c * g.inPlane() + (long) row * g.width.size()) * bytes,
                  to,
                  j,
                  begin,
                  end,
                  wide,
                  bytes);
            }
            to += (long) wide * bytes;
          }
        }
      }
    }
    Reference.reachabilityFence(x);
    return out;
  }

  private static void line(
      Geometry g, long row, long to, int tap, int begin, int end, int wide, int bytes) {
    if (begin > 0) {
      Memory.ALL.asSlice(to, (long) begin * bytes).fill((byte) 0);
    }
    if (end < wide) {
      Memory.ALL.asSlice(to + (long) end * bytes, (long) (wide - end) * bytes).fill((byte) 0);
    }
    long from = row + (long) g.width.at(begin, tap) * bytes;
    if (g.width.stride() == 1) {
      Strided.copy(from, to + (long) begin * bytes, (long) (end - begin) * bytes);
    } else {
      for (int x = begin; x < end; x++) {
        Strided.move(
            bytes, from + (long) (x - begin) * g.width.stride() * bytes, to + (long) x * bytes);
      }
    }
  }

  /** The first position whose tap lies at or after the input's start. */
  private static int firstInside(Window w, int tap, int positions) {
    int start = w.at(0, tap);
    return start >= 0 ? 0 : Math.min(positions, (-start + w.stride() - 1) / w.stride());
  }

  private static int firstBeyond(Window w, int tap, int positions) {
    int room = w.size() - w.at(0, tap);
    return room <= 0 ? 0 : Math.min(positions, (room + w.stride() - 1) / w.stride());
  }

  /** Adds a matrix of patches back to where they were taken from. */
  private static void spread(Geometry g, Tensor patches, Tensor gradIn, long image, int group) {
    DType dtype = gradIn.dtype();
    int bytes = dtype.bytes();
    long to =
        Dense.address(gradIn)
            + (image * g.in + (long) group * g.inPerGroup()) * g.inPlane() * bytes;
    long from = Dense.address(patches);
    int wide = g.width.positions();
    for (int c = 0; c < g.inPerGroup(); c++) {
      for (int i = 0; i < g.height.length(); i++) {
        for (int j = 0; j < g.width.length(); j++) {
          int begin = firstInside(g.width, j, wide);
          int end = firstBeyond(g.width, j, wide);
          for (int y = 0; y < g.height.positions(); y++) {
            int row = g.height.at(y, i);
            if (row >= 0 && row < g.height.size()) {
              long target =
                  to
                      + ((long) c * g.inPlane()
                              + (long) row * g.width.size()
                              + g.width.at(begin, j))
                          * bytes;
              add(dtype, from + (long) begin * bytes, target, g.width.stride(), end - begin);
            }
            from += (long) wide * bytes;
          }
        }
      }
    }
    Reference.reachabilityFence(patches);
    Reference.reachabilityFence(gradIn);
  }

  private static void add(DType dtype, long from, long to, int stride, int n) {
    if (dtype == DType.F32) {
      for (int i = 0; i < n; i++) {
        long at = to + (long) i * stride * 4;
        Memory.ALL.set(FLOAT, at, Memory.ALL.get(FLOAT, at) + Memory.ALL.get(FLOAT, from + i * 4L));
      }
    } else {
      int bytes = dtype.bytes();
      for (int i = 0; i < n; i++) {
        Deposit.ADD.apply(
            dtype,
            to + (long) i * stride * bytes,
            Elements.getDouble(Memory.ALL, dtype, from + (long) i * bytes));
      }
    }
  }
}
