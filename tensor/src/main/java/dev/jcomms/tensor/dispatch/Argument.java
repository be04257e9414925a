package dev.jcomms.tensor.dispatch;

import java.util.Objects;

/**
 * One argument of a {@link Schema}. Immutable.
 *
 * @param name as call sites and errors write it
 * @param type its type
 * @param defaultValue what a call may leave out, or null if it must be given
 * @param keywordOnly whether it stands behind the {@code *}
 * @param alias what is said of its memory, or null; of a list, of the list itself
 * @param elementAlias for a list, what is said of its elements' memory, or null
 */
public record Argument(
    String name,
    SchemaType type,
    Constant defaultValue,
    boolean keywordOnly,
    Alias alias,
    Alias elementAlias) {

  public Argument {
    Objects.requireNonNull(name);
    Objects.requireNonNull(type);
    if (defaultValue != null) {
      if (!Defaults.fits(type, defaultValue)) {
        throw new IllegalArgumentException(
            "default " + defaultValue + " of argument '" + name + "' is no value of type " + type);
      }
      defaultValue = Defaults.canonical(type, defaultValue);
    }
  }

  public boolean hasDefault() {
    return defaultValue != null;
  }

  /**
   * The default as a call passes it: of the type's {@link SchemaType#javaType()}, null for {@code
   * None}. Arrays are new each time.
   *
   * @throws IllegalStateException if there is no default
   * @throws UnsupportedOperationException if it is a dtype, layout or format that exists only in
   *     PyTorch
   */
  public Object defaultJava() {
    if (defaultValue == null) {
      throw new IllegalStateException("argument '" + name + "' of type " + type + ": no default");
    }
    return Defaults.java(type, defaultValue);
  }

  /** Whether the operator writes to this argument, or to an element of it. */
  public boolean isWritten() {
    return alias != null && alias.write() || elementAlias != null && elementAlias.write();
  }

  /** Whether results may share this argument's memory, or an element's. */
  public boolean isAliased() {
    return alias != null || elementAlias != null;
  }

  /** {@code int[2] stride=1}, {@code Tensor(a!) out}. */
  @Override
  public String toString() {
    String text = AliasedType.text(type, alias, elementAlias) + " " + name;
    return defaultValue == null ? text : text + "=" + Defaults.text(type, defaultValue);
  }
}
