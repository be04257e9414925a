package dev.jcomms.tensor.internal.aten;

import static dev.jcomms.tensor.internal.aten.Elementwise.Rule.SAME;

import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Scalar;
import dev.jcomms.tensor.Tensor;
import dev.jcomms.tensor.internal.ScalarRange;
import dev.jcomms.tensor.internal.cpu.LogicFunctions;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;

/** Limits: numbers or tensors, one or both. */
final class ClampOps {
  private static final Lookup LOOKUP = MethodHandles.lookup();

  private ClampOps() {}

  static void define(Definitions d) {
    d.op("clamp(Tensor self, Scalar? min=None, Scalar? max=None) -> Tensor")
        .inPlace()
        .out("out")
        .cpu(LOOKUP, "clamp");
    d.op("clamp.Tensor(Tensor self, Tensor? min=None, Tensor? max=None) -> Tensor")
        .inPlace()
        .out("Tensor_out")
        .cpu(LOOKUP, "clampTensor");
    d.op("clamp_min(Tensor self, Scalar min) -> Tensor")
        .inPlace()
        .out("out")
        .cpu(LOOKUP, "clampMin");
    d.op("clamp_min.Tensor(Tensor self, Tensor min) -> Tensor")
        .inPlace()
        .out("Tensor_out")
        .cpu(Elementwise.binary(SAME, LogicFunctions.MAXIMUM));
    d.op("clamp_max(Tensor self, Scalar max) -> Tensor")
        .inPlace()
        .out("out")
        .cpu(LOOKUP, "clampMax");
    d.op("clamp_max.Tensor(Tensor self, Tensor max) -> Tensor")
        .inPlace()
        .out("Tensor_out")
        .cpu(Elementwise.binary(SAME, LogicFunctions.MINIMUM));
    d.alias("clip", "clamp", "", "Tensor", "out", "Tensor_out");
  }

  static Tensor clamp(Tensor self, Scalar min, Scalar max, Tensor out) {
    if (min == null && max == null) {
      throw neither();
    }
    DType common = Promotion.of(new Tensor[] {self}, new Scalar[] {min, max});
    Forms.requireSame("clamp", common, out);
    for (Scalar limit : new Scalar[] {min, max}) {
      if (limit != null) {
        ScalarRange.require("clamp", common, limit);
      }
    }
    if (min == null) {
      return Elementwise.run(LogicFunctions.CLAMP_MAX, common, SAME, max, Scalar.ZERO, out, self);
    }
    if (max == null) {
      return Elementwise.run(LogicFunctions.CLAMP_MIN, common, SAME, min, Scalar.ZERO, out, self);
    }
    return Elementwise.run(LogicFunctions.CLAMP, common, SAME, min, max, out, self);
  }

  private static IllegalArgumentException neither() {
    return new IllegalArgumentException("clamp: at least one of min and max must be given");
  }

  static Tensor clampTensor(Tensor self, Tensor min, Tensor max, Tensor out) {
    if (min == null && max == null) {
      throw neither();
    }
    if (min == null || max == null) {
      return Elementwise.run(
          min == null ? LogicFunctions.MINIMUM : LogicFunctions.MAXIMUM,
          SAME,
          Scalar.ZERO,
          Scalar.ZERO,
          out,
          self,
          min == null ? max : min);
    }
    return Elementwise.run(
        LogicFunctions.CLAMP_TENSOR, SAME, Scalar.ZERO, Scalar.ZERO, out, self, min, max);
  }

  static Tensor clampMin(Tensor self, Scalar min, Tensor out) {
    return clamp(self, min, null, out);
  }

  static Tensor clampMax(Tensor self, Scalar max, Tensor out) {
    return clamp(self, null, max, out);
  }
}
