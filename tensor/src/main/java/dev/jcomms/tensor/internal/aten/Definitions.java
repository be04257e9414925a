package dev.jcomms.tensor.internal.aten;

import dev.jcomms.tensor.Tensor;
import dev.jcomms.tensor.dispatch.DispatchKey;
import dev.jcomms.tensor.dispatch.Library;
import dev.jcomms.tensor.dispatch.Schema;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;
import java.lang.invoke.MethodType;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Collects the built-in operators, family by family, and registers them at the end.
 *
 * <pre>{@code
 * d.op("add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor")
 *     .inPlace()                  // add_.Tensor
 *     .out("out")                 // add.out
 *     .cpu(LOOKUP, "add");        // static Tensor add(Tensor self, Tensor other, Scalar alpha, Tensor out)
 * }</pre>
 *
 * <p>An operator with an in-place or an {@code out=} form has one CPU kernel for all of them: it
 * takes one more tensor, last, which is null where a new result is wanted. On other devices the two
 * forms are made of the functional one ({@link Forms}), until a device brings its own.
 */
final class Definitions {
  private static final String NAMESPACE = "aten";

  private final List<String> schemas = new ArrayList<>();
  private final Map<DispatchKey, Map<String, MethodHandle>> kernels =
      new EnumMap<>(DispatchKey.class);

  /** One operator, being described. */
  final class Entry {
    private final Schema schema;
    private String inPlace; // name of that form; null if there is none
    private String out;

    private Entry(Schema schema) {
      this.schema = schema;
    }

    /** Adds the form that writes its result into {@code self}. */
    Entry inPlace() {
      Schema form = FormSchemas.inPlace(schema);
      inPlace = local(form);
      define(form.toString());
      put(DispatchKey.COMPOSITE_EXPLICIT_AUTOGRAD, inPlace, Forms.inPlace(schema, form));
      return this;
    }

    /** Adds the form that writes its result into an argument {@code out}. */
    Entry out(String overload) {
      Schema form = FormSchemas.out(schema, overload);
      out = local(form);
      define(form.toString());
      put(DispatchKey.COMPOSITE_EXPLICIT_AUTOGRAD, out, Forms.out(schema, form));
      return this;
    }

    /** The CPU's kernel, of all forms that were added before. */
    Entry cpu(Lookup lookup, String method) {
      return kernel(DispatchKey.CPU, lookup, method);
    }

    /** A kernel for every device, of all forms that were added before. */
    Entry everywhere(Lookup lookup, String method) {
      return kernel(DispatchKey.COMPOSITE_EXPLICIT_AUTOGRAD, lookup, method);
    }

    /** A kernel made of differentiable operators; it has the schema's own types. */
    Entry composite(Lookup lookup, String method) {
      put(
          DispatchKey.COMPOSITE_IMPLICIT_AUTOGRAD,
          local(schema),
          find(lookup, method, schema.methodType()));
      return this;
    }

    private Entry kernel(DispatchKey key, Lookup lookup, String method) {
      MethodType type = schema.methodType();
      if (inPlace == null && out == null) {
        put(key, local(schema), find(lookup, method, type));
        return this;
      }
      MethodHandle into =
          find(lookup, method, type.insertParameterTypes(type.parameterCount(), Tensor.class));
      put(
          key,
          local(schema),
          Origins.note(
              MethodHandles.insertArguments(into, type.parameterCount(), (Object) null), into));
      if (inPlace != null) {
        put(key, inPlace, Origins.note(Forms.intoFirst(into), into));
      }
      if (out != null) {
        put(key, out, into);
      }
      return this;
    }
  }

  /** Starts an operator; the schema is without the namespace. */
  Entry op(String schema) {
    define(schema);
    return new Entry(Schema.parse(NAMESPACE, schema));
  }

  private void define(String schema) {
    schemas.add(schema);
  }

  private void put(DispatchKey key, String name, MethodHandle kernel) {
    kernels.computeIfAbsent(key, _ -> new LinkedHashMap<>()).put(name, kernel);
  }

  /** Defines everything, then registers the kernels key by key. */
  void register() {
    Library.define(NAMESPACE, m -> schemas.forEach(m::def));
    kernels.forEach(
        (key, of) -> Library.impl(NAMESPACE, key, m -> of.forEach((name, k) -> m.impl(name, k))));
  }

  private static String local(Schema schema) {
    return schema.qualifiedName().substring(NAMESPACE.length() + 2);
  }

  private static MethodHandle find(Lookup lookup, String method, MethodType type) {
    try {
      return lookup.findStatic(lookup.lookupClass(), method, type);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(
          "built-in kernel " + lookup.lookupClass().getName() + "." + method + type, e);
    }
  }
}
