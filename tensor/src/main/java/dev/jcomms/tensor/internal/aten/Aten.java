package dev.jcomms.tensor.internal.aten;

import dev.jcomms.tensor.internal.autograd.formulas.Formulas;

/** The built-in operators: one line a family. */
public final class Aten {
  private Aten() {}

  public static void register() {
    Definitions d = new Definitions();
    FactoryOps.define(d);
    CopyOps.define(d);
    ViewOps.define(d);
    ViewBackwardOps.define(d);
    d.register();
    Formulas.register();
  }
}
