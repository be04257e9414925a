package dev.jcomms.tensor.dispatch;

import dev.jcomms.tensor.Tensor;
import java.lang.invoke.MethodType;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * What an operator is called, takes and gives, in PyTorch's language: {@code
 * aten::add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor}. Made by {@link
 * #parse}; immutable; any thread may use it.
 *
 * <p>{@link #toString()} is the text that PyTorch prints for the same schema, and two schemas are
 * equal if their texts are. Everything PyTorch's own operators use is read: optional and list
 * types, tuples, dictionaries, registered classes and type variables, defaults, keyword-only
 * arguments, {@code ...}, alias and mutation annotations, named and several results.
 *
 * <p>{@link #methodType()} is how the same operator looks in Java; a kernel has exactly that type.
 */
public final class Schema {
  private final String namespace;
  private final String name;
  private final String overload;
  private final String qualifiedName;
  private final List<Argument> arguments;
  private final boolean varArgs;
  private final List<Return> returns;
  private final boolean varReturns;
  private String text; // made when first asked for, and so is the type: both are always the same
  private MethodType type;

  Schema(
      String namespace,
      String name,
      String overload,
      List<Argument> arguments,
      boolean varArgs,
      List<Return> returns,
      boolean varReturns) {
    this.namespace = namespace;
    this.name = name;
    this.overload = overload;
    this.qualifiedName =
        (namespace.isEmpty() ? "" : namespace + "::")
            + name
            + (overload.isEmpty() ? "" : "." + overload);
    this.arguments = List.copyOf(arguments);
    this.varArgs = varArgs;
    this.returns = List.copyOf(returns);
    this.varReturns = varReturns;
  }

  /**
   * Reads a schema; its namespace may be missing, and is then "".
   *
   * @throws SchemaException naming the column and what was expected there
   */
  public static Schema parse(String text) {
    return new SchemaParser(Objects.requireNonNull(text, "schema")).parse();
  }

  /**
   * Reads a schema of this namespace, which the text may leave out.
   *
   * @throws SchemaException naming the column and what was expected there
   * @throws IllegalArgumentException if the text names another namespace
   */
  public static Schema parse(String namespace, String text) {
    SchemaScanner scanner = new SchemaScanner(Objects.requireNonNull(namespace, "namespace"));
    scanner.word("a namespace");
    if (!scanner.atEnd()) throw scanner.expected("a namespace of letters, digits and '_'");
    Schema schema = parse(text);
    if (schema.namespace.isEmpty()) {
      return new Schema(
          namespace,
          schema.name,
          schema.overload,
          schema.arguments,
          schema.varArgs,
          schema.returns,
          schema.varReturns);
    }
    if (!schema.namespace.equals(namespace)) {
      throw new IllegalArgumentException(
          "schema of namespace '"
              + schema.namespace
              + "' given where '"
              + namespace
              + "' is defined: "
              + schema);
    }
    return schema;
  }

  /** {@code aten}, or "" if the text had none. */
  public String namespace() {
    return namespace;
  }

  /** The operator without namespace and overload: {@code add}. */
  public String name() {
    return name;
  }

  /** {@code Tensor} in {@code add.Tensor}; "" for the default overload. */
  public String overload() {
    return overload;
  }

  /** {@code aten::add.Tensor}: what no two operators share. */
  public String qualifiedName() {
    return qualifiedName;
  }

  public List<Argument> arguments() {
    return arguments;
  }

  public List<Return> returns() {
    return returns;
  }

  /** Whether more arguments of any type may follow, {@code (str self, ...)}. */
  public boolean isVarArg() {
    return varArgs;
  }

  /** Whether more results of any type may follow, {@code -> ...}. */
  public boolean isVarRet() {
    return varReturns;
  }

  /** Whether it writes to any of its arguments. */
  public boolean isMutable() {
    return arguments.stream().anyMatch(Argument::isWritten);
  }

  /**
   * The type of a kernel: one parameter an argument, each of its {@link SchemaType#javaType()}, and
   * an {@code Object[]} for {@code ...}; no result is {@code void}, one is its type, several are
   * {@code Tensor[]}, or {@code Object[]} if any is no tensor.
   *
   * @throws IllegalArgumentException if there are more arguments than a Java method can have
   */
  public MethodType methodType() {
    MethodType made = type;
    if (made == null) {
      made = makeType();
      type = made;
    }
    return made;
  }

  private MethodType makeType() {
    List<Class<?>> parameters = new ArrayList<>();
    for (Argument argument : arguments) parameters.add(argument.type().javaType());
    if (varArgs) parameters.add(Object[].class);
    return MethodType.methodType(returnType(), parameters);
  }

  private Class<?> returnType() {
    if (varReturns) return Object[].class;
    return switch (returns.size()) {
      case 0 -> void.class;
      case 1 -> returns.getFirst().type().javaType();
      default -> returns.stream().allMatch(Schema::isTensor) ? Tensor[].class : Object[].class;
    };
  }

  private static boolean isTensor(Return result) {
    return result.type() == SchemaType.Base.TENSOR;
  }

  private String argumentsText() {
    List<String> parts = new ArrayList<>();
    boolean keywords = false;
    for (Argument argument : arguments) {
      if (argument.keywordOnly() && !keywords) {
        parts.add("*");
        keywords = true;
      }
      parts.add(argument.toString());
    }
    if (varArgs) parts.add("...");
    return String.join(", ", parts);
  }

  /** One result stands alone, unless it starts like a list of results. */
  private String returnsText() {
    String parts = returns.stream().map(Return::toString).collect(Collectors.joining(", "));
    if (varReturns) return returns.isEmpty() ? "..." : "(" + parts + ", ...)";
    return returns.size() == 1 && !parts.startsWith("(") ? parts : "(" + parts + ")";
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof Schema s && s.toString().equals(toString());
  }

  @Override
  public int hashCode() {
    return toString().hashCode();
  }

  /** The canonical text. */
  @Override
  public String toString() {
    String made = text;
    if (made == null) {
      made = qualifiedName + "(" + argumentsText() + ") -> " + returnsText();
      text = made;
    }
    return made;
  }
}
