package dev.jcomms.tensor;

import dev.jcomms.tensor.dispatch.Operator;
import java.util.List;

/**
 * Of {@link Ops}: the same elements in another arrangement: repeated, stacked, turned, shuffled.
 */
abstract sealed class ArrangingOps extends ImageOps permits GateOps {
  private static final Operator REPEAT = operator("aten::repeat");
  private static final Operator TILE = operator("aten::tile");
  private static final Operator REPEAT_INTERLEAVE_TENSOR =
      operator("aten::repeat_interleave.Tensor");
  private static final Operator REPEAT_INTERLEAVE_SELF_TENSOR =
      operator("aten::repeat_interleave.self_Tensor");
  private static final Operator REPEAT_INTERLEAVE_SELF_INT =
      operator("aten::repeat_interleave.self_int");
  private static final Operator DIAG = operator("aten::diag");
  private static final Operator DIAGFLAT = operator("aten::diagflat");
  private static final Operator DIAG_EMBED = operator("aten::diag_embed");
  private static final Operator SELECT_SCATTER = operator("aten::select_scatter");
  private static final Operator SLICE_SCATTER = operator("aten::slice_scatter");
  private static final Operator DIAGONAL_SCATTER = operator("aten::diagonal_scatter");
  private static final Operator ROT90 = operator("aten::rot90");
  private static final Operator FLIPLR = operator("aten::fliplr");
  private static final Operator FLIPUD = operator("aten::flipud");
  private static final Operator MOVEDIM_INTLIST = operator("aten::movedim.intlist");
  private static final Operator SWAPDIMS = operator("aten::swapdims");
  private static final Operator UNBIND_INT = operator("aten::unbind.int");
  private static final Operator DIFF = operator("aten::diff");
  private static final Operator PIXEL_SHUFFLE = operator("aten::pixel_shuffle");
  private static final Operator PIXEL_UNSHUFFLE = operator("aten::pixel_unshuffle");
  private static final Operator CHANNEL_SHUFFLE = operator("aten::channel_shuffle");
  private static final Operator HSTACK = operator("aten::hstack");
  private static final Operator VSTACK = operator("aten::vstack");
  private static final Operator DSTACK = operator("aten::dstack");
  private static final Operator COLUMN_STACK = operator("aten::column_stack");
  private static final Operator BLOCK_DIAG = operator("aten::block_diag");
  private static final Operator MESHGRID_INDEXING = operator("aten::meshgrid.indexing");
  private static final Operator CARTESIAN_PROD = operator("aten::cartesian_prod");
  private static final Operator COMBINATIONS = operator("aten::combinations");
  private static final Operator BROADCAST_TENSORS = operator("aten::broadcast_tensors");
  private static final Operator TENSOR_SPLIT_SECTIONS = operator("aten::tensor_split.sections");
  private static final Operator TENSOR_SPLIT_INDICES = operator("aten::tensor_split.indices");
  private static final Operator ATLEAST_1D = operator("aten::atleast_1d");
  private static final Operator ATLEAST_2D = operator("aten::atleast_2d");
  private static final Operator ATLEAST_3D = operator("aten::atleast_3d");

  ArrangingOps() {}

  public static Tensor repeat(Tensor self, long[] repeats) {
    return withSizes(REPEAT, self, repeats);
  }

  public static Tensor tile(Tensor self, long[] dims) {
    return withSizes(TILE, self, dims);
  }

  public static Tensor repeatInterleave(Tensor repeats, Long outputSize) {
    try {
      return (Tensor) REPEAT_INTERLEAVE_TENSOR.kernelFor(repeats).invokeExact(repeats, outputSize);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor repeatInterleave(Tensor self, Tensor repeats, Long dim, Long outputSize) {
    try {
      return (Tensor)
          REPEAT_INTERLEAVE_SELF_TENSOR
              .kernelFor(self, repeats)
              .invokeExact(self, repeats, dim, outputSize);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor repeatInterleave(Tensor self, long repeats, Long dim, Long outputSize) {
    try {
      return (Tensor)
          REPEAT_INTERLEAVE_SELF_INT.kernelFor(self).invokeExact(self, repeats, dim, outputSize);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor diag(Tensor self, long diagonal) {
    return withDim(DIAG, self, diagonal);
  }

  public static Tensor diagflat(Tensor self, long offset) {
    return withDim(DIAGFLAT, self, offset);
  }

  public static Tensor diagEmbed(Tensor self, long offset, long dim1, long dim2) {
    try {
      return (Tensor) DIAG_EMBED.kernelFor(self).invokeExact(self, offset, dim1, dim2);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor selectScatter(Tensor self, Tensor src, long dim, long index) {
    try {
      return (Tensor) SELECT_SCATTER.kernelFor(self, src).invokeExact(self, src, dim, index);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor sliceScatter(
      Tensor self, Tensor src, long dim, Long start, Long end, long step) {
    try {
      return (Tensor)
          SLICE_SCATTER.kernelFor(self, src).invokeExact(self, src, dim, start, end, step);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor diagonalScatter(Tensor self, Tensor src, long offset, long dim1, long dim2) {
    try {
      return (Tensor)
          DIAGONAL_SCATTER.kernelFor(self, src).invokeExact(self, src, offset, dim1, dim2);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor rot90(Tensor self, long k, long[] dims) {
    try {
      return (Tensor) ROT90.kernelFor(self).invokeExact(self, k, dims);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor fliplr(Tensor self) {
    return unary(FLIPLR, self);
  }

  public static Tensor flipud(Tensor self) {
    return unary(FLIPUD, self);
  }

  public static Tensor movedim(Tensor self, long[] source, long[] destination) {
    try {
      return (Tensor) MOVEDIM_INTLIST.kernelFor(self).invokeExact(self, source, destination);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor swapdims(Tensor self, long dim0, long dim1) {
    try {
      return (Tensor) SWAPDIMS.kernelFor(self).invokeExact(self, dim0, dim1);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  @SuppressWarnings("unchecked")
  public static List<Tensor> unbind(Tensor self, long dim) {
    try {
      return (List<Tensor>) UNBIND_INT.kernelFor(self).invokeExact(self, dim);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor diff(Tensor self, long n, long dim, Tensor prepend, Tensor append) {
    try {
      return (Tensor)
          DIFF.kernelFor(self, prepend, append).invokeExact(self, n, dim, prepend, append);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor pixelShuffle(Tensor self, long upscaleFactor) {
    return withDim(PIXEL_SHUFFLE, self, upscaleFactor);
  }

  public static Tensor pixelUnshuffle(Tensor self, long downscaleFactor) {
    return withDim(PIXEL_UNSHUFFLE, self, downscaleFactor);
  }

  public static Tensor channelShuffle(Tensor self, long groups) {
    return withDim(CHANNEL_SHUFFLE, self, groups);
  }

  public static Tensor hstack(List<Tensor> tensors) {
    try {
      return (Tensor) HSTACK.kernelFor(tensors).invokeExact(tensors);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor vstack(List<Tensor> tensors) {
    try {
      return (Tensor) VSTACK.kernelFor(tensors).invokeExact(tensors);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor dstack(List<Tensor> tensors) {
    try {
      return (Tensor) DSTACK.kernelFor(tensors).invokeExact(tensors);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor columnStack(List<Tensor> tensors) {
    try {
      return (Tensor) COLUMN_STACK.kernelFor(tensors).invokeExact(tensors);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor blockDiag(List<Tensor> tensors) {
    try {
      return (Tensor) BLOCK_DIAG.kernelFor(tensors).invokeExact(tensors);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  @SuppressWarnings("unchecked")
  public static List<Tensor> meshgrid(List<Tensor> tensors, String indexing) {
    try {
      return (List<Tensor>) MESHGRID_INDEXING.kernelFor(tensors).invokeExact(tensors, indexing);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor cartesianProd(List<Tensor> tensors) {
    try {
      return (Tensor) CARTESIAN_PROD.kernelFor(tensors).invokeExact(tensors);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor combinations(Tensor self, long r, boolean withReplacement) {
    try {
      return (Tensor) COMBINATIONS.kernelFor(self).invokeExact(self, r, withReplacement);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  @SuppressWarnings("unchecked")
  public static List<Tensor> broadcastTensors(List<Tensor> tensors) {
    try {
      return (List<Tensor>) BROADCAST_TENSORS.kernelFor(tensors).invokeExact(tensors);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  @SuppressWarnings("unchecked")
  public static List<Tensor> tensorSplit(Tensor self, long sections, long dim) {
    try {
      return (List<Tensor>) TENSOR_SPLIT_SECTIONS.kernelFor(self).invokeExact(self, sections, dim);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  @SuppressWarnings("unchecked")
  public static List<Tensor> tensorSplit(Tensor self, long[] indices, long dim) {
    try {
      return (List<Tensor>) TENSOR_SPLIT_INDICES.kernelFor(self).invokeExact(self, indices, dim);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor atleast1d(Tensor self) {
    return unary(ATLEAST_1D, self);
  }

  public static Tensor atleast2d(Tensor self) {
    return unary(ATLEAST_2D, self);
  }

  public static Tensor atleast3d(Tensor self) {
    return unary(ATLEAST_3D, self);
  }
}
