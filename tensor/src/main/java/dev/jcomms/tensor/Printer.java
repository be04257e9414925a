package dev.jcomms.tensor;

import dev.jcomms.tensor.internal.Elements;
import dev.jcomms.tensor.internal.Transfers;
import dev.jcomms.tensor.internal.autograd.Leaves;
import java.lang.foreign.MemorySegment;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;

/** A tensor as text, letter for letter as PyTorch prints it with its default options. */
final class Printer {
  private static final int PRECISION = 4;
  private static final int THRESHOLD = 1000;
  private static final int EDGE = 3;
  private static final int LINE = 80;
  private static final String PREFIX = "tensor(";

  private final DType dtype;
  private final MemorySegment memory;
  private final long[] sizes;
  private final long[] strides;
  private final boolean summarize;

  /** How numbers look; decided from all that will be shown. */
  private boolean scientific;

  private boolean integral = true;
  private int width = 1;

  private Printer(Tensor t) {
    dtype = t.dtype();
    memory = t.readable("toString");
    sizes = t.shape().sizes();
    strides = t.ownStrides();
    summarize = t.elements() > THRESHOLD;
  }

  static String print(Tensor t) {
    List<String> suffixes = new ArrayList<>();
    if (!t.device().type().equals("cpu")) {
      suffixes.add("device='" + t.device() + "'");
    }
    boolean hidden = !Transfers.isReadable(t);
    boolean empty = t.elements() == 0;
    if (hidden || (empty && t.shape().dims() != 1)) {
      suffixes.add("size=" + tuple(t.shape().sizes()));
    }
    boolean inferred = t.dtype() == DType.I64 || t.dtype() == DType.BOOL;
    if (t.dtype() != DType.F32 && (!inferred || hidden || empty)) {
      suffixes.add("dtype=torch." + t.dtype().torchName());
    }
    if (t.requiresGrad()) {
      String made = Leaves.label(t);
      suffixes.add(made == null ? "requires_grad=True" : "grad_fn=<" + made + ">");
    }
    String body = hidden ? "..." : empty ? "[]" : of(Transfers.toHost("toString", t));
    return withSuffixes(PREFIX + body, suffixes);
  }

  private static String of(Tensor host) {
    return new Printer(host).body(host.offset());
  }

  private static String tuple(long[] sizes) {
    return Arrays.stream(sizes).mapToObj(Long::toString).collect(Collectors.joining(", ", "(", ""))
        + (sizes.length == 1 ? ",)" : ")");
  }

  private static String withSuffixes(String text, List<String> suffixes) {
    StringBuilder out = new StringBuilder(text);
    int column = text.length() - text.lastIndexOf('\n') + 1;
    for (String suffix : suffixes) {
      if (column + suffix.length() + 2 > LINE) {
        out.append(",\n").append(" ".repeat(PREFIX.length())).append(suffix);
        column = PREFIX.length() + suffix.length();
      } else {
        out.append(", ").append(suffix);
        column += suffix.length() + 2;
      }
    }
    return out.append(')').toString();
  }

  private String body(long offset) {
    if (dtype.isFloating()) {
      chooseNumberFormat(offset);
    } else {
      forEachShown(0, offset, at -> width = Math.max(width, format(at).length()));
    }
    return sizes.length == 0 ? cell(offset) : block(0, offset, PREFIX.length());
  }

  private void chooseNumberFormat(long offset) {
    double[] range = {Double.MAX_VALUE, 0};
    forEachShown(
        0,
        offset,
        at -> {
          double value = Math.abs(number(at));
          if (value > 0 && value <= Double.MAX_VALUE) {
            range[0] = Math.min(range[0], value);
            range[1] = Math.max(range[1], value);
            integral &= value == Math.rint(value);
          }
        });
    if (range[1] == 0) {
      return;
    }
    scientific = range[1] / range[0] > 1000.0 || range[1] > 1.0e8 || range[0] < 1.0e-4;
    forEachShown(
        0,
        offset,
        at -> {
          double value = number(at);
          if (value != 0 && Double.isFinite(value)) {
            width = Math.max(width, format(at).length());
          }
        });
  }

  /** Visits the storage offset of each element that will be shown. */
  private void forEachShown(int dim, long offset, LongConsumer visit) {
    if (dim == sizes.length) {
      visit.accept(offset);
      return;
    }
    for (long i = 0; i < sizes[dim]; i++) {
      if (elided(dim, i)) {
        i = sizes[dim] - EDGE;
      }
      forEachShown(dim + 1, offset + i * strides[dim], visit);
    }
  }

  private boolean elided(int dim, long i) {
    return summarize && sizes[dim] > 2 * EDGE && i == EDGE;
  }

  private String block(int dim, long offset, int indent) {
    boolean innermost = dim == sizes.length - 1;
    List<String> parts = new ArrayList<>();
    for (long i = 0; i < sizes[dim]; i++) {
      if (elided(dim, i)) {
        parts.add(innermost ? " ..." : "...");
        i = sizes[dim] - EDGE;
      }
      long at = offset + i * strides[dim];
      parts.add(innermost ? cell(at) : block(dim + 1, at, indent + 1));
    }
    String pad = " ".repeat(indent + 1);
    if (!innermost) {
      return "[" + String.join("," + "\n".repeat(sizes.length - dim - 1) + pad, parts) + "]";
    }
    int perLine = Math.max(1, (LINE - indent) / (width + 2));
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < parts.size(); i += perLine) {
      lines.add(String.join(", ", parts.subList(i, Math.min(parts.size(), i + perLine))));
    }
    return "[" + String.join(",\n" + pad, lines) + "]";
  }

  private String cell(long at) {
    String text = format(at);
    return " ".repeat(Math.max(0, width - text.length())) + text;
  }

  private double number(long at) {
    return Elements.getDouble(memory, dtype, at * dtype.bytes());
  }

  private String format(long at) {
    if (dtype == DType.BOOL) {
      return Elements.getLong(memory, dtype, at) != 0 ? "True" : "False";
    }
    if (!dtype.isFloating()) {
      return Long.toString(Elements.getLong(memory, dtype, at * dtype.bytes()));
    }
    double value = number(at);
    if (Double.isNaN(value)) {
      return "nan";
    }
    String sign = Double.doubleToRawLongBits(value) < 0 ? "-" : "";
    double magnitude = Math.abs(value);
    if (Double.isInfinite(value)) {
      return sign + "inf";
    }
    return sign + (scientific ? exponent(magnitude) : fixed(magnitude));
  }

  private String fixed(double value) {
    int digits = integral ? 0 : PRECISION;
    String text = new BigDecimal(value).setScale(digits, RoundingMode.HALF_EVEN).toPlainString();
    return integral ? text + "." : text;
  }

  private static String exponent(double value) {
    if (value == 0) {
      return "0." + "0".repeat(PRECISION) + "e+00";
    }
    BigDecimal rounded =
        new BigDecimal(value).round(new MathContext(PRECISION + 1, RoundingMode.HALF_EVEN));
    int power = rounded.precision() - rounded.scale() - 1;
    String digits = rounded.unscaledValue().toString();
    digits += "0".repeat(Math.max(0, PRECISION + 1 - digits.length()));
    int size = Math.abs(power);
    return digits.charAt(0)
        + "."
        + digits.substring(1)
        + (power < 0 ? "e-" : "e+")
        + (size < 10 ? "0" : "")
        + size;
  }
}
