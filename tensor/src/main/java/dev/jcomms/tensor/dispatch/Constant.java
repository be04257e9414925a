package dev.jcomms.tensor.dispatch;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * A default value as a {@link Schema} writes it. {@code toString()} is PyTorch's text; {@link
 * Argument#defaultJava()} is the value that a call passes.
 */
public sealed interface Constant {
  /** {@code None}. */
  enum None implements Constant {
    NONE;

    @Override
    public String toString() {
      return "None";
    }
  }

  /** {@code True}, {@code False}. */
  record Bool(boolean value) implements Constant {
    @Override
    public String toString() {
      return value ? "True" : "False";
    }
  }

  /** A number without point or exponent, or a name that stands for one, such as {@code Mean}. */
  record Whole(long value) implements Constant {
    @Override
    public String toString() {
      return Long.toString(value);
    }
  }

  /** A number with point or exponent; {@code inf} and {@code nan} too. */
  record Fraction(double value) implements Constant {
    private static final MathContext DIGITS = new MathContext(17, RoundingMode.HALF_EVEN);

    /** {@code 1.} if whole, else 17 digits as C's {@code %.17g} prints them, which is PyTorch's. */
    @Override
    public String toString() {
      if (Double.isNaN(value)) return "nan";
      if (Double.isInfinite(value)) return value > 0 ? "inf" : "-inf";
      if (value == 0) return 1 / value < 0 ? "-0." : "0.";
      if (value == (long) value && Math.abs(value) < 0x1p63) {
        return shortestWhole(value) + ".";
      }
      BigDecimal rounded = new BigDecimal(value).round(DIGITS).stripTrailingZeros();
      int exponent = rounded.precision() - rounded.scale() - 1;
      if (exponent >= -4 && exponent < DIGITS.getPrecision()) return rounded.toPlainString();
      BigDecimal mantissa = rounded.movePointLeft(exponent).stripTrailingZeros();
      return String.format(
          Locale.ROOT,
          "%se%s%02d",
          mantissa.toPlainString(),
          exponent < 0 ? "-" : "+",
          Math.abs(exponent));
    }

    /** The fewest digits that give the value back, then zeros. */
    private static String shortestWhole(double value) {
      return new BigDecimal(Double.toString(value)).setScale(0).toPlainString();
    }
  }

  /** {@code 2j}; printed with both parts, {@code 0.+2.j}. */
  record Complex(double real, double imaginary) implements Constant {
    @Override
    public String toString() {
      String i = new Fraction(imaginary).toString();
      return new Fraction(real) + (i.startsWith("-") ? "" : "+") + i + "j";
    }
  }

  /** A string, without its quotes and escapes; for a {@code Device} its name. */
  record Text(String value) implements Constant {
    public Text {
      Objects.requireNonNull(value);
    }

    /** In double quotes; bytes of UTF-8 that do not print are written in octal. */
    @Override
    public String toString() {
      StringBuilder out = new StringBuilder("\"");
      for (byte b : value.getBytes(StandardCharsets.UTF_8)) {
        int escape = Escapes.MEANINGS.indexOf(b);
        if (escape >= 0) {
          out.append('\\').append(Escapes.LETTERS.charAt(escape));
        } else if (b >= 0x20 && b < 0x7f) {
          out.append((char) b);
        } else {
          out.append("\\%03o".formatted(b & 0xff));
        }
      }
      return out.append('"').toString();
    }
  }

  /** {@code [0, 1]}. */
  record Sequence(List<Constant> elements) implements Constant {
    public Sequence {
      elements = List.copyOf(elements);
    }

    @Override
    public String toString() {
      return elements.stream().map(Object::toString).collect(Collectors.joining(", ", "[", "]"));
    }
  }
}
