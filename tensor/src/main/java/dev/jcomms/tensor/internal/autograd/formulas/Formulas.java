package dev.jcomms.tensor.internal.autograd.formulas;

/** The gradients of the built-in operators: one line a family. */
public final class Formulas {
  private Formulas() {}

  public static void register() {
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
    book.register();
  }
}
