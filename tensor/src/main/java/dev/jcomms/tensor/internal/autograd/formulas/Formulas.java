package dev.jcomms.tensor.internal.autograd.formulas;

import dev.jcomms.tensor.autograd.Derivative;
import java.util.Set;

/** The gradients of the built-in operators: one line a family. Read when the first is wanted. */
public final class Formulas {
  private static final Book BOOK = read();

  private Formulas() {}

  /** The derivative of the operator of that name, with its namespace; null if it has none. */
  public static Derivative of(String operator) {
    return BOOK.find(operator.substring(Book.NAMESPACE.length()));
  }

  /** Names of the operators, in their namespace, that formulas were written for; for tests. */
  static Set<String> names() {
    return BOOK.names();
  }

  private static Book read() {
    Book book = new Book();
    ViewFormulas.into(book);
    CopyFormulas.into(book);
    ArithmeticFormulas.into(book);
    FunctionFormulas.into(book);
    ActivationFormulas.into(book);
    ReductionFormulas.into(book);
    MatrixFormulas.into(book);
    IndexFormulas.into(book);
    LossFormulas.into(book);
    LayerFormulas.into(book);
    RepeatFormulas.into(book);
    GateFormulas.into(book);
    SpecialFormulas.into(book);
    NormLossFormulas.into(book);
    RankFormulas.into(book);
    FactorFormulas.into(book);
    return book;
  }
}
