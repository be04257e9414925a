package dev.jcomms.tensor.internal.cpu;

import static dev.jcomms.tensor.internal.cpu.Refusals.check;

import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import java.lang.ref.Reference;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * Indexing by tensors, one or none a dimension, as {@code x[i, :, j]} does it.
 *
 * <p>The index tensors broadcast to one shape, which takes the place of the dimensions that they
 * index; it comes first if those do not lie together. A mask stands for the positions where it is
 * true.
 */
public final class AdvancedIndex {
  private AdvancedIndex() {}

  public static Tensor index(Tensor self, List<Tensor> indices) {
    Plan plan = Plan.of("index", self, indices);
    Tensor from = Dense.of(plan.view);
    Tensor out = Tensor.empty(self.dtype(), plan.result());
    long bytes = plan.after * self.dtype().bytes();
    long to = Dense.address(out);
    for (long b = 0; b < plan.before; b++) {
      for (long offset : plan.offsets) {
        Strided.copy(Dense.address(from) + (b * plan.indexed + offset) * bytes, to, bytes);
        to += bytes;
      }
    }
    Reference.reachabilityFence(from);
    Reference.reachabilityFence(out);
    return out;
  }

  /** In place; returns self. */
  public static Tensor indexPut(
      Tensor self, List<Tensor> indices, Tensor values, boolean accumulate) {
    Plan plan = Plan.of("index_put", self, indices);
    check(
        values.dtype() == self.dtype() || values.elements() == 1 && !accumulate && isMask(indices),
        "index_put: values must be " + self.dtype() + " as self is, but are " + values.dtype());
    Tensor source;
    try {
      source = Dense.of(values.to(self.dtype()).expand(plan.result()));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "index_put: values of shape="
              + values.shape()
              + " do not broadcast to what is indexed, "
              + plan.result(),
          e);
    }
    DType dtype = self.dtype();
    if (Strided.sharesElements(plan.view)) {
      putShared(plan, source, accumulate ? Deposit.ADD : Deposit.ASSIGN);
      return self;
    }
    Strided.inPlace(
        plan.view,
        work -> {
          long bytes = plan.after * dtype.bytes();
          long from = Dense.address(source);
          for (long b = 0; b < plan.before; b++) {
            for (long offset : plan.offsets) {
              long to = Dense.address(work) + (b * plan.indexed + offset) * bytes;
              if (accumulate) {
                for (long i = 0; i < bytes; i += dtype.bytes()) {
                  Deposit.ADD.apply(dtype, to + i, from + i, dtype.isFloating());
                }
              } else {
                Strided.copy(from, to, bytes);
              }
              from += bytes;
            }
          }
          Reference.reachabilityFence(source);
          Reference.reachabilityFence(work);
        });
    return self;
  }

  /** One number for what one mask names is a fill, and converts as such. */
  private static boolean isMask(List<Tensor> indices) {
    List<Tensor> given = indices.stream().filter(Objects::nonNull).toList();
    return given.size() == 1
        && (given.getFirst().dtype() == DType.BOOL || given.getFirst().dtype() == DType.U8);
  }

  /** One element after the other, where several of them lie at one place. */
  private static void putShared(Plan plan, Tensor source, Deposit deposit) {
    DType dtype = source.dtype();
    long from = Dense.address(source);
    for (long b = 0; b < plan.before; b++) {
      for (long offset : plan.offsets) {
        for (long i = 0; i < plan.after; i++) {
          long to = Strided.place(plan.view, (b * plan.indexed + offset) * plan.after + i);
          deposit.apply(dtype, to, from, dtype.isFloating());
          from += dtype.bytes();
        }
      }
    }
    Reference.reachabilityFence(source);
    Reference.reachabilityFence(plan.view);
  }

  /**
   * Self seen as {@code before} blocks of {@code indexed} positions of {@code after} elements.
   *
   * @param view self, its indexed dimensions brought together
   * @param offsets the position that each element of the broadcast index names
   */
  private record Plan(
      Tensor view, long before, long indexed, long after, long[] offsets, long[] sizes) {
    Shape result() {
      return Shape.of(sizes);
    }

    static Plan of(String op, Tensor self, List<Tensor> given) {
      if (given.isEmpty()) {
        throw new IndexOutOfBoundsException(op + ": there must be an index");
      }
      List<Tensor> indices = expandMasks(op, self, given);
      int dims = self.shape().dims();
      if (indices.size() > dims) {
        throw new IndexOutOfBoundsException(
            op + ": " + indices.size() + " indexes are too many for shape=" + self.shape());
      }
      List<Integer> indexed = new ArrayList<>();
      Shape shape = Shape.scalar();
      for (int d = 0; d < indices.size(); d++) {
        if (indices.get(d) != null) {
          indexed.add(d);
          shape = broadcast(op, shape, indices.get(d).shape(), indices);
        }
      }
      check(!indexed.isEmpty(), op + ": there must be an index that is a tensor");
      int first = indexed.getFirst();
      boolean together = indexed.getLast() - first == indexed.size() - 1;
      int before = together ? first : 0;
      List<Integer> order = new ArrayList<>();
      for (int d = 0; d < before; d++) {
        order.add(d);
      }
      order.addAll(indexed);
      for (int d = 0; d < dims; d++) {
        if (!order.contains(d)) {
          order.add(d);
        }
      }
      Tensor view = self.permute(order.stream().mapToInt(Integer::intValue).toArray());
      return laidOut(op, view, before, indexed, indices, shape);
    }

    private static Plan laidOut(
        String op,
        Tensor view,
        int before,
        List<Integer> indexed,
        List<Tensor> indices,
        Shape shape) {
      long[] viewSizes = view.shape().toArray();
      int end = before + indexed.size();
      long[] offsets = new long[Math.toIntExact(shape.elements())];
      long positions = 1;
      for (int i = indexed.size() - 1; i >= 0; i--) {
        long size = viewSizes[before + i];
        Tensor index = Strided.indexes(indices.get(indexed.get(i)).expand(shape));
        for (int j = 0; j < offsets.length; j++) {
          long k = Strided.index(Dense.address(index), j);
          if (k < -size || k >= size) {
            throw Refusals.outside(op, k, indexed.get(i), size);
          }
          offsets[j] += (k < 0 ? k + size : k) * positions;
        }
        positions *= size;
        Reference.reachabilityFence(index);
      }
      long[] sizes = new long[viewSizes.length - indexed.size() + shape.dims()];
      System.arraycopy(viewSizes, 0, sizes, 0, before);
      System.arraycopy(shape.toArray(), 0, sizes, before, shape.dims());
      System.arraycopy(viewSizes, end, sizes, before + shape.dims(), viewSizes.length - end);
      return new Plan(
          view,
          product(viewSizes, 0, before),
          positions,
          product(viewSizes, end, viewSizes.length),
          offsets,
          sizes);
    }

    private static long product(long[] sizes, int from, int to) {
      return Arrays.stream(sizes, from, to).reduce(1, (a, b) -> a * b);
    }

    private static Shape broadcast(String op, Shape a, Shape b, List<Tensor> all) {
      int dims = Math.max(a.dims(), b.dims());
      long[] sizes = new long[dims];
      for (int d = 1; d <= dims; d++) {
        long x = d <= a.dims() ? a.size(-d) : 1;
        long y = d <= b.dims() ? b.size(-d) : 1;
        if (x != y && x != 1 && y != 1) {
          throw new IndexOutOfBoundsException(
              op
                  + ": indexes of shapes "
                  + all.stream().map(t -> t == null ? ":" : t.shape().toString()).toList()
                  + " do not broadcast together");
        }
        sizes[dims - d] = x == 1 ? y : x;
      }
      return Shape.of(sizes);
    }

    /** Each mask becomes as many indexes as it has dimensions. */
    private static List<Tensor> expandMasks(String op, Tensor self, List<Tensor> given) {
      List<Tensor> out = new ArrayList<>();
      for (Tensor index : given) {
        if (index == null || index.dtype() == DType.I64 || index.dtype() == DType.I32) {
          out.add(index);
        } else if (index.dtype() == DType.BOOL || index.dtype() == DType.U8) {
          for (int d = 0; d < index.shape().dims(); d++) {
            int at = out.size() + d;
            if (at >= self.shape().dims() || self.shape().size(at) != index.shape().size(d)) {
              throw new IndexOutOfBoundsException(
                  op
                      + ": a mask of shape="
                      + index.shape()
                      + " does not fit shape="
                      + self.shape()
                      + " from dim="
                      + out.size()
                      + " on");
            }
          }
          check(index.shape().dims() > 0, op + ": a 0-d mask indexes no dimension");
          Tensor places = Masks.nonzero(index);
          for (int d = 0; d < index.shape().dims(); d++) {
            out.add(places.select(1, d));
          }
        } else {
          throw new IndexOutOfBoundsException(
              op + ": indexes must be i64, i32, bool or u8, but one is " + index.dtype());
        }
      }
      return out;
    }
  }
}
