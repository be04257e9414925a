package dev.jcomms.tensor.internal.aten;

/** The built-in operators: one line a family. */
public final class Aten {
  private Aten() {}

  public static void register() {
    Definitions d = new Definitions();
    FactoryOps.define(d);
    CopyOps.define(d);
    ViewOps.define(d);
    MatrixOps.define(d);
    IndexOps.define(d);
    ArrangeOps.define(d);
    LossOps.define(d);
    LayerOps.define(d);
    ConvolutionOps.define(d);
    RandomOps.define(d);
    d.register();
  }
}
