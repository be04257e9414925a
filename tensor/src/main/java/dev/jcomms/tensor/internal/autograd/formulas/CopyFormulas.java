package dev.jcomms.tensor.internal.autograd.formulas;

import dev.jcomms.tensor.Tensor;
import dev.jcomms.tensor.autograd.Derivative;
import java.util.List;

/** Copies pass the gradient on; what is overwritten gets none. */
final class CopyFormulas {
  private CopyFormulas() {}

  static void into(Book book) {
    book.none("empty_like", "full_like", "zeros_like", "ones_like");
    book.none("rand_like", "randn_like", "randint_like", "multinomial");
    book.self("clone", Derivative.Context::grad);
    book.self("_to_copy", c -> back(c, "self"));
    book.add(
        "copy_",
        Derivative.of().wrt("self", c -> Call.zerosLike(c.grad())).wrt("src", c -> back(c, "src")));
    book.zero("fill_.Scalar", "zero_", "fill.Scalar");
    for (String fill : List.of("fill_.Tensor", "fill.Tensor")) {
      book.add(
          fill,
          Derivative.of()
              .wrt("self", c -> Call.zerosLike(c.grad()))
              .wrt("value", c -> Call.sum(c.grad())));
    }
    book.zero("uniform_", "normal_", "bernoulli_.float", "exponential_", "random_", "random_.from");
    book.zero("bernoulli", "random_.to");
    book.add(
        "bernoulli_.Tensor",
        Derivative.of()
            .wrt("self", c -> Call.zerosLike(c.grad()))
            .wrt("p", c -> Call.zeros(c.grad(), c.shape("p"))));
  }

  /** The gradient with the dtype, and on the device, of what was copied. */
  private static Tensor back(Derivative.Context c, String source) {
    if (c.device(source).equals(c.grad().device())) {
      return Call.to(c.grad(), c.dtype(source));
    }
    return Call.of("_to_copy", c.grad(), c.dtype(source), null, c.device(source));
  }
}
