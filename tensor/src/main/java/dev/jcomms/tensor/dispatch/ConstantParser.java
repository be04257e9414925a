package dev.jcomms.tensor.dispatch;

import dev.jcomms.tensor.dispatch.SchemaType.Base;
import dev.jcomms.tensor.dispatch.SchemaType.ListOf;
import dev.jcomms.tensor.dispatch.SchemaType.OptionalOf;
import java.util.ArrayList;
import java.util.List;

/** Default values. Their type decides only what a bare word means. */
final class ConstantParser {
  private final SchemaScanner in;

  ConstantParser(SchemaScanner in) {
    this.in = in;
  }

  Constant constant(SchemaType type) {
    return switch (in.peek()) {
      case '[' -> sequence(type);
      case '"', '\'' -> new Constant.Text(in.string());
      default -> in.atWord() ? word(type) : number();
    };
  }

  /** As deep as the type's lists at most, so that no text can nest without end. */
  private Constant sequence(SchemaType type) {
    SchemaType present = type instanceof OptionalOf(var inner) ? inner : type;
    if (!(present instanceof ListOf list)) throw in.expected("a value of type " + type);
    in.expect("[");
    List<Constant> elements = new ArrayList<>();
    if (!in.take("]")) {
      do {
        elements.add(constant(list.element()));
      } while (in.take(","));
      in.expect("]");
    }
    return new Constant.Sequence(elements);
  }

  private Constant word(SchemaType type) {
    int at = in.position();
    String word = in.word("a default value");
    switch (word) {
      case "None":
        return Constant.None.NONE;
      case "True", "False":
        return new Constant.Bool(word.equals("True"));
      case "inf":
        return new Constant.Fraction(Double.POSITIVE_INFINITY);
      case "nan":
        return new Constant.Fraction(Double.NaN);
      default:
    }
    if (innermost(type) == Base.DEVICE) {
      return new Constant.Text(in.take(":") ? word + ":" + in.number() : word);
    }
    Long code = TorchCodes.named(word);
    if (code == null) {
      throw in.error(
          at,
          "expected a value of type "
              + type
              + ", found '"
              + word
              + "'; names with a value: None, True, False, inf, nan, "
              + TorchCodes.names());
    }
    return new Constant.Whole(code);
  }

  private static SchemaType innermost(SchemaType type) {
    SchemaType inner = type;
    while (true) {
      if (inner instanceof OptionalOf(var element)) inner = element;
      else if (inner instanceof ListOf(var element, _)) inner = element;
      else return inner;
    }
  }

  private Constant number() {
    Constant real = part();
    if (in.take("j")) return new Constant.Complex(0, value(real));
    char sign = in.peek();
    if (sign != '+' && sign != '-') return real;
    in.take("+");
    Constant imaginary = part();
    in.expect("j");
    return new Constant.Complex(value(real), value(imaginary));
  }

  private static double value(Constant number) {
    return number instanceof Constant.Fraction(double d) ? d : ((Constant.Whole) number).value();
  }

  private Constant part() {
    boolean negative = in.take("-");
    if (negative && in.take("inf")) return new Constant.Fraction(Double.NEGATIVE_INFINITY);
    int at = in.position();
    if (!in.atNumber()) throw in.expected(negative ? "a number" : "a default value");
    String digits = (negative ? "-" : "") + in.number();
    if (digits.chars().allMatch(c -> c == '-' || c >= '0' && c <= '9')) {
      try {
        return new Constant.Whole(Long.parseLong(digits));
      } catch (NumberFormatException e) {
        throw in.error(at, "whole number out of range of 64 bits");
      }
    }
    double value = Double.parseDouble(digits);
    if (Double.isInfinite(value)) throw in.error(at, "number out of range of a double");
    return new Constant.Fraction(value);
  }
}
