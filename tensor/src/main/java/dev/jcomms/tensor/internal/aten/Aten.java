package dev.jcomms.tensor.internal.aten;

import java.util.Collection;

/** The built-in operators: one line a family. */
public final class Aten {
  private Aten() {}

  public static Collection<BuiltIn> operators() {
    Definitions d = new Definitions();
    FactoryOps.define(d);
    CopyOps.define(d);
    ViewOps.define(d);
    ReshapeOps.define(d);
    ViewBackwardOps.define(d);
    MatrixOps.define(d);
    IndexOps.define(d);
    ArrangeOps.define(d);
    LossOps.define(d);
    LayerOps.define(d);
    ConvolutionOps.define(d);
    PoolingOps.define(d);
    RandomOps.define(d);
    UnaryOps.define(d);
    BinaryOps.define(d);
    PowerOps.define(d);
    ComparisonOps.define(d);
    ClampOps.define(d);
    ActivationOps.define(d);
    SumOps.define(d);
    ExtremeOps.define(d);
    SpreadOps.define(d);
    return d.all();
  }
}
