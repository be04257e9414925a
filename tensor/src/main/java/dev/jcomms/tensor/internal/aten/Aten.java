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
    SequenceOps.define(d);
    StackOps.define(d);
    RepeatOps.define(d);
    GateOps.define(d);
    SpecialOps.define(d);
    DivergenceOps.define(d);
    MarginOps.define(d);
    AttentionOps.define(d);
    GroupNormOps.define(d);
    EinsumOps.define(d);
    ProductOps.define(d);
    PaddingOps.define(d);
    ResizeOps.define(d);
    WindowOps.define(d);
    ColumnOps.define(d);
    VolumeOps.define(d);
    RankOps.define(d);
    UniqueOps.define(d);
    PutOps.define(d);
    RecurrentOps.define(d);
    FactorOps.define(d);
    return d.all();
  }
}
