package dev.jcomms.tensor.internal.aten;

import dev.jcomms.tensor.dispatch.DispatchKey;
import dev.jcomms.tensor.dispatch.Schema;
import java.lang.invoke.MethodHandle;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.Supplier;

/**
 * A built-in operator as its family describes it. A program uses few of them: the schema is read,
 * and kernels are looked up, when the operator is first used.
 */
public final class BuiltIn {
  private final String name;
  private final Supplier<Schema> reader;
  private final Map<DispatchKey, Supplier<MethodHandle>> kernels = new EnumMap<>(DispatchKey.class);
  private Schema schema;

  /**
   * @param name with the namespace and the overload
   * @param reader reads a schema of that name
   */
  BuiltIn(String name, Supplier<Schema> reader) {
    this.name = name;
    this.reader = reader;
  }

  /** {@code aten::add.Tensor}. */
  public String name() {
    return name;
  }

  public synchronized Schema schema() {
    if (schema == null) {
      schema = reader.get();
      if (!schema.qualifiedName().equals(name)) {
        throw new IllegalStateException("built-in operator " + name + " has the schema " + schema);
      }
    }
    return schema;
  }

  /** What looks up the kernel of each key that has one. */
  public Map<DispatchKey, Supplier<MethodHandle>> kernels() {
    return kernels;
  }
}
