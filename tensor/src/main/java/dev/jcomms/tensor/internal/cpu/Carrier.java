package dev.jcomms.tensor.internal.cpu;

import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Scalar;

/** The Java type in which elements are computed, whatever they are stored as. */
enum Carrier {
  FLOAT(DType.F32),
  DOUBLE(DType.F64),
  INT(DType.I32),
  LONG(DType.I64);

  final DType dtype;
  final int bytes;

  Carrier(DType dtype) {
    this.dtype = dtype;
    this.bytes = dtype.bytes();
  }

  /** The widest carrier that a computation in this dtype needs; halves compute as floats. */
  static Carrier of(DType compute) {
    return switch (compute) {
      case F64 -> DOUBLE;
      case F32, F16, BF16, F8E4M3, F8E5M2 -> FLOAT;
      case I64, I32, I16, I8, U8, BOOL -> LONG;
    };
  }

  /** A number as this carrier's bits, which is how loops take parameters. */
  long bits(Scalar value) {
    return switch (this) {
      case FLOAT -> Float.floatToRawIntBits((float) value.toDouble());
      case DOUBLE -> Double.doubleToRawLongBits(value.toDouble());
      case INT -> (int) value.toLong();
      case LONG -> value.toLong();
    };
  }
}
