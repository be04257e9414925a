package dev.jcomms.tensor.internal.aten;

import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Device;
import dev.jcomms.tensor.Layout;
import dev.jcomms.tensor.Ops;
import dev.jcomms.tensor.Scalar;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;
import java.util.function.IntToDoubleFunction;

/** Tensors whose elements follow from their place: ranges, identities, windows, places. */
final class SequenceOps {
  private static final Lookup LOOKUP = MethodHandles.lookup();

  private SequenceOps() {}

  static void define(Definitions d) {
    d.op(
            "arange(Scalar end, *, ScalarType? dtype=None, Layout? layout=None, Device?"
                + " device=None, bool? pin_memory=None) -> Tensor")
        .everywhere(LOOKUP, "arange");
    d.op(
            "arange.start(Scalar start, Scalar end, *, ScalarType? dtype=None, Layout?"
                + " layout=None, Device? device=None, bool? pin_memory=None) -> Tensor")
        .everywhere(LOOKUP, "arangeStart");
    d.op(
            "arange.start_step(Scalar start, Scalar end, Scalar step=1, *, ScalarType?"
                + " dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) ->"
                + " Tensor")
        .everywhere(LOOKUP, "arangeStep");
    d.op(
            "linspace(Scalar start, Scalar end, int steps, *, ScalarType? dtype=None, Layout?"
                + " layout=None, Device? device=None, bool? pin_memory=None) -> Tensor")
        .everywhere(LOOKUP, "linspace");
    d.op(
            "logspace(Scalar start, Scalar end, int steps, float base=10., *, ScalarType?"
                + " dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) ->"
                + " Tensor")
        .everywhere(LOOKUP, "logspace");
    d.op(
            "eye(SymInt n, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None,"
                + " bool? pin_memory=None) -> Tensor")
        .everywhere(LOOKUP, "eye");
    d.op(
            "eye.m(SymInt n, SymInt m, *, ScalarType? dtype=None, Layout? layout=None, Device?"
                + " device=None, bool? pin_memory=None) -> Tensor")
        .everywhere(LOOKUP, "eyeM");
    d.op(
            "tril_indices(int row, int col, int offset=0, *, ScalarType? dtype=4, Layout?"
                + " layout=None, Device? device=None, bool? pin_memory=None) -> Tensor")
        .everywhere(LOOKUP, "trilIndices");
    d.op(
            "triu_indices(int row, int col, int offset=0, *, ScalarType? dtype=4, Layout?"
                + " layout=None, Device? device=None, bool? pin_memory=None) -> Tensor")
        .everywhere(LOOKUP, "triuIndices");
    d.op(
            "new_empty(Tensor self, SymInt[] size, *, ScalarType? dtype=None, Layout?"
                + " layout=None, Device? device=None, bool? pin_memory=None) -> Tensor")
        .everywhere(LOOKUP, "newEmpty");
    d.op(
            "new_zeros(Tensor self, SymInt[] size, *, ScalarType? dtype=None, Layout?"
                + " layout=None, Device? device=None, bool? pin_memory=None) -> Tensor")
        .everywhere(LOOKUP, "newZeros");
    d.op(
            "new_ones(Tensor self, SymInt[] size, *, ScalarType? dtype=None, Layout?"
                + " layout=None, Device? device=None, bool? pin_memory=None) -> Tensor")
        .everywhere(LOOKUP, "newOnes");
    d.op(
            "new_full(Tensor self, SymInt[] size, Scalar fill_value, *, ScalarType? dtype=None,"
                + " Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor")
        .everywhere(LOOKUP, "newFull");
    for (String name : new String[] {"hann", "hamming", "blackman", "bartlett"}) {
      String options =
          ", *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool?"
              + " pin_memory=None) -> Tensor";
      d.op(name + "_window(int window_length" + options).everywhere(LOOKUP, name);
      d.op(name + "_window.periodic(int window_length, bool periodic" + options)
          .everywhere(LOOKUP, name + "Periodic");
    }
  }

  static Tensor arange(Scalar end, DType dtype, Layout layout, Device device, Boolean pin) {
    return arangeStep(Scalar.ZERO, end, Scalar.ONE, dtype, layout, device, pin);
  }

  static Tensor arangeStart(
      Scalar start, Scalar end, DType dtype, Layout layout, Device device, Boolean pin) {
    return arangeStep(start, end, Scalar.ONE, dtype, layout, device, pin);
  }

  static Tensor arangeStep(
      Scalar start,
      Scalar end,
      Scalar step,
      DType dtype,
      Layout layout,
      Device device,
      Boolean pin) {
    boolean whole = start.isIntegral() && end.isIntegral() && step.isIntegral();
    DType type = dtype != null ? dtype : whole ? DType.I64 : DType.F32;
    if (type == DType.BOOL) {
      throw new IllegalArgumentException("\"arange\" is not implemented for " + type);
    }
    Tensor made;
    if (type.isFloating()) {
      double by = step.toDouble();
      made = Tensor.arange(type, start.toDouble(), end.toDouble(), by);
    } else if (whole || type == DType.I64) {
      made = Tensor.arange(type, start.toLong(), end.toLong(), step.toLong());
    } else { // as many as the numbers say, from a start and by a step that are whole
      long n = Tensor.arange(start.toDouble(), end.toDouble(), step.toDouble()).elements();
      long first = start.toLong();
      long by = step.toLong();
      long[] values = new long[Math.toIntExact(n)];
      for (int i = 0; i < values.length; i++) {
        values[i] = first + i * by;
      }
      made = Tensor.of(values).to(type);
    }
    return placed(made, device);
  }

  static Tensor linspace(
      Scalar start,
      Scalar end,
      long steps,
      DType dtype,
      Layout layout,
      Device device,
      Boolean pin) {
    return spaced("linspace", start, end, steps, 0, dtype, device);
  }

  static Tensor logspace(
      Scalar start,
      Scalar end,
      long steps,
      double base,
      DType dtype,
      Layout layout,
      Device device,
      Boolean pin) {
    return spaced("logspace", start, end, steps, base, dtype, device);
  }

  /**
   * The second half is counted from the end, so that the end is met exactly.
   *
   * @param base what is raised to the numbers; 0 for the numbers themselves
   */
  private static Tensor spaced(
      String op, Scalar start, Scalar end, long steps, double base, DType dtype, Device device) {
    if (steps < 0) {
      throw new IllegalArgumentException(op + ": steps=" + steps + " is negative");
    }
    DType type = dtype == null ? DType.F32 : dtype;
    if (type == DType.BOOL && steps > 1) {
      throw new IllegalArgumentException("\"" + op + "\" is not implemented for " + type);
    }
    boolean whole = !type.isFloating();
    double from = whole && base == 0 ? start.toLong() : start.toDouble();
    double to = whole && base == 0 ? end.toLong() : end.toDouble();
    double step = steps < 2 ? 0 : (to - from) / (steps - 1);
    return numbers(
        Math.toIntExact(steps),
        type,
        device,
        i -> {
          double at = i < steps / 2 || steps == 1 ? from + step * i : to - step * (steps - 1 - i);
          return base == 0 ? at : Math.pow(base, at);
        });
  }

  static Tensor eye(long n, DType dtype, Layout layout, Device device, Boolean pin) {
    return eyeM(n, n, dtype, layout, device, pin);
  }

  static Tensor eyeM(long n, long m, DType dtype, Layout layout, Device device, Boolean pin) {
    if (n < 0 || m < 0) {
      throw new IllegalArgumentException("eye: n=" + n + " and m=" + m + " must not be negative");
    }
    DType type = dtype == null ? DType.F32 : dtype;
    Tensor out = Ops.zeros(new long[] {n, m}, type, device);
    if (n > 0 && m > 0) {
      Ops.fill_(Ops.diagonal(out, 0, 0, 1), Scalar.ONE);
    }
    return out;
  }

  static Tensor trilIndices(
      long row, long col, long offset, DType dtype, Layout layout, Device device, Boolean pin) {
    return places("tril_indices", row, col, offset, true, dtype, device);
  }

  static Tensor triuIndices(
      long row, long col, long offset, DType dtype, Layout layout, Device device, Boolean pin) {
    return places("triu_indices", row, col, offset, false, dtype, device);
  }

  private static Tensor places(
      String op, long rows, long columns, long offset, boolean lower, DType dtype, Device device) {
    if (rows < 0 || columns < 0) {
      throw new IllegalArgumentException(
          op + ": row=" + rows + " and col=" + columns + " must not be negative");
    }
    DType type = dtype == null ? DType.I64 : dtype;
    if (type != DType.I64 && type != DType.I32) {
      throw new IllegalArgumentException(op + ": dtype must be i64 or i32, but is " + type);
    }
    java.util.stream.LongStream.Builder row = java.util.stream.LongStream.builder();
    java.util.stream.LongStream.Builder column = java.util.stream.LongStream.builder();
    for (long r = 0; r < rows; r++) {
      long from = lower ? 0 : Math.max(0, r + offset);
      long to = lower ? Math.min(columns, r + offset + 1) : columns;
      for (long c = from; c < to; c++) {
        row.add(r);
        column.add(c);
      }
    }
    long[] all = java.util.stream.LongStream.concat(row.build(), column.build()).toArray();
    return placed(Tensor.of(all).view(2, all.length / 2).to(type), device);
  }

  static Tensor newEmpty(
      Tensor self, long[] size, DType dtype, Layout layout, Device device, Boolean pin) {
    return Ops.empty(dtype == null ? self.dtype() : dtype, size, near(self, device));
  }

  static Tensor newZeros(
      Tensor self, long[] size, DType dtype, Layout layout, Device device, Boolean pin) {
    return Ops.zeros(size, dtype == null ? self.dtype() : dtype, near(self, device));
  }

  static Tensor newOnes(
      Tensor self, long[] size, DType dtype, Layout layout, Device device, Boolean pin) {
    return newFull(self, size, Scalar.ONE, dtype, layout, device, pin);
  }

  static Tensor newFull(
      Tensor self,
      long[] size,
      Scalar value,
      DType dtype,
      Layout layout,
      Device device,
      Boolean pin) {
    return Ops.fill_(newEmpty(self, size, dtype, layout, device, pin), value);
  }

  private static Device near(Tensor self, Device device) {
    return device == null ? self.device() : device;
  }

  static Tensor hann(long length, DType dtype, Layout layout, Device device, Boolean pin) {
    return hannPeriodic(length, true, dtype, layout, device, pin);
  }

  static Tensor hannPeriodic(
      long length, boolean periodic, DType dtype, Layout layout, Device device, Boolean pin) {
    return window(
        "hann_window", length, periodic, dtype, device, x -> 0.5 - 0.5 * Math.cos(2 * Math.PI * x));
  }

  static Tensor hamming(long length, DType dtype, Layout layout, Device device, Boolean pin) {
    return hammingPeriodic(length, true, dtype, layout, device, pin);
  }

  static Tensor hammingPeriodic(
      long length, boolean periodic, DType dtype, Layout layout, Device device, Boolean pin) {
    return window(
        "hamming_window",
        length,
        periodic,
        dtype,
        device,
        x -> 0.54 - 0.46 * Math.cos(2 * Math.PI * x));
  }

  static Tensor blackman(long length, DType dtype, Layout layout, Device device, Boolean pin) {
    return blackmanPeriodic(length, true, dtype, layout, device, pin);
  }

  static Tensor blackmanPeriodic(
      long length, boolean periodic, DType dtype, Layout layout, Device device, Boolean pin) {
    return window(
        "blackman_window",
        length,
        periodic,
        dtype,
        device,
        x -> 0.42 - 0.5 * Math.cos(2 * Math.PI * x) + 0.08 * Math.cos(4 * Math.PI * x));
  }

  static Tensor bartlett(long length, DType dtype, Layout layout, Device device, Boolean pin) {
    return bartlettPeriodic(length, true, dtype, layout, device, pin);
  }

  static Tensor bartlettPeriodic(
      long length, boolean periodic, DType dtype, Layout layout, Device device, Boolean pin) {
    return window(
        "bartlett_window", length, periodic, dtype, device, x -> x <= 0.5 ? 2 * x : 2 - 2 * x);
  }

  /** A function of 0 to 1; a periodic window leaves the last place to the next period. */
  private static Tensor window(
      String op,
      long length,
      boolean periodic,
      DType dtype,
      Device device,
      java.util.function.DoubleUnaryOperator of) {
    DType type = dtype == null ? DType.F32 : dtype;
    if (length < 0 || !type.isFloating()) {
      throw new IllegalArgumentException(
          op + ": window_length=" + length + " of " + type + " must be a length and a float");
    }
    if (length == 1) {
      return numbers(1, type, device, _ -> 1);
    }
    long last = periodic ? length : length - 1;
    return numbers(Math.toIntExact(length), type, device, i -> of.applyAsDouble((double) i / last));
  }

  private static Tensor numbers(int n, DType dtype, Device device, IntToDoubleFunction at) {
    Tensor made = Tensor.empty(dtype, Shape.of(n));
    double[] values = new double[n];
    for (int i = 0; i < n; i++) {
      values[i] = dtype.isFloating() ? at.applyAsDouble(i) : (long) at.applyAsDouble(i);
    }
    return placed(made.copyFrom(Tensor.wrap(values, made.shape())), device);
  }

  private static Tensor placed(Tensor made, Device device) {
    return device == null || device.equals(Device.CPU) ? made : Ops.toCopy(made, null, device);
  }
}
