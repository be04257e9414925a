package dev.jcomms.tensor.dispatch;

import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Device;
import dev.jcomms.tensor.Generator;
import dev.jcomms.tensor.Layout;
import dev.jcomms.tensor.MemoryFormat;
import dev.jcomms.tensor.Scalar;
import dev.jcomms.tensor.Tensor;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * The type of an argument or a result in a {@link Schema}. Immutable values, compared by content;
 * {@code toString()} is PyTorch's text of the type.
 */
public sealed interface SchemaType {
  /** The Java type that a typed kernel declares and a call passes; {@code Object} if none fits. */
  Class<?> javaType();

  /** The types that have a name of their own. */
  enum Base implements SchemaType {
    TENSOR("Tensor", Tensor.class),
    SCALAR("Scalar", Scalar.class),
    NUMBER("number", Scalar.class),
    INT("int", long.class),
    SYM_INT("SymInt", long.class),
    FLOAT("float", double.class),
    SYM_FLOAT("SymFloat", double.class),
    BOOL("bool", boolean.class),
    SYM_BOOL("SymBool", boolean.class),
    STR("str", String.class),
    SCALAR_TYPE("ScalarType", DType.class),
    LAYOUT("Layout", Layout.class),
    DEVICE("Device", Device.class),
    MEMORY_FORMAT("MemoryFormat", MemoryFormat.class),
    GENERATOR("Generator", Generator.class),
    COMPLEX("complex", Object.class),
    STREAM("Stream", Object.class),
    STORAGE("Storage", Object.class),
    Q_SCHEME("QScheme", Object.class),
    QUANTIZER("Quantizer", Object.class),
    DIMNAME("Dimname", Object.class),
    CAPSULE("Capsule", Object.class),
    NONE("NoneType", Object.class),
    ANY("Any", Object.class),
    ANY_CLASS("AnyClassType", Object.class),
    ANY_ENUM("AnyEnumType", Object.class);

    private final String text;
    private final Class<?> javaType;

    Base(String text, Class<?> javaType) {
      this.text = text;
      this.javaType = javaType;
    }

    @Override
    public Class<?> javaType() {
      return javaType;
    }

    @Override
    public String toString() {
      return text;
    }
  }

  /** {@code t}, {@code tVal}: any type, the same at every place in one schema that names it. */
  record Variable(String name) implements SchemaType {
    public Variable {
      Objects.requireNonNull(name);
    }

    @Override
    public Class<?> javaType() {
      return Object.class;
    }

    @Override
    public String toString() {
      return name;
    }
  }

  /** {@code __torch__.torch.classes.c10d.Work}: a class registered under a dotted name. */
  record Registered(String qualifiedName) implements SchemaType {
    public Registered {
      Objects.requireNonNull(qualifiedName);
    }

    @Override
    public Class<?> javaType() {
      return Object.class;
    }

    @Override
    public String toString() {
      return qualifiedName;
    }
  }

  /**
   * {@code Tensor[]}, {@code int[2]}. A size is a promise about defaults and single values only:
   * one number given for {@code int[2]} stands for two; a list of another length is still passed.
   *
   * @param size the size written, or {@link #ANY_SIZE}
   */
  record ListOf(SchemaType element, int size) implements SchemaType {
    public static final int ANY_SIZE = -1;

    public ListOf {
      Objects.requireNonNull(element);
      if (size < ANY_SIZE) {
        throw new IllegalArgumentException("list of " + element + ": size=" + size);
      }
    }

    public boolean isSized() {
      return size != ANY_SIZE;
    }

    @Override
    public Class<?> javaType() {
      return switch (element) {
        case Base base ->
            switch (base) {
              case INT, SYM_INT -> long[].class;
              case FLOAT, SYM_FLOAT -> double[].class;
              case BOOL, SYM_BOOL -> boolean[].class;
              case TENSOR, STR, SCALAR, NUMBER -> List.class;
              default -> Object.class;
            };
        case OptionalOf(var present) when present == Base.TENSOR -> List.class;
        default -> Object.class;
      };
    }

    @Override
    public String toString() {
      return element + "[" + (isSized() ? size : "") + "]";
    }
  }

  /** {@code Tensor?}: the value, or none, which is {@code null} in Java. */
  record OptionalOf(SchemaType element) implements SchemaType {
    public OptionalOf {
      Objects.requireNonNull(element);
    }

    @Override
    public Class<?> javaType() {
      Class<?> present = element.javaType();
      if (present == long.class) return Long.class;
      if (present == double.class) return Double.class;
      if (present == boolean.class) return Boolean.class;
      return present;
    }

    @Override
    public String toString() {
      return element + "?";
    }
  }

  /** {@code (int, Tensor)}. */
  record TupleOf(List<SchemaType> elements) implements SchemaType {
    public TupleOf {
      elements = List.copyOf(elements);
    }

    @Override
    public Class<?> javaType() {
      return Object.class;
    }

    @Override
    public String toString() {
      return joined("", elements);
    }
  }

  /** {@code Union(int, str)}. */
  record UnionOf(List<SchemaType> members) implements SchemaType {
    public UnionOf {
      members = List.copyOf(members);
      if (members.size() < 2) {
        throw new IllegalArgumentException("a union of fewer than two types: " + members);
      }
    }

    @Override
    public Class<?> javaType() {
      return Object.class;
    }

    @Override
    public String toString() {
      return joined("Union", members);
    }
  }

  /** {@code Dict(str, Tensor)}. */
  record DictOf(SchemaType key, SchemaType value) implements SchemaType {
    public DictOf {
      Objects.requireNonNull(key);
      Objects.requireNonNull(value);
    }

    @Override
    public Class<?> javaType() {
      return Object.class;
    }

    @Override
    public String toString() {
      return joined("Dict", List.of(key, value));
    }
  }

  /**
   * {@code Future(t)}, {@code Await(t)}, {@code RRef(t)}: a value that is, or will be, elsewhere.
   */
  record RemoteOf(String holder, SchemaType element) implements SchemaType {
    public RemoteOf {
      Objects.requireNonNull(holder);
      Objects.requireNonNull(element);
    }

    @Override
    public Class<?> javaType() {
      return Object.class;
    }

    @Override
    public String toString() {
      return joined(holder, List.of(element));
    }
  }

  private static String joined(String name, List<SchemaType> types) {
    return types.stream().map(Object::toString).collect(Collectors.joining(", ", name + "(", ")"));
  }
}
