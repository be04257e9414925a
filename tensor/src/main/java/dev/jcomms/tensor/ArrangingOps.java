package dev.jcomms.tensor;

import java.lang.invoke.MethodHandle;
import java.util.List;

/**
 * Of {@link Ops}: the same elements in another arrangement: repeated, stacked, turned, shuffled.
 */
abstract sealed class ArrangingOps extends ImageOps permits GateOps {
  private static final MethodHandle REPEAT = handle("aten::repeat");
  private static final MethodHandle TILE = handle("aten::tile");
  private static final MethodHandle REPEAT_INTERLEAVE_TENSOR =
      handle("aten::repeat_interleave.Tensor");
  private static final MethodHandle REPEAT_INTERLEAVE_SELF_TENSOR =
      handle("aten::repeat_interleave.self_Tensor");
  private static final MethodHandle REPEAT_INTERLEAVE_SELF_INT =
      handle("aten::repeat_interleave.self_int");
  private static final MethodHandle DIAG = handle("aten::diag");
  private static final MethodHandle DIAGFLAT = handle("aten::diagflat");
  private static final MethodHandle DIAG_EMBED = handle("aten::diag_embed");
  private static final MethodHandle SELECT_SCATTER = handle("aten::select_scatter");
  private static final MethodHandle SLICE_SCATTER = handle("aten::slice_scatter");
  private static final MethodHandle DIAGONAL_SCATTER = handle("aten::diagonal_scatter");
  private static final MethodHandle ROT90 = handle("aten::rot90");
  private static final MethodHandle FLIPLR = handle("aten::fliplr");
  private static final MethodHandle FLIPUD = handle("aten::flipud");
  private static final MethodHandle MOVEDIM_INTLIST = handle("aten::movedim.intlist");
  private static final MethodHandle SWAPDIMS = handle("aten::swapdims");
  private static final MethodHandle UNBIND_INT = handle("aten::unbind.int");
  private static final MethodHandle DIFF = handle("aten::diff");
  private static final MethodHandle PIXEL_SHUFFLE = handle("aten::pixel_shuffle");
  private static final MethodHandle PIXEL_UNSHUFFLE = handle("aten::pixel_unshuffle");
  private static final MethodHandle CHANNEL_SHUFFLE = handle("aten::channel_shuffle");
  private static final MethodHandle HSTACK = handle("aten::hstack");
  private static final MethodHandle VSTACK = handle("aten::vstack");
  private static final MethodHandle DSTACK = handle("aten::dstack");
  private static final MethodHandle COLUMN_STACK = handle("aten::column_stack");
  private static final MethodHandle BLOCK_DIAG = handle("aten::block_diag");
  private static final MethodHandle MESHGRID_INDEXING = handle("aten::meshgrid.indexing");
  private static final MethodHandle CARTESIAN_PROD = handle("aten::cartesian_prod");
  private static final MethodHandle COMBINATIONS = handle("aten::combinations");
  private static final MethodHandle BROADCAST_TENSORS = handle("aten::broadcast_tensors");
  private static final MethodHandle TENSOR_SPLIT_SECTIONS = handle("aten::tensor_split.sections");
  private static final MethodHandle TENSOR_SPLIT_INDICES = handle("aten::tensor_split.indices");
  private static final MethodHandle ATLEAST_1D = handle("aten::atleast_1d");
  private static final MethodHandle ATLEAST_2D = handle("aten::atleast_2d");
  private static final MethodHandle ATLEAST_3D = handle("aten::atleast_3d");

  ArrangingOps() {}

  public static Tensor repeat(Tensor self, long[] repeats) {
    return withSizes(REPEAT, self, repeats);
  }

  public static Tensor tile(Tensor self, long[] dims) {
    return withSizes(TILE, self, dims);
  }

  public static Tensor repeatInterleave(Tensor repeats, Long outputSize) {
    try {
      return (Tensor) REPEAT_INTERLEAVE_TENSOR.invokeExact(repeats, outputSize);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor repeatInterleave(Tensor self, Tensor repeats, Long dim, Long outputSize) {
    try {
      return (Tensor) REPEAT_INTERLEAVE_SELF_TENSOR.invokeExact(self, repeats, dim, outputSize);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor repeatInterleave(Tensor self, long repeats, Long dim, Long outputSize) {
    try {
      return (Tensor) REPEAT_INTERLEAVE_SELF_INT.invokeExact(self, repeats, dim, outputSize);
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
      return (Tensor) DIAG_EMBED.invokeExact(self, offset, dim1, dim2);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor selectScatter(Tensor self, Tensor src, long dim, long index) {
    try {
      return (Tensor) SELECT_SCATTER.invokeExact(self, src, dim, index);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor sliceScatter(
      Tensor self, Tensor src, long dim, Long start, Long end, long step) {
    try {
      return (Tensor) SLICE_SCATTER.invokeExact(self, src, dim, start, end, step);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor diagonalScatter(Tensor self, Tensor src, long offset, long dim1, long dim2) {
    try {
      return (Tensor) DIAGONAL_SCATTER.invokeExact(self, src, offset, dim1, dim2);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor rot90(Tensor self, long k, long[] dims) {
    try {
      return (Tensor) ROT90.invokeExact(self, k, dims);
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
      return (Tensor) MOVEDIM_INTLIST.invokeExact(self, source, destination);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor swapdims(Tensor self, long dim0, long dim1) {
    try {
      return (Tensor) SWAPDIMS.invokeExact(self, dim0, dim1);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  @SuppressWarnings("unchecked")
  public static List<Tensor> unbind(Tensor self, long dim) {
    try {
      return (List<Tensor>) UNBIND_INT.invokeExact(self, dim);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor diff(Tensor self, long n, long dim, Tensor prepend, Tensor append) {
    try {
      return (Tensor) DIFF.invokeExact(self, n, dim, prepend, append);
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
      return (Tensor) HSTACK.invokeExact(tensors);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor vstack(List<Tensor> tensors) {
    try {
      return (Tensor) VSTACK.invokeExact(tensors);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor dstack(List<Tensor> tensors) {
    try {
      return (Tensor) DSTACK.invokeExact(tensors);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor columnStack(List<Tensor> tensors) {
    try {
      return (Tensor) COLUMN_STACK.invokeExact(tensors);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor blockDiag(List<Tensor> tensors) {
    try {
      return (Tensor) BLOCK_DIAG.invokeExact(tensors);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  @SuppressWarnings("unchecked")
  public static List<Tensor> meshgrid(List<Tensor> tensors, String indexing) {
    try {
      return (List<Tensor>) MESHGRID_INDEXING.invokeExact(tensors, indexing);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor cartesianProd(List<Tensor> tensors) {
    try {
      return (Tensor) CARTESIAN_PROD.invokeExact(tensors);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor combinations(Tensor self, long r, boolean withReplacement) {
    try {
      return (Tensor) COMBINATIONS.invokeExact(self, r, withReplacement);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  @SuppressWarnings("unchecked")
  public static List<Tensor> broadcastTensors(List<Tensor> tensors) {
    try {
      return (List<Tensor>) BROADCAST_TENSORS.invokeExact(tensors);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  @SuppressWarnings("unchecked")
  public static List<Tensor> tensorSplit(Tensor self, long sections, long dim) {
    try {
      return (List<Tensor>) TENSOR_SPLIT_SECTIONS.invokeExact(self, sections, dim);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  @SuppressWarnings("unchecked")
  public static List<Tensor> tensorSplit(Tensor self, long[] indices, long dim) {
    try {
      return (List<Tensor>) TENSOR_SPLIT_INDICES.invokeExact(self, indices, dim);
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
