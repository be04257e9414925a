package dev.jcomms.tensor.internal.aten;

import dev.jcomms.tensor.Ops;
import dev.jcomms.tensor.Scalar;
import dev.jcomms.tensor.Tensor;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;
import java.util.Arrays;

/**
 * Padding with what is there: mirrored, repeated, or round the circle; by an index for each dim.
 */
final class PaddingOps {
  private static final Lookup LOOKUP = MethodHandles.lookup();

  // as PyTorch counts its modes
  private static final long REFLECT = 0;
  private static final long REPLICATE = 1;
  private static final long CIRCULAR = 2;
  private static final long CONSTANT = 3;

  private PaddingOps() {}

  static void define(Definitions d) {
    for (int dims = 1; dims <= 3; dims++) {
      for (String kind : new String[] {"reflection", "replication"}) {
        String name = kind + "_pad" + dims + "d";
        d.op(name + "(Tensor self, SymInt[" + 2 * dims + "] padding) -> Tensor")
            .composite(LOOKUP, kind + dims)
            .exactOut("out");
        d.op(
                name
                    + "_backward(Tensor grad_output, Tensor self, SymInt["
                    + 2 * dims
                    + "] padding) -> Tensor")
            .composite(LOOKUP, kind + "Backward" + dims)
            .outAs(
                name
                    + "_backward.grad_input(Tensor grad_output, Tensor self, SymInt["
                    + 2 * dims
                    + "] padding, *, Tensor(a!) grad_input) -> Tensor(a!)");
      }
    }
    d.op("_pad_circular(Tensor self, SymInt[] pad) -> Tensor").composite(LOOKUP, "circular");
    d.op("_pad_enum(Tensor self, SymInt[] pad, int mode, float? value=None) -> Tensor")
        .composite(LOOKUP, "padEnum");
    d.op("pad(Tensor self, SymInt[] pad, str mode=\"constant\", float? value=None) -> Tensor")
        .composite(LOOKUP, "pad");
  }

  /** Where each place of a padded dim comes from. */
  private interface Source {
    long of(long place, long size);
  }

  private static final Source MIRROR =
      (place, size) -> place < 0 ? -place : place >= size ? 2 * size - 2 - place : place;
  private static final Source EDGE = (place, size) -> Math.clamp(place, 0, size - 1);
  private static final Source CIRCLE = Math::floorMod;

  static Tensor reflection1(Tensor self, long[] padding) {
    return padded("reflection_pad1d", self, padding, 1, MIRROR);
  }

  static Tensor reflection2(Tensor self, long[] padding) {
    return padded("reflection_pad2d", self, padding, 2, MIRROR);
  }

  static Tensor reflection3(Tensor self, long[] padding) {
    return padded("reflection_pad3d", self, padding, 3, MIRROR);
  }

  static Tensor replication1(Tensor self, long[] padding) {
    return padded("replication_pad1d", self, padding, 1, EDGE);
  }

  static Tensor replication2(Tensor self, long[] padding) {
    return padded("replication_pad2d", self, padding, 2, EDGE);
  }

  static Tensor replication3(Tensor self, long[] padding) {
    return padded("replication_pad3d", self, padding, 3, EDGE);
  }

  static Tensor reflectionBackward1(Tensor grad, Tensor self, long[] padding) {
    return folded("reflection_pad1d_backward", grad, self, padding, 1, MIRROR);
  }

  static Tensor reflectionBackward2(Tensor grad, Tensor self, long[] padding) {
    return folded("reflection_pad2d_backward", grad, self, padding, 2, MIRROR);
  }

  static Tensor reflectionBackward3(Tensor grad, Tensor self, long[] padding) {
    return folded("reflection_pad3d_backward", grad, self, padding, 3, MIRROR);
  }

  static Tensor replicationBackward1(Tensor grad, Tensor self, long[] padding) {
    return folded("replication_pad1d_backward", grad, self, padding, 1, EDGE);
  }

  static Tensor replicationBackward2(Tensor grad, Tensor self, long[] padding) {
    return folded("replication_pad2d_backward", grad, self, padding, 2, EDGE);
  }

  static Tensor replicationBackward3(Tensor grad, Tensor self, long[] padding) {
    return folded("replication_pad3d_backward", grad, self, padding, 3, EDGE);
  }

  static Tensor circular(Tensor self, long[] pad) {
    int dims = self.shape().dims() - 2;
    if (dims < 1 || pad.length != 2 * dims) {
      throw refusal("_pad_circular", self, pad);
    }
    check("_pad_circular", self, pad, dims, CIRCLE);
    long[] cut = pad.clone(); // what is left of the circle, first
    long[] more = pad.clone();
    for (int i = 0; i < pad.length; i++) {
      cut[i] = Math.min(0, pad[i]);
      more[i] = Math.max(0, pad[i]);
    }
    return padded("_pad_circular", Ops.constantPadNd(self, cut, Scalar.ZERO), more, dims, CIRCLE);
  }

  static Tensor pad(Tensor self, long[] pad, String mode, Double value) {
    return switch (mode) {
      case "constant" -> padEnum(self, pad, CONSTANT, value);
      case "reflect" -> padEnum(self, pad, REFLECT, value);
      case "replicate" -> padEnum(self, pad, REPLICATE, value);
      case "circular" -> padEnum(self, pad, CIRCULAR, value);
      default ->
          throw new IllegalArgumentException(
              "pad: mode='" + mode + "' is none of 'constant', 'reflect', 'replicate', 'circular'");
    };
  }

  static Tensor padEnum(Tensor self, long[] pad, long mode, Double value) {
    if (pad.length % 2 != 0 || pad.length > 2 * self.shape().dims()) {
      throw refusal("pad", self, pad);
    }
    if (mode == CONSTANT) {
      return Ops.constantPadNd(self, pad, Scalar.of(value == null ? 0.0 : value));
    }
    if (value != null && value != 0) {
      throw new IllegalArgumentException("pad: value=" + value + " is for mode 'constant' alone");
    }
    int dims = self.shape().dims();
    int padded = pad.length / 2;
    if (padded < 1 || padded > 3 || dims != padded + 1 && dims != padded + 2) {
      throw refusal("pad", self, pad);
    }
    if (mode == CIRCULAR) {
      return circular(self, pad);
    }
    if (mode != REFLECT && mode != REPLICATE) {
      throw new IllegalArgumentException("pad: mode=" + mode + " is unknown");
    }
    return padded("pad", self, pad, padded, mode == REFLECT ? MIRROR : EDGE);
  }

  private static IllegalArgumentException refusal(String op, Tensor self, long[] pad) {
    return new IllegalArgumentException(
        op
            + ": pad="
            + Arrays.toString(pad)
            + " must have two numbers for each of the last dims, but shape="
            + self.shape());
  }

  private static Tensor padded(String op, Tensor self, long[] pad, int padded, Source source) {
    check(op, self, pad, padded, source);
    int dims = self.shape().dims();
    Tensor out = self;
    for (int i = 0; i < padded; i++) {
      if (pad[2 * i] != 0 || pad[2 * i + 1] != 0) {
        int d = dims - 1 - i;
        out = Ops.indexSelect(out, d, index(self, d, pad, i, source));
      }
    }
    return out == self ? Ops.clone(self) : out;
  }

  private static Tensor folded(
      String op, Tensor grad, Tensor self, long[] pad, int padded, Source source) {
    check(op, self, pad, padded, source);
    if (!grad.dtype().isFloating()) {
      throw new IllegalArgumentException("\"" + op + "\" is not implemented for " + grad.dtype());
    }
    int dims = self.shape().dims();
    Tensor out = grad;
    for (int i = 0; i < padded; i++) {
      int d = dims - 1 - i;
      if (out.shape().dims() != dims
          || out.shape().size(d) != self.shape().size(d) + pad[2 * i] + pad[2 * i + 1]) {
        throw new IllegalArgumentException(
            op + ": grad_output of shape=" + grad.shape() + " is not " + self.shape() + " padded");
      }
      long[] sizes = out.shape().toArray();
      sizes[d] = self.shape().size(d);
      Tensor zeros = Ops.zeros(sizes, grad.dtype(), grad.device());
      out = Ops.indexAdd(zeros, d, index(self, d, pad, i, source), out, Scalar.ONE);
    }
    return out;
  }

  private static Tensor index(Tensor self, int dim, long[] pad, int i, Source source) {
    long size = self.shape().size(dim);
    long[] places = new long[Math.toIntExact(size + pad[2 * i] + pad[2 * i + 1])];
    for (int at = 0; at < places.length; at++) {
      places[at] = source.of(at - pad[2 * i], size);
    }
    return Tensor.of(places).to(self.device());
  }

  private static void check(String op, Tensor self, long[] pad, int padded, Source source) {
    int dims = self.shape().dims();
    if (pad.length != 2 * padded || dims != padded + 1 && dims != padded + 2) {
      throw refusal(op, self, pad);
    }
    for (int d = dims == padded + 2 ? 1 : 0; d < dims; d++) {
      if (self.shape().size(d) == 0) {
        throw new IllegalArgumentException(
            op + ": only the batch may be empty, but shape=" + self.shape());
      }
    }
    for (int i = 0; i < padded; i++) {
      long size = self.shape().size(dims - 1 - i);
      for (long more : new long[] {pad[2 * i], pad[2 * i + 1]}) {
        if (source == MIRROR && more >= size || source == CIRCLE && more > size) {
          throw new IllegalArgumentException(
              op + ": pad=" + Arrays.toString(pad) + " is too much for shape=" + self.shape());
        }
      }
      if (size + pad[2 * i] + pad[2 * i + 1] < 1) {
        throw new IllegalArgumentException(
            op + ": pad=" + Arrays.toString(pad) + " leaves nothing of shape=" + self.shape());
      }
    }
  }
}
