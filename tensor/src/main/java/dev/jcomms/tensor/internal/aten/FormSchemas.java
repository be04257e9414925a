package dev.jcomms.tensor.internal.aten;

import dev.jcomms.tensor.dispatch.Schema;

/** The schemas of an operator's in-place and {@code out=} forms, from its functional one. */
final class FormSchemas {
  private FormSchemas() {}

  /**
   * {@code add.Tensor(Tensor self, …) -> Tensor} becomes {@code add_.Tensor(Tensor(a!) self, …)};
   * its overload may have another name.
   */
  static Schema inPlace(Schema functional, String overload) {
    String text = functional.toString();
    int open = text.indexOf('(');
    String name =
        functional.namespace()
            + "::"
            + functional.name()
            + "_"
            + (overload.isEmpty() ? "" : "." + overload);
    String arguments = arguments(text, open);
    if (!arguments.startsWith("Tensor self")) {
      throw new IllegalArgumentException("no in-place form of " + functional);
    }
    return Schema.parse(
        name + "(Tensor(a!)" + arguments.substring("Tensor".length()) + ") -> Tensor(a!)");
  }

  /** Adds {@code *, Tensor(a!) out} at the end, by the name that the argument is to have. */
  static Schema out(Schema functional, String overload, String argument) {
    String text = functional.toString();
    int open = text.indexOf('(');
    String arguments = arguments(text, open);
    String separator = arguments.isEmpty() ? "*, " : arguments.contains("*, ") ? ", " : ", *, ";
    return Schema.parse(
        functional.namespace()
            + "::"
            + functional.name()
            + "."
            + overload
            + "("
            + arguments
            + separator
            + "Tensor(a!) "
            + argument
            + ") -> Tensor(a!)");
  }

  private static String arguments(String text, int open) {
    return text.substring(open + 1, text.lastIndexOf(") ->"));
  }
}
