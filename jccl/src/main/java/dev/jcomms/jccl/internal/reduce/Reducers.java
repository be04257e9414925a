package dev.jcomms.jccl.internal.reduce;

import dev.jcomms.ReduceOp;
import dev.jcomms.ReduceOp.Standard;
import dev.jcomms.jccl.internal.reduce.simd.VectorKernels;
import dev.jcomms.tensor.DType;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReferenceArray;

/** The reducer of each dtype and operation, made when first asked for. */
public final class Reducers {
  private static final int OPS = Standard.values().length + 1;
  private static final AtomicReferenceArray<Reducer> MADE =
      new AtomicReferenceArray<>(DType.values().length * OPS);

  private Reducers() {}

  /**
   * The reducer of elements of {@code dtype} by {@code op}. The factor of a {@code premul_sum} is
   * not looked at: each of the {@link Terms} brings its own.
   *
   * @throws IllegalArgumentException if the operation is not defined on the dtype
   */
  public static Reducer of(DType dtype, ReduceOp op) {
    Objects.requireNonNull(op, "op");
    int index = dtype.ordinal() * OPS + (op instanceof Standard s ? s.ordinal() : OPS - 1);
    Reducer reducer = MADE.getAcquire(index);
    if (reducer == null) {
      if (!op.accepts(dtype)) {
        throw new IllegalArgumentException("no reduction " + op.opName() + " of " + dtype);
      }
      // Two threads may both make one: they are equal, and either will do.
      reducer = make(dtype, op instanceof Standard s ? s : Standard.SUM, !(op instanceof Standard));
      MADE.setRelease(index, reducer);
    }
    return reducer;
  }

  private static Reducer make(DType dtype, Standard op, boolean scaled) {
    DType wide = wideType(dtype, op);
    return new Reducer(
        dtype,
        wide,
        op,
        scaled ? null : rows(dtype, op),
        kernel(dtype, dtype, op, scaled),
        kernel(dtype, wide, op, scaled),
        kernel(wide, dtype, op, false));
  }

  /** The type that partial results are kept in. */
  private static DType wideType(DType dtype, Standard op) {
    return switch (dtype) {
      case F16, BF16 -> DType.F32;
      case I32, I16, I8, U8 -> op == Standard.AVG ? DType.I64 : dtype;
      default -> dtype;
    };
  }

  private static Kernel kernel(DType in, DType out, Standard op, boolean scaled) {
    Kernel scalar = scalar(in, out, op, scaled);
    if (!Simd.likely() || !VectorKernels.cover(in, out, op)) {
      return scalar;
    }
    return new TrialKernel(
        scalar, () -> Simd.available() ? VectorKernels.of(in, out, op, scaled, scalar) : scalar);
  }

  /** Null where rows are nothing special. */
  private static RowReducer rows(DType dtype, Standard op) {
    PlainRows plain = PlainRows.of(dtype, op);
    if (plain == null) {
      return null;
    }
    return new RowReducer(
        plain,
        Simd.likely()
            ? () -> Simd.available() ? VectorKernels.rows(dtype, op, plain) : plain
            : null);
  }

  /** The twin in plain Java. Always there. */
  static Kernel scalar(DType in, DType out, Standard op, boolean scaled) {
    if (in.isFloating()) {
      return in == DType.F64 ? new DoubleKernel(op, scaled) : new FloatKernel(in, out, op, scaled);
    }
    return switch (op) {
      case BAND, BOR, BXOR -> new WordKernel(in, op);
      case AVG -> new LongKernel(in, out, op);
      case SUM, PRODUCT, MIN, MAX ->
          switch (in) {
            case I64 -> new LongKernel(in, out, op);
            case I32 -> new IntKernel(op);
            case I16 -> new ShortKernel(op);
            case BOOL -> new WordKernel(in, op);
            default -> new ByteKernel(op, in == DType.U8);
          };
    };
  }
}
