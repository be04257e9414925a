package dev.jcomms.tensor.internal.autograd.formulas;

import static dev.jcomms.tensor.internal.autograd.formulas.Call.except;
import static dev.jcomms.tensor.internal.autograd.formulas.Call.only;
import static dev.jcomms.tensor.internal.autograd.formulas.Call.zeros;

import dev.jcomms.tensor.Scalar;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import dev.jcomms.tensor.autograd.Derivative;
import dev.jcomms.tensor.autograd.Derivative.Context;
import dev.jcomms.tensor.internal.TensorAccess;
import dev.jcomms.tensor.internal.Views;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Reading and writing by index, and rearranging: gradients go back where the elements were. */
final class IndexFormulas {
  private IndexFormulas() {}

  static void into(Book book) {
    reading(book);
    writing(book);
    masks(book);
    arranging(book);
    ScatterReductions.into(book);
  }

  private static void reading(Book book) {
    book.self(
        "gather",
        c ->
            Call.of(
                "scatter_add",
                zeros(c.grad(), c.shape("self")),
                c.integer("dim"),
                c.tensor("index"),
                c.grad()),
        "index");
    book.self(
        "index_select",
        c ->
            Call.of(
                "index_select_backward",
                c.grad(),
                c.shape("self").toArray(),
                c.integer("dim"),
                c.tensor("index")),
        "index");
    book.self(
        "index.Tensor",
        c ->
            Call.of(
                "index_put",
                zeros(c.grad(), c.shape("self")),
                c.tensors("indices"),
                c.grad(),
                true),
        "indices");
    book.self("take", IndexFormulas::take, "index");
  }

  private static Tensor take(Context c) {
    Shape shape = c.shape("self");
    Tensor flat = zeros(c.grad(), Shape.of(shape.elements()));
    Tensor index = c.tensor("index");
    return Call.reshape(Call.of("index_put", flat, List.of(index), c.grad(), true), shape);
  }

  private static void writing(Book book) {
    Derivative scatter = Derivative.of().wrt("self", c -> cleared(c), "index");
    book.add("scatter.value", scatter);
    book.add("scatter.src", scatter.wrt("src", IndexFormulas::gathered, "index"));
    book.add(
        "scatter_add",
        Derivative.of().wrt("self", Context::grad).wrt("src", IndexFormulas::gathered, "index"));
    book.add(
        "index_add",
        Derivative.of()
            .wrt("self", Context::grad)
            .wrt("source", c -> Call.times(selected(c), c.scalar("alpha")), "index"));
    book.add(
        "index_copy",
        Derivative.of()
            .wrt("self", IndexFormulas::filled, "index")
            .wrt("source", IndexFormulas::selected, "index"));
    book.self("index_fill.int_Scalar", IndexFormulas::filled, "index");
    book.add(
        "index_fill.int_Tensor",
        Derivative.of()
            .wrt("self", IndexFormulas::filled, "index")
            .wrt("value", c -> Call.sum(Call.sub(c.grad(), filled(c))), "index"));
    book.add(
        "index_put",
        Derivative.of()
            .wrt(
                "self",
                c ->
                    c.flag("accumulate")
                        ? c.grad()
                        : Call.of(
                            "index_put",
                            c.grad(),
                            c.tensors("indices"),
                            Call.zero(c.grad()),
                            false),
                "indices")
            .wrt(
                "values", c -> Call.of("index.Tensor", c.grad(), c.tensors("indices")), "indices"));
  }

  private static Tensor cleared(Context c) {
    return Call.of("scatter.value", c.grad(), c.integer("dim"), c.tensor("index"), Scalar.ZERO);
  }

  private static Tensor gathered(Context c) {
    return Call.of("gather", c.grad(), c.integer("dim"), c.tensor("index"));
  }

  private static Tensor filled(Context c) {
    return Call.of(
        "index_fill.int_Scalar", c.grad(), c.integer("dim"), c.tensor("index"), Scalar.ZERO);
  }

  private static Tensor selected(Context c) {
    Tensor part = Call.of("index_select", c.grad(), c.integer("dim"), c.tensor("index"));
    return Call.reshape(part, c.shape("source"));
  }

  private static void masks(Book book) {
    book.self("masked_fill.Scalar", c -> except(c.tensor("mask"), c.grad()), "mask");
    book.add(
        "masked_fill.Tensor",
        Derivative.of()
            .wrt("self", c -> except(c.tensor("mask"), c.grad()), "mask")
            .wrt("value", c -> Call.sum(only(c.tensor("mask"), c.grad())), "mask"));
    book.self(
        "masked_select",
        c -> {
          Tensor mask = c.tensor("mask");
          Shape shape = Views.broadcast("masked_select", c.shape("self"), mask.shape());
          return Call.of(
              "masked_scatter", zeros(c.grad(), shape), Call.expand(mask, shape), c.grad());
        },
        "mask");
    book.add(
        "masked_scatter",
        Derivative.of()
            .wrt("self", c -> except(c.tensor("mask"), c.grad()), "mask")
            .wrt("source", IndexFormulas::scattered, "mask"));
  }

  /** The gradients under the mask, in order; what the mask did not reach gets none. */
  private static Tensor scattered(Context c) {
    Shape shape = c.shape("source");
    Tensor used = Call.of("masked_select", c.grad(), c.tensor("mask"));
    long left = shape.elements() - used.elements();
    Tensor all = left > 0 ? Call.cat(List.of(used, zeros(used, Shape.of(left))), 0) : used;
    return Call.reshape(all, shape);
  }

  private static void arranging(Book book) {
    book.add("cat", Derivative.of().wrtList("tensors", IndexFormulas::pieces));
    book.add("stack", Derivative.of().wrtList("tensors", IndexFormulas::layers));
    book.self("flip", c -> Call.of("flip", c.grad(), c.integers("dims")));
    book.self("roll", IndexFormulas::unroll);
    book.self("tril", c -> Call.of("tril", c.grad(), c.integer("diagonal")));
    book.self("triu", c -> Call.of("triu", c.grad(), c.integer("diagonal")));
    book.self("constant_pad_nd", IndexFormulas::unpad);
    book.self("repeat", IndexFormulas::unrepeat);
  }

  private static List<Tensor> pieces(Context c) {
    List<Shape> shapes = c.shapes("tensors");
    int dims = c.grad().shape().dims();
    int dim = TensorAccess.wrap(c.integer("dim"), dims, c.grad().shape());
    List<Tensor> parts = new ArrayList<>();
    long at = 0;
    for (int i = 0; i < shapes.size(); i++) {
      Shape shape = shapes.get(i);
      if (shape.dims() != dims) { // an empty 1-d tensor goes with everything
        parts.add(zeros(c.grad(), shape));
        continue;
      }
      long length = shape.size(dim);
      parts.add(c.needs("tensors", i) ? Call.narrow(c.grad(), dim, at, length) : null);
      at += length;
    }
    return parts;
  }

  private static List<Tensor> layers(Context c) {
    List<Tensor> parts = new ArrayList<>();
    for (int i = 0; i < c.shapes("tensors").size(); i++) {
      parts.add(
          c.needs("tensors", i)
              ? Call.of("select.int", c.grad(), c.integer("dim"), (long) i)
              : null);
    }
    return parts;
  }

  private static Tensor unroll(Context c) {
    long[] shifts = c.integers("shifts").clone();
    Arrays.setAll(shifts, i -> -c.integers("shifts")[i]);
    return Call.of("roll", c.grad(), shifts, c.integers("dims"));
  }

  private static Tensor unpad(Context c) {
    long[] pad = c.integers("pad").clone();
    Arrays.setAll(pad, i -> -c.integers("pad")[i]);
    return Call.of("constant_pad_nd", c.grad(), pad, Scalar.ZERO);
  }

  private static Tensor unrepeat(Context c) {
    long[] repeats = c.integers("repeats");
    Shape shape = c.shape("self");
    int added = repeats.length - shape.dims();
    long[] sizes = new long[2 * repeats.length];
    long[] dims = new long[repeats.length];
    for (int d = 0; d < repeats.length; d++) {
      sizes[2 * d] = repeats[d];
      sizes[2 * d + 1] = d < added ? 1 : shape.size(d - added);
      dims[d] = 2 * d;
    }
    Tensor split = Call.reshape(c.grad(), Shape.of(sizes));
    return Call.reshape(repeats.length == 0 ? split : Call.sum(split, false, dims), shape);
  }
}
