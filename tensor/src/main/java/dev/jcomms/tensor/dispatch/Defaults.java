package dev.jcomms.tensor.dispatch;

import dev.jcomms.tensor.Device;
import dev.jcomms.tensor.Scalar;
import dev.jcomms.tensor.dispatch.SchemaType.Base;
import dev.jcomms.tensor.dispatch.SchemaType.ListOf;
import dev.jcomms.tensor.dispatch.SchemaType.OptionalOf;
import java.util.Collections;
import java.util.List;

/** What a default value means at an argument's type: whether it fits, its text, its Java value. */
final class Defaults {
  private Defaults() {}

  static boolean fits(SchemaType type, Constant value) {
    return switch (type) {
      case OptionalOf(var element) -> value == Constant.None.NONE || fits(element, value);
      case ListOf list ->
          value instanceof Constant.Sequence(var elements)
              ? elements.stream().allMatch(e -> fits(list.element(), e))
              : list.isSized() && value != Constant.None.NONE && fits(list.element(), value);
      case Base base ->
          switch (base) {
            case INT, SYM_INT -> value instanceof Constant.Whole || value instanceof Constant.Bool;
            case SCALAR_TYPE, LAYOUT, MEMORY_FORMAT -> value instanceof Constant.Whole;
            case FLOAT, SYM_FLOAT ->
                value instanceof Constant.Whole || value instanceof Constant.Fraction;
            case BOOL, SYM_BOOL ->
                value instanceof Constant.Bool
                    || value instanceof Constant.Whole(long n) && (n == 0 || n == 1);
            case SCALAR, NUMBER -> isReal(value);
            case COMPLEX -> isReal(value) || value instanceof Constant.Complex;
            case STR, DEVICE -> value instanceof Constant.Text;
            case TENSOR, GENERATOR, NONE -> value == Constant.None.NONE;
            default -> false;
          };
      default -> false;
    };
  }

  private static boolean isReal(Constant value) {
    return value instanceof Constant.Whole
        || value instanceof Constant.Fraction
        || value instanceof Constant.Bool;
  }

  /**
   * A fitting value in the form that PyTorch keeps: fractions where the type is one, a list where
   * one number was given for it. Behind an optional type it keeps what was written.
   */
  static Constant canonical(SchemaType type, Constant value) {
    if (type instanceof ListOf list) {
      List<Constant> elements =
          value instanceof Constant.Sequence(var given)
              ? given
              : Collections.nCopies(list.size(), value);
      return new Constant.Sequence(
          elements.stream().map(e -> canonical(list.element(), e)).toList());
    }
    if (type == Base.FLOAT && value instanceof Constant.Whole(long n)) {
      return new Constant.Fraction(n);
    }
    return value;
  }

  /**
   * The text of a canonical value. PyTorch writes {@code int[2] x=1}, but {@code SymInt[2] x=[1,
   * 1]}; the short form only where reading it gives the same list again.
   */
  static String text(SchemaType type, Constant value) {
    SchemaType present = type instanceof OptionalOf(var element) ? element : type;
    if (present == Base.DEVICE && value instanceof Constant.Text(String name)) return name;
    if (type instanceof ListOf(SchemaType element, int size)
        && element == Base.INT
        && value instanceof Constant.Sequence(var elements)
        && size > 1
        && elements.equals(
            Collections.nCopies(size, elements.isEmpty() ? null : elements.get(0)))) {
      return elements.get(0).toString();
    }
    return value.toString();
  }

  /** The value that a call passes, of the type's {@link SchemaType#javaType()}. */
  static Object java(SchemaType type, Constant value) {
    if (value == Constant.None.NONE) return null;
    return switch (type) {
      case OptionalOf(var element) -> java(element, value);
      case ListOf list -> list(list, value);
      case Base base ->
          switch (base) {
            case INT, SYM_INT -> whole(value);
            case FLOAT, SYM_FLOAT -> fraction(value);
            case BOOL, SYM_BOOL -> whole(value) != 0;
            case SCALAR, NUMBER -> scalar(value);
            case COMPLEX -> value instanceof Constant.Complex ? value : scalar(value);
            case SCALAR_TYPE -> TorchCodes.dtype(whole(value));
            case LAYOUT -> TorchCodes.layout(whole(value));
            case MEMORY_FORMAT -> TorchCodes.memoryFormat(whole(value));
            case STR -> ((Constant.Text) value).value();
            case DEVICE -> Device.parse(((Constant.Text) value).value());
            default -> throw misfit(type, value);
          };
      default -> throw misfit(type, value);
    };
  }

  private static Object list(ListOf type, Constant value) {
    List<Constant> elements =
        value instanceof Constant.Sequence(var given)
            ? given
            : Collections.nCopies(type.size(), value);
    Class<?> java = type.javaType();
    if (java == long[].class) return elements.stream().mapToLong(Defaults::whole).toArray();
    if (java == double[].class) return elements.stream().mapToDouble(Defaults::fraction).toArray();
    if (java == boolean[].class) {
      boolean[] values = new boolean[elements.size()];
      for (int i = 0; i < values.length; i++) values[i] = whole(elements.get(i)) != 0;
      return values;
    }
    return Collections.unmodifiableList(
        elements.stream().map(e -> java(type.element(), e)).toList());
  }

  private static long whole(Constant value) {
    return switch (value) {
      case Constant.Whole(long n) -> n;
      case Constant.Bool(boolean b) -> b ? 1 : 0;
      default -> throw misfit(Base.INT, value);
    };
  }

  private static double fraction(Constant value) {
    return value instanceof Constant.Fraction(double d) ? d : whole(value);
  }

  private static Scalar scalar(Constant value) {
    return switch (value) {
      case Constant.Fraction(double d) -> Scalar.of(d);
      case Constant.Bool(boolean b) -> Scalar.of(b);
      default -> Scalar.of(whole(value));
    };
  }

  private static IllegalArgumentException misfit(SchemaType type, Constant value) {
    return new IllegalArgumentException("default " + value + " is no value of type " + type);
  }
}
