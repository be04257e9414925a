package dev.jcomms.tensor.internal.cpu;

import static dev.jcomms.tensor.internal.cpu.Refusals.check;

import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import dev.jcomms.tensor.internal.Elements;
import dev.jcomms.tensor.internal.PairWalk;
import java.lang.ref.Reference;

/** Reading by index along one dimension: gather, index_select, take, embedding. */
public final class Gathering {
  private Gathering() {}

  public static Tensor gather(Tensor self, long dim, Tensor index, boolean sparseGrad) {
    int d = Refusals.dim("gather", dim, self.shape().dims());
    if (index.elements() > 0) {
      Refusals.index("gather", index);
    }
    Tensor out = Tensor.empty(self.dtype(), index.shape());
    if (index.elements() == 0) {
      return out;
    }
    indexShape("gather", self, d, index);
    Tensor from = Dense.of(self);
    Tensor at = Strided.indexes(index);
    int bytes = self.dtype().bytes();
    long[] strides = stridesAlong(from, index, d);
    long step = from.shape().dims() == 0 ? 1 : from.strides()[d];
    long size = self.shape().dims() == 0 ? 1 : self.shape().size(d);
    long source = Dense.address(from);
    long indexes = Dense.address(at);
    long target = Dense.address(out);
    PairWalk.walk(
        index.shape().toArray(),
        strides,
        0,
        at.strides(),
        0,
        (a, aStep, b, bStep, n) -> {
          for (long i = 0; i < n; i++) {
            long k = Strided.index(indexes, b + i * bStep);
            if (k < 0 || k >= size) {
              throw Refusals.outside("gather", k, d, size);
            }
            Strided.move(
                bytes,
                source + (a + i * aStep + k * step) * bytes,
                target + (b + i * bStep) * bytes);
          }
          return true;
        });
    Reference.reachabilityFence(from);
    Reference.reachabilityFence(at);
    return out;
  }

  /** Strides over the index's shape, zero along the dimension that the index decides. */
  static long[] stridesAlong(Tensor dense, Tensor index, int dim) {
    if (index.shape().dims() == 0 || dense.shape().dims() == 0) {
      return new long[index.shape().dims()];
    }
    long[] strides = dense.strides();
    strides[dim] = 0;
    return strides;
  }

  /** As many dimensions, none larger but along {@code dim}; 0-d counts as 1-d. */
  static void indexShape(String op, Tensor self, int dim, Tensor index) {
    int dims = Math.max(1, self.shape().dims());
    check(
        Math.max(1, index.shape().dims()) == dims,
        op
            + ": index of shape="
            + index.shape()
            + " must have as many dims as self of shape="
            + self.shape());
    for (int d = 0; d < Math.min(index.shape().dims(), self.shape().dims()); d++) {
      check(
          d == dim || index.shape().size(d) <= self.shape().size(d),
          op
              + ": index of shape="
              + index.shape()
              + " is larger than self of shape="
              + self.shape()
              + " apart from dim="
              + dim);
    }
  }

  public static Tensor indexSelect(Tensor self, long dim, Tensor index) {
    String op = "index_select";
    int d = Refusals.dim(op, dim, self.shape().dims());
    if (index.shape().dims() > 1) {
      throw new IndexOutOfBoundsException(op + ": index must be a vector, but is " + index.shape());
    }
    Refusals.index(op, index);
    if (self.shape().dims() == 0) {
      check(
          index.elements() == 1,
          op + ": one index alone selects from a 0-d tensor, but there are " + index.elements());
    }
    long[] sizes = self.shape().toArray();
    if (sizes.length > 0) {
      sizes[d] = index.elements();
    }
    Tensor out = Tensor.empty(self.dtype(), Shape.of(sizes));
    Tensor from = Dense.of(self);
    Tensor at = Strided.indexes(index);
    Axis axis = Axis.of(self.shape(), d);
    long row = axis.inner() * self.dtype().bytes();
    long target = Dense.address(out);
    for (long i = 0; i < at.elements(); i++) {
      long k = Strided.index(Dense.address(at), i);
      if (k < 0 || k >= axis.size()) {
        throw Refusals.outside(op, k, d, axis.size());
      }
    }
    for (long o = 0; o < axis.outer(); o++) {
      for (long i = 0; i < at.elements(); i++) {
        long k = Strided.index(Dense.address(at), i);
        Strided.copy(Dense.address(from) + (o * axis.size() + k) * row, target, row);
        target += row;
      }
    }
    Reference.reachabilityFence(from);
    Reference.reachabilityFence(at);
    Reference.reachabilityFence(out);
    return out;
  }

  /** By position in the flattened tensor; negative ones count from its end. */
  public static Tensor take(Tensor self, Tensor index) {
    check(index.dtype() == DType.I64, "take: index must be i64, but is " + index.dtype());
    long size = self.elements();
    if (size == 0 && index.elements() > 0) {
      throw new IndexOutOfBoundsException("take: there is nothing to take from " + self.shape());
    }
    Tensor out = Tensor.empty(self.dtype(), index.shape());
    Tensor from = Dense.of(self);
    Tensor at = Strided.indexes(index);
    int bytes = self.dtype().bytes();
    for (long i = 0; i < at.elements(); i++) {
      long k = Strided.index(Dense.address(at), i);
      if (k < -size || k >= size) {
        throw Refusals.outside("take", k, 0, size);
      }
      long position = k < 0 ? k + size : k;
      Strided.move(bytes, Dense.address(from) + position * bytes, Dense.address(out) + i * bytes);
    }
    Reference.reachabilityFence(from);
    Reference.reachabilityFence(at);
    Reference.reachabilityFence(out);
    return out;
  }

  public static Tensor embedding(
      Tensor weight, Tensor indices, long paddingIdx, boolean scaleGradByFreq, boolean sparse) {
    check(
        weight.shape().dims() == 2,
        "embedding: weight must be a matrix, but has shape=" + weight.shape());
    Refusals.index("embedding", indices);
    long[] sizes = java.util.Arrays.copyOf(indices.shape().toArray(), indices.shape().dims() + 1);
    sizes[sizes.length - 1] = weight.shape().size(1);
    return indexSelect(weight, 0, indices.reshape(-1)).view(sizes);
  }

  /** Rows of a gradient added up by index. Rows of the padding index, and of none, count not. */
  public static Tensor embeddingDenseBackward(
      Tensor gradOutput, Tensor indices, long numWeights, long paddingIdx, boolean scaleByFreq) {
    String op = "embedding_dense_backward";
    Refusals.index(op, indices);
    Refusals.floating(op, gradOutput);
    int dims = gradOutput.shape().dims();
    check(dims > 0, op + ": grad_output must have rows, but has shape=" + gradOutput.shape());
    int width = Math.toIntExact(gradOutput.shape().size(-1));
    check(
        indices.elements() * width == gradOutput.elements(),
        op
            + ": grad_output of shape="
            + gradOutput.shape()
            + " does not go with indices of shape="
            + indices.shape());
    DType dtype = gradOutput.dtype();
    Tensor out = Tensor.zeros(dtype, Shape.of(numWeights, width));
    Tensor grad = Dense.of(gradOutput);
    Tensor at = Strided.indexes(indices);
    long[] counts = scaleByFreq ? new long[Math.toIntExact(numWeights)] : null;
    for (long i = 0; scaleByFreq && i < at.elements(); i++) {
      long k = Strided.index(Dense.address(at), i);
      if (k >= 0 && k < numWeights) {
        counts[(int) k]++;
      }
    }
    for (long i = 0; i < at.elements(); i++) {
      long k = Strided.index(Dense.address(at), i);
      if (k == paddingIdx || k < 0 || k >= numWeights) {
        continue;
      }
      double scale = scaleByFreq ? 1.0 / counts[(int) k] : 1;
      for (long j = 0; j < width; j++) {
        long to = Dense.address(out) + (k * width + j) * dtype.bytes();
        double g =
            Elements.getDouble(
                Memory.ALL, dtype, Dense.address(grad) + (i * width + j) * dtype.bytes());
        Elements.putDouble(
            Memory.ALL, dtype, to, Elements.getDouble(Memory.ALL, dtype, to) + g * scale);
      }
    }
    Reference.reachabilityFence(grad);
    Reference.reachabilityFence(at);
    Reference.reachabilityFence(out);
    return out;
  }
}
