package dev.jcomms.tensor.internal.aten;

import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Device;
import dev.jcomms.tensor.Ops;
import dev.jcomms.tensor.Scalar;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import dev.jcomms.tensor.internal.TensorAccess;
import dev.jcomms.tensor.internal.cpu.AdvancedIndex;
import dev.jcomms.tensor.internal.cpu.Counting;
import dev.jcomms.tensor.internal.cpu.Gathering;
import dev.jcomms.tensor.internal.cpu.IndexedRows;
import dev.jcomms.tensor.internal.cpu.Masks;
import dev.jcomms.tensor.internal.cpu.Scattering;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;
import java.util.Arrays;
import java.util.List;

/** Reading and writing by index and by mask. */
final class IndexOps {
  private static final Lookup LOOKUP = MethodHandles.lookup();
  private static final Lookup GATHERING = CpuKernels.in(Gathering.class);
  private static final Lookup ADVANCED = CpuKernels.in(AdvancedIndex.class);
  private static final Lookup MASKS = CpuKernels.in(Masks.class);
  private static final Lookup COUNTING = CpuKernels.in(Counting.class);

  private IndexOps() {}

  static void define(Definitions d) {
    d.op("gather(Tensor self, int dim, Tensor index, *, bool sparse_grad=False) -> Tensor")
        .cpu(GATHERING, "gather")
        .exactOut("out");
    d.op(
            "gather_backward(Tensor grad, Tensor self, int dim, Tensor index, bool sparse_grad)"
                + " -> Tensor")
        .composite(LOOKUP, "gatherBackward");
    d.op("index_select(Tensor self, int dim, Tensor index) -> Tensor")
        .cpu(GATHERING, "indexSelect")
        .exactOut("out");
    d.op(
            "index_select_backward(Tensor grad, SymInt[] self_sizes, int dim, Tensor index) ->"
                + " Tensor")
        .composite(LOOKUP, "indexSelectBackward");
    d.op("take(Tensor self, Tensor index) -> Tensor").cpu(GATHERING, "take").exactOut("out");
    d.op("take_along_dim(Tensor self, Tensor indices, int? dim=None) -> Tensor")
        .composite(LOOKUP, "takeAlongDim")
        .exactOut("out");
    d.op("scatter.src(Tensor self, int dim, Tensor index, Tensor src) -> Tensor")
        .inPlace()
        .out("src_out")
        .cpu(LOOKUP, "scatter");
    d.op("scatter.value(Tensor self, int dim, Tensor index, Scalar value) -> Tensor")
        .inPlace()
        .out("value_out")
        .cpu(LOOKUP, "scatterValue");
    d.op(
            "scatter.reduce(Tensor self, int dim, Tensor index, Tensor src, *, str reduce) ->"
                + " Tensor")
        .inPlace()
        .out("reduce_out")
        .cpu(LOOKUP, "scatterReduce");
    d.op(
            "scatter.value_reduce(Tensor self, int dim, Tensor index, Scalar value, *, str"
                + " reduce) -> Tensor")
        .inPlace()
        .out("value_reduce_out")
        .cpu(LOOKUP, "scatterValueReduce");
    d.op("scatter_add(Tensor self, int dim, Tensor index, Tensor src) -> Tensor")
        .inPlace()
        .out("out")
        .cpu(LOOKUP, "scatterAdd");
    d.op(
            "scatter_reduce.two(Tensor self, int dim, Tensor index, Tensor src, str reduce, *,"
                + " bool include_self=True) -> Tensor")
        .inPlace()
        .out("two_out")
        .cpu(LOOKUP, "scatterReduceTwo");
    d.op(
            "index_add(Tensor self, int dim, Tensor index, Tensor source, *, Scalar alpha=1) ->"
                + " Tensor")
        .inPlace()
        .out("out")
        .cpu(LOOKUP, "indexAdd");
    d.op("index_copy(Tensor self, int dim, Tensor index, Tensor source) -> Tensor")
        .inPlace()
        .out("out")
        .cpu(LOOKUP, "indexCopy");
    d.op("index_fill.int_Scalar(Tensor self, int dim, Tensor index, Scalar value) -> Tensor")
        .inPlace()
        .out("int_Scalar_out")
        .cpu(LOOKUP, "indexFill");
    d.op("index_fill.int_Tensor(Tensor self, int dim, Tensor index, Tensor value) -> Tensor")
        .everywhere(LOOKUP, "indexFillTensor")
        .inPlace()
        .exactOut("int_Tensor_out");
    d.op("index.Tensor(Tensor self, Tensor?[] indices) -> Tensor")
        .cpu(ADVANCED, "index")
        .exactOut("Tensor_out");
    d.op(
            "index_put(Tensor self, Tensor?[] indices, Tensor values, bool accumulate=False) ->"
                + " Tensor")
        .inPlace()
        .out("out")
        .cpu(LOOKUP, "indexPut");
    d.op("masked_fill.Scalar(Tensor self, Tensor mask, Scalar value) -> Tensor")
        .everywhere(LOOKUP, "maskedFill")
        .exactOut("Scalar_out");
    d.op("masked_fill.Tensor(Tensor self, Tensor mask, Tensor value) -> Tensor")
        .everywhere(LOOKUP, "maskedFillTensor")
        .exactOut("Tensor_out");
    d.op("masked_select(Tensor self, Tensor mask) -> Tensor")
        .cpu(MASKS, "maskedSelect")
        .exactOut("out");
    d.op("masked_scatter(Tensor self, Tensor mask, Tensor source) -> Tensor")
        .everywhere(LOOKUP, "maskedScatter")
        .exactOut("out");
    d.op("nonzero(Tensor self) -> Tensor").cpu(MASKS, "nonzero").exactOut("out");
    d.op("one_hot(Tensor self, int num_classes=-1) -> Tensor").composite(LOOKUP, "oneHot");
    d.op("bincount(Tensor self, Tensor? weights=None, SymInt minlength=0) -> Tensor")
        .cpu(COUNTING, "bincount")
        .exactOut("out");
    d.op("masked_fill_.Scalar(Tensor(a!) self, Tensor mask, Scalar value) -> Tensor(a!)")
        .cpu(MASKS, "maskedFill");
    d.op("masked_fill_.Tensor(Tensor(a!) self, Tensor mask, Tensor value) -> Tensor(a!)")
        .everywhere(LOOKUP, "maskedFillTensorInPlace");
    d.op("masked_scatter_(Tensor(a!) self, Tensor mask, Tensor source) -> Tensor(a!)")
        .cpu(MASKS, "maskedScatter");
  }

  /** Where an operator that changes a copy of self works: a new one, self, or {@code out}. */
  private static Tensor target(String op, Tensor self, Tensor out) {
    if (out == null) {
      return self.copy();
    }
    if (out != self) {
      if (out.dtype() != self.dtype()) {
        throw new IllegalArgumentException(
            op + ": out must be " + self.dtype() + " as self is, but is " + out.dtype());
      }
      Forms.resize(op, out, self.shape());
      out.copyFrom(self);
    }
    return out;
  }

  static Tensor scatter(Tensor self, long dim, Tensor index, Tensor src, Tensor out) {
    return Scattering.scatter(target("scatter", self, out), dim, index, src);
  }

  static Tensor scatterValue(Tensor self, long dim, Tensor index, Scalar value, Tensor out) {
    return Scattering.scatterValue(target("scatter", self, out), dim, index, value);
  }

  static Tensor scatterReduce(
      Tensor self, long dim, Tensor index, Tensor src, String reduce, Tensor out) {
    return Scattering.scatterReduce(target("scatter", self, out), dim, index, src, reduce);
  }

  static Tensor scatterValueReduce(
      Tensor self, long dim, Tensor index, Scalar value, String reduce, Tensor out) {
    return Scattering.scatterValueReduce(target("scatter", self, out), dim, index, value, reduce);
  }

  static Tensor scatterAdd(Tensor self, long dim, Tensor index, Tensor src, Tensor out) {
    return Scattering.scatterAdd(target("scatter_add", self, out), dim, index, src);
  }

  static Tensor scatterReduceTwo(
      Tensor self,
      long dim,
      Tensor index,
      Tensor src,
      String reduce,
      boolean includeSelf,
      Tensor out) {
    return Scattering.scatterReduceTwo(
        target("scatter_reduce", self, out), dim, index, src, reduce, includeSelf);
  }

  static Tensor indexAdd(
      Tensor self, long dim, Tensor index, Tensor source, Scalar alpha, Tensor out) {
    return IndexedRows.indexAdd(target("index_add", self, out), dim, index, source, alpha);
  }

  static Tensor indexCopy(Tensor self, long dim, Tensor index, Tensor source, Tensor out) {
    return IndexedRows.indexCopy(target("index_copy", self, out), dim, index, source);
  }

  static Tensor indexFill(Tensor self, long dim, Tensor index, Scalar value, Tensor out) {
    return IndexedRows.indexFill(target("index_fill", self, out), dim, index, value);
  }

  static Tensor indexFillTensor(Tensor self, long dim, Tensor index, Tensor value) {
    return Ops.indexFill(self, dim, index, single("index_fill", value));
  }

  static Tensor indexPut(
      Tensor self, List<Tensor> indices, Tensor values, boolean accumulate, Tensor out) {
    return AdvancedIndex.indexPut(target("index_put", self, out), indices, values, accumulate);
  }

  private static Scalar single(String op, Tensor value) {
    if (value.shape().dims() != 0) {
      throw new IllegalArgumentException(
          op + ": value must be 0-d, but has shape=" + value.shape());
    }
    return Ops.localScalarDense(value);
  }

  static Tensor maskedFill(Tensor self, Tensor mask, Scalar value) {
    Shape shape = Shapes.broadcast("masked_fill", self.shape(), mask.shape());
    Tensor wide = self.shape().equals(shape) ? self : Ops.expand(self, shape.toArray());
    return Ops.maskedFill_(Ops.clone(wide), mask, value);
  }

  static Tensor maskedFillTensor(Tensor self, Tensor mask, Tensor value) {
    return maskedFill(self, mask, single("masked_fill", value));
  }

  static Tensor maskedFillTensorInPlace(Tensor self, Tensor mask, Tensor value) {
    return Ops.maskedFill_(self, mask, single("masked_fill_", value));
  }

  static Tensor maskedScatter(Tensor self, Tensor mask, Tensor source) {
    Shape shape = Shapes.broadcast("masked_scatter", self.shape(), mask.shape());
    Tensor copy = Ops.clone(Ops.expand(self, shape.toArray()));
    return Ops.maskedScatter_(copy, mask, source);
  }

  static Tensor gatherBackward(
      Tensor grad, Tensor self, long dim, Tensor index, boolean sparseGrad) {
    Tensor zeros = Ops.zeros(self.shape().toArray(), grad.dtype(), grad.device());
    return Ops.scatterAdd(zeros, dim, index, grad);
  }

  static Tensor indexSelectBackward(Tensor grad, long[] selfSizes, long dim, Tensor index) {
    Tensor zeros = Ops.zeros(selfSizes, grad.dtype(), grad.device());
    return Ops.indexAdd(zeros, dim, index, grad, Scalar.ONE);
  }

  static Tensor takeAlongDim(Tensor self, Tensor indices, Long dim) {
    if (dim == null) {
      return Ops.gather(Ops.reshape(self, -1), 0, Ops.reshape(indices, -1));
    }
    if (indices.dtype() != DType.I64) {
      throw new IllegalArgumentException(
          "take_along_dim: indices must be i64, but are " + indices.dtype());
    }
    int dims = self.shape().dims();
    if (indices.shape().dims() != dims) {
      throw new IllegalArgumentException(
          "take_along_dim: shapes " + self.shape() + " and " + indices.shape() + " differ in dims");
    }
    int d = TensorAccess.wrap(dim, Math.max(1, dims), "self");
    long[] selfSizes = self.shape().toArray();
    long[] indexSizes = indices.shape().toArray();
    if (dims > 0) {
      selfSizes[d] = 1;
      indexSizes[d] = 1;
    }
    long[] shape =
        Shapes.broadcast("take_along_dim", Shape.of(selfSizes), Shape.of(indexSizes)).toArray();
    long[] wideSelf = shape.clone();
    long[] wideIndex = shape.clone();
    if (dims > 0) {
      wideSelf[d] = self.shape().size(d);
      wideIndex[d] = indices.shape().size(d);
    }
    // Indexes go round: any whole number names an element.
    Tensor round = dims == 0 ? indices : Ops.remainder(indices, Scalar.of(self.shape().size(d)));
    return Ops.gather(Ops.expand(self, wideSelf), d, Ops.expand(round, wideIndex));
  }

  static Tensor oneHot(Tensor self, long numClasses) {
    if (self.dtype() != DType.I64) {
      throw new IllegalArgumentException("one_hot: needs i64, but is " + self.dtype());
    }
    if (self.elements() == 0 && numClasses <= 0) {
      throw new IllegalArgumentException(
          "one_hot: num_classes cannot be told from an empty tensor");
    }
    long classes = numClasses;
    Tensor host = self.device().equals(Device.CPU) ? self : Ops.toCopy(self, null, Device.CPU);
    long most = -1;
    for (long c : host.toLongArray()) {
      if (c < 0) {
        throw new IllegalArgumentException("one_hot: class " + c + " is negative");
      }
      most = Math.max(most, c);
    }
    if (classes == -1) {
      classes = most + 1;
    } else if (most >= classes) {
      throw new IllegalArgumentException(
          "one_hot: class " + most + " is not below num_classes=" + classes);
    }
    long[] sizes = Arrays.copyOf(self.shape().toArray(), self.shape().dims() + 1);
    sizes[sizes.length - 1] = classes;
    Tensor zeros = Ops.zeros(sizes, DType.I64, self.device());
    return Ops.scatter(zeros, -1, Ops.unsqueeze(self, -1), Scalar.ONE);
  }
}
