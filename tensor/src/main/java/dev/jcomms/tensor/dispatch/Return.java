package dev.jcomms.tensor.dispatch;

import java.util.Objects;

/**
 * One result of a {@link Schema}. Immutable.
 *
 * @param name its name, or "" if it has none
 * @param type its type
 * @param alias what is said of its memory, or null; of a list, of the list itself
 * @param elementAlias for a list, what is said of its elements' memory, or null
 */
public record Return(String name, SchemaType type, Alias alias, Alias elementAlias) {
  public Return {
    Objects.requireNonNull(name);
    Objects.requireNonNull(type);
  }

  /** {@code Tensor}, {@code Tensor(a!) values}. */
  @Override
  public String toString() {
    String text = AliasedType.text(type, alias, elementAlias);
    return name.isEmpty() ? text : text + " " + name;
  }
}
