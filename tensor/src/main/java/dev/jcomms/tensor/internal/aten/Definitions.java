package dev.jcomms.tensor.internal.aten;

import dev.jcomms.tensor.Tensor;
import dev.jcomms.tensor.dispatch.DispatchKey;
import dev.jcomms.tensor.dispatch.Library;
import dev.jcomms.tensor.dispatch.Schema;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;
import java.lang.invoke.MethodType;
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

  private final Map<String, Schema> schemas = new LinkedHashMap<>(); // by name in the namespace
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
      return inPlaceAs(schema.overload());
    }

    /** The same where its overload has another name. */
    Entry inPlaceAs(String overload) {
      Schema form = FormSchemas.inPlace(schema, overload);
      inPlace = local(form);
      define(form);
      put(DispatchKey.COMPOSITE_EXPLICIT_AUTOGRAD, inPlace, Forms.inPlace(schema, form));
      return this;
    }

    /** Adds the form that writes its result into an argument {@code out}. */
    Entry out(String overload) {
      Schema form = FormSchemas.out(schema, overload);
      out = local(form);
      define(form);
      put(DispatchKey.COMPOSITE_EXPLICIT_AUTOGRAD, out, Forms.out(schema, form));
      return this;
    }

    /** As {@link #out}, of operators that convert nothing: {@code out} has the result's dtype. */
    Entry exactOut(String overload) {
      Schema form = FormSchemas.out(schema, overload);
      define(form);
      put(DispatchKey.COMPOSITE_EXPLICIT_AUTOGRAD, local(form), Forms.outs(schema, form));
      return this;
    }

    /**
     * Adds an {@code out=} form whose schema is not the common one: several results, or one of
     * another name. It is made of the functional one on every device.
     */
    Entry outAs(String text) {
      Schema form = Schema.parse(NAMESPACE, text);
      define(form);
      put(DispatchKey.COMPOSITE_EXPLICIT_AUTOGRAD, local(form), Forms.outs(schema, form));
      return this;
    }

    /** The same where the argument has another name, as {@code grad_input}. */
    Entry out(String overload, String argument) {
      Schema form = FormSchemas.out(schema, overload, argument);
      out = local(form);
      define(form);
      put(DispatchKey.COMPOSITE_EXPLICIT_AUTOGRAD, out, Forms.out(schema, form));
      return this;
    }

    /** The CPU's kernel, of all forms that were added before. */
    Entry cpu(MethodHandle kernel) {
      return kernel(DispatchKey.CPU, kernel);
    }

    /** The CPU's kernel, of all forms that were added before. */
    Entry cpu(Lookup lookup, String method) {
      return kernel(DispatchKey.CPU, lookup, method);
    }

    /** The CPU's kernel of the in-place form alone. */
    Entry cpuInPlace(Lookup lookup, String method) {
      put(DispatchKey.CPU, inPlace, find(lookup, method, schema.methodType()));
      return this;
    }

    /** A kernel for every device, of all forms that were added before. */
    Entry everywhere(Lookup lookup, String method) {
      return kernel(DispatchKey.COMPOSITE_EXPLICIT_AUTOGRAD, lookup, method);
    }

    /**
     * A kernel made of differentiable operators; it has the schema's own types. Forms that were
     * added before are then made of such, too.
     */
    Entry composite(Lookup lookup, String method) {
      return composite(find(lookup, method, schema.methodType()));
    }

    Entry composite(MethodHandle kernel) {
      put(DispatchKey.COMPOSITE_IMPLICIT_AUTOGRAD, local(schema), kernel);
      for (String form : new String[] {inPlace, out}) {
        if (form != null) {
          put(
              DispatchKey.COMPOSITE_IMPLICIT_AUTOGRAD,
              form,
              kernels.get(DispatchKey.COMPOSITE_EXPLICIT_AUTOGRAD).remove(form));
        }
      }
      return this;
    }

    /** With a kernel of its own for the in-place form. */
    Entry composite(Lookup lookup, String method, String inPlaceMethod) {
      composite(lookup, method);
      put(
          DispatchKey.COMPOSITE_IMPLICIT_AUTOGRAD,
          inPlace,
          find(lookup, inPlaceMethod, schema.methodType()));
      return this;
    }

    private Entry kernel(DispatchKey key, Lookup lookup, String method) {
      MethodType type = schema.methodType();
      boolean forms = inPlace != null || out != null;
      return kernel(
          key,
          find(
              lookup,
              method,
              forms ? type.insertParameterTypes(type.parameterCount(), Tensor.class) : type));
    }

    private Entry kernel(DispatchKey key, MethodHandle into) {
      MethodType type = schema.methodType();
      if (inPlace == null && out == null) {
        put(key, local(schema), into);
        return this;
      }
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

  /**
   * Another name for an operator that is defined already, with those of its overloads that are
   * named, in place too where there is such a form.
   */
  void alias(String alias, String target, String... overloads) {
    alias(alias, target, List.of(overloads), true);
  }

  /** The same without the in-place forms. */
  void functionalAlias(String alias, String target, String... overloads) {
    alias(alias, target, List.of(overloads), false);
  }

  private void alias(String alias, String target, List<String> overloads, boolean withInPlace) {
    for (String overload : overloads) {
      String suffix = overload.isEmpty() ? "" : "." + overload;
      alias(alias, schemas.get(target + suffix));
      if (withInPlace) {
        alias(alias + "_", schemas.get(target + "_" + suffix));
      }
    }
  }

  private void alias(String name, Schema schema) {
    if (schema == null) {
      return; // there is no such form
    }
    int after = NAMESPACE.length() + 2 + schema.name().length();
    Schema renamed = Schema.parse(NAMESPACE, name + schema.toString().substring(after));
    define(renamed);
    put(DispatchKey.COMPOSITE_IMPLICIT_AUTOGRAD, local(renamed), Forms.alias(schema));
  }

  /** Starts an operator; the schema is without the namespace. */
  Entry op(String schema) {
    Schema parsed = Schema.parse(NAMESPACE, schema);
    define(parsed);
    return new Entry(parsed);
  }

  private void define(Schema schema) {
    if (schemas.putIfAbsent(local(schema), schema) != null) {
      throw new IllegalStateException("built-in operator " + schema + " is defined twice");
    }
  }

  private void put(DispatchKey key, String name, MethodHandle kernel) {
    kernels.computeIfAbsent(key, _ -> new LinkedHashMap<>()).put(name, kernel);
  }

  /** Defines everything, then registers the kernels key by key. */
  void register() {
    Library.define(NAMESPACE, m -> schemas.values().forEach(m::def));
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
