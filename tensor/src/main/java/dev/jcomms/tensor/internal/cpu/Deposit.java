package dev.jcomms.tensor.internal.cpu;

import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.internal.Elements;

/** What becomes of an element and a number that comes to it. */
enum Deposit {
  ASSIGN,
  ADD,
  MULTIPLY,
  MAX,
  MIN;

  void apply(DType dtype, long at, double value) {
    double now = this == ASSIGN ? 0 : Elements.getDouble(Memory.ALL, dtype, at);
    double next =
        switch (this) {
          case ASSIGN -> value;
          case ADD -> now + value;
          case MULTIPLY -> now * value;
          case MAX -> Math.max(now, value);
          case MIN -> Math.min(now, value);
        };
    Elements.putDouble(Memory.ALL, dtype, at, next);
  }

  void apply(DType dtype, long at, long value) {
    long now = this == ASSIGN ? 0 : Elements.getLong(Memory.ALL, dtype, at);
    long next =
        switch (this) {
          case ASSIGN -> value;
          case ADD -> now + value;
          case MULTIPLY -> now * value;
          case MAX -> Math.max(now, value);
          case MIN -> Math.min(now, value);
        };
    Elements.putLong(Memory.ALL, dtype, at, next);
  }

  /** Folds one element into another of the same dtype. */
  void apply(DType dtype, long at, long from, boolean floating) {
    if (floating) {
      apply(dtype, at, Elements.getDouble(Memory.ALL, dtype, from));
    } else {
      apply(dtype, at, Elements.getLong(Memory.ALL, dtype, from));
    }
  }

  /** Writes the number that changes nothing. */
  void neutral(DType dtype, long at) {
    switch (this) {
      case ASSIGN, ADD -> Elements.putLong(Memory.ALL, dtype, at, 0);
      case MULTIPLY -> Elements.putLong(Memory.ALL, dtype, at, 1);
      case MAX -> extreme(dtype, at, Double.NEGATIVE_INFINITY, Long.MIN_VALUE);
      case MIN -> extreme(dtype, at, Double.POSITIVE_INFINITY, Long.MAX_VALUE);
    }
  }

  private static void extreme(DType dtype, long at, double real, long whole) {
    if (dtype.isFloating()) {
      Elements.putDouble(Memory.ALL, dtype, at, real);
    } else {
      boolean low = whole < 0;
      long value =
          switch (dtype) {
            case I32 -> low ? Integer.MIN_VALUE : Integer.MAX_VALUE;
            case I16 -> low ? Short.MIN_VALUE : Short.MAX_VALUE;
            case I8 -> low ? Byte.MIN_VALUE : Byte.MAX_VALUE;
            case U8 -> low ? 0 : 255;
            case BOOL -> low ? 0 : 1;
            default -> whole;
          };
      Elements.putLong(Memory.ALL, dtype, at, value);
    }
  }
}
