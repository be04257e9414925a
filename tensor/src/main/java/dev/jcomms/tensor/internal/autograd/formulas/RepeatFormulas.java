package dev.jcomms.tensor.internal.autograd.formulas;

import dev.jcomms.tensor.Tensor;
import dev.jcomms.tensor.autograd.Derivative;
import dev.jcomms.tensor.autograd.Derivative.Context;

/** Elements put on a diagonal, or into a part of another tensor. */
final class RepeatFormulas {
  private RepeatFormulas() {}

  static void into(Book book) {
    book.none("repeat_interleave.Tensor", "new_empty", "new_zeros", "new_ones", "new_full");
    book.self("diag_embed", RepeatFormulas::diagonal);
    book.add(
        "diagonal_scatter",
        Derivative.of()
            .wrt(
                "self",
                c ->
                    Call.of(
                        "diagonal_scatter",
                        c.grad(),
                        hole(c),
                        c.integer("offset"),
                        c.integer("dim1"),
                        c.integer("dim2")))
            .wrt("src", RepeatFormulas::diagonal));
    book.add(
        "select_scatter",
        Derivative.of()
            .wrt(
                "self",
                c ->
                    Call.of(
                        "select_scatter", c.grad(), hole(c), c.integer("dim"), c.integer("index")))
            .wrt(
                "src", c -> Call.of("select.int", c.grad(), c.integer("dim"), c.integer("index"))));
    book.add(
        "slice_scatter",
        Derivative.of()
            .wrt(
                "self",
                c ->
                    Call.of(
                        "slice_scatter",
                        c.grad(),
                        hole(c),
                        c.integer("dim"),
                        c.value("start"),
                        c.value("end"),
                        c.integer("step")))
            .wrt(
                "src",
                c ->
                    Call.of(
                        "slice.Tensor",
                        c.grad(),
                        c.integer("dim"),
                        c.value("start"),
                        c.value("end"),
                        c.integer("step"))));
  }

  private static Tensor diagonal(Context c) {
    return Call.of("diagonal", c.grad(), c.integer("offset"), c.integer("dim1"), c.integer("dim2"));
  }

  private static Tensor hole(Context c) {
    return Call.zeros(c.grad(), c.shape("src"));
  }
}
