package dev.jcomms.tensor.dispatch;

import dev.jcomms.tensor.dispatch.SchemaType.ListOf;
import dev.jcomms.tensor.dispatch.SchemaType.OptionalOf;

/** A type with its alias annotations, as the parser reads it and a schema prints it. */
record AliasedType(SchemaType type, Alias alias, Alias elementAlias) {
  @Override
  public String toString() {
    return text(type, alias, elementAlias);
  }

  /** The annotation of an optional value stands before its question mark: {@code Tensor(a)?}. */
  static String text(SchemaType type, Alias alias, Alias elementAlias) {
    if (type instanceof OptionalOf(SchemaType element)) {
      return text(element, alias, elementAlias) + "?";
    }
    if (type instanceof ListOf list && elementAlias != null) {
      String size = list.isSized() ? Integer.toString(list.size()) : "";
      return text(list.element(), elementAlias, null) + "[" + size + "]" + text(alias);
    }
    return type + text(alias);
  }

  private static String text(Alias alias) {
    return alias == null ? "" : alias.toString();
  }
}
