package dev.jcomms.tensor.internal.autograd.formulas;

import static dev.jcomms.tensor.internal.autograd.formulas.Call.mul;

import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import dev.jcomms.tensor.autograd.Derivative;
import dev.jcomms.tensor.autograd.Derivative.Context;

/** Convolution, pooling, dropout, embedding. */
final class LayerFormulas {
  private LayerFormulas() {}

  static void into(Book book) {
    NormalizationFormulas.into(book);
    ConvolutionFormulas.into(book);
    pooling(book);
    dropout(book);
    embedding(book);
  }

  private static void pooling(Book book) {
    book.self(
        "max_pool2d_with_indices",
        c ->
            Call.of(
                "max_pool2d_with_indices_backward",
                c.grad(),
                c.tensor("self"),
                c.integers("kernel_size"),
                c.integers("stride"),
                c.integers("padding"),
                c.integers("dilation"),
                c.flag("ceil_mode"),
                c.tensor("result1")),
        "self",
        "result1");
    book.add(
        "max_pool2d_with_indices_backward",
        Derivative.of()
            .wrt("grad_output", LayerFormulas::pooled, "indices")
            .wrt("self", c -> Call.zerosLike(c.grad())));
    book.self(
        "avg_pool2d",
        c ->
            Call.of(
                "avg_pool2d_backward",
                c.grad(),
                c.tensor("self"),
                c.integers("kernel_size"),
                c.integers("stride"),
                c.integers("padding"),
                c.flag("ceil_mode"),
                c.flag("count_include_pad"),
                c.value("divisor_override")),
        "self");
    book.add(
        "avg_pool2d_backward",
        Derivative.of()
            .wrt(
                "grad_output",
                c ->
                    Call.of(
                        "avg_pool2d",
                        c.grad(),
                        c.integers("kernel_size"),
                        c.integers("stride"),
                        c.integers("padding"),
                        c.flag("ceil_mode"),
                        c.flag("count_include_pad"),
                        c.value("divisor_override")))
            .wrt("self", c -> Call.zerosLike(c.grad())));
    book.self(
        "_adaptive_avg_pool2d",
        c -> Call.of("_adaptive_avg_pool2d_backward", c.grad(), c.tensor("self")),
        "self");
    book.add(
        "_adaptive_avg_pool2d_backward",
        Derivative.of()
            .wrt(
                "grad_output",
                c -> {
                  Shape out = c.shape("grad_output");
                  long[] size = {out.size(-2), out.size(-1)};
                  return Call.of("_adaptive_avg_pool2d", c.grad(), size);
                })
            .wrt("self", c -> Call.zerosLike(c.grad())));
  }

  /** The places that were taken, of each image's plane of numbers. */
  private static Tensor pooled(Context c) {
    Tensor indices = c.tensor("indices");
    Shape places = indices.shape();
    Shape planes = c.grad().shape();
    Tensor flat = Call.reshape(c.grad(), plane(planes));
    Tensor index = Call.reshape(indices, plane(places));
    return Call.reshape(Call.of("gather", flat, -1L, index), places);
  }

  private static Shape plane(Shape shape) {
    long[] sizes = new long[shape.dims() - 1];
    for (int d = 0; d < sizes.length; d++) {
      sizes[d] = shape.size(d);
    }
    sizes[sizes.length - 1] = shape.size(-2) * shape.size(-1);
    return Shape.of(sizes);
  }

  private static void dropout(Book book) {
    book.add(
        "native_dropout",
        Derivative.of()
            .wrt(
                "input",
                c -> Call.of("native_dropout_backward", c.grad(), c.tensor("result1"), scale(c)),
                "result1"));
    book.add(
        "native_dropout_backward",
        Derivative.of()
            .wrt(
                "grad_output",
                c -> mul(mul(c.grad(), c.tensor("mask")), c.number("scale")),
                "mask"));
  }

  private static double scale(Context c) {
    Boolean train = (Boolean) c.value("train");
    double p = c.number("p");
    return train == null || !train ? 1 : p == 1 ? 0 : 1 / (1 - p);
  }

  private static void embedding(Book book) {
    book.add(
        "embedding",
        Derivative.of()
            .wrt(
                "weight",
                c ->
                    Call.of(
                        "embedding_backward",
                        c.grad(),
                        c.tensor("indices"),
                        c.shape("weight").size(0),
                        c.integer("padding_idx"),
                        c.flag("scale_grad_by_freq"),
                        c.flag("sparse")),
                "indices"));
    book.add(
        "embedding_dense_backward",
        Derivative.of().wrt("grad_output", LayerFormulas::looked, "indices"));
  }

  private static Tensor looked(Context c) {
    Tensor indices = c.tensor("indices");
    Tensor found = Call.of("embedding", c.grad(), indices);
    long padding = c.integer("padding_idx");
    if (padding < 0) {
      return found;
    }
    return Call.except(Call.unsqueeze(Call.eq(indices, (double) padding), -1), found);
  }
}
