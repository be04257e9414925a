package dev.jcomms.tensor.internal.aten;

import dev.jcomms.tensor.Tensor;
import dev.jcomms.tensor.dispatch.DispatchKey;
import dev.jcomms.tensor.dispatch.Schema;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles.Lookup;
import java.lang.invoke.MethodType;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Collects the built-in operators, family by family.
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
 *
 * <p>Only names are looked at here. What else is wrong with a line is found when its operator is
 * first used, and by the test that uses all of them.
 */
final class Definitions {
  private static final String NAMESPACE = "aten::";

  private final Map<String, BuiltIn> operators = new LinkedHashMap<>(); // by name

  /** One operator, being described. */
  final class Entry {
    private final BuiltIn functional;
    private BuiltIn inPlace; // null if there is no such form
    private BuiltIn out;

    private Entry(BuiltIn functional) {
      this.functional = functional;
    }

    /** Adds the form that writes its result into {@code self}. */
    Entry inPlace() {
      return inPlaceAs(overload(local(functional)));
    }

    /** The same where its overload has another name. */
    Entry inPlaceAs(String overload) {
      String name = base(local(functional)) + "_" + (overload.isEmpty() ? "" : "." + overload);
      inPlace = define(name, () -> FormSchemas.inPlace(functional.schema(), overload));
      put(composed(), inPlace, form -> Forms.inPlace(functional.schema(), form));
      return this;
    }

    /** Adds the form that writes its result into an argument {@code out}. */
    Entry out(String overload) {
      return out(overload, "out");
    }

    /** The same where the argument has another name, as {@code grad_input}. */
    Entry out(String overload, String argument) {
      out = outForm(overload, argument);
      put(composed(), out, form -> Forms.out(functional.schema(), form));
      return this;
    }

    /** As {@link #out}, of operators that convert nothing: {@code out} has the result's dtype. */
    Entry exactOut(String overload) {
      return made(outForm(overload, "out"));
    }

    /**
     * Adds an {@code out=} form whose schema is not the common one: several results, or one of
     * another name. It is made of the functional one on every device.
     */
    Entry outAs(String schema) {
      return made(define(schema));
    }

    private BuiltIn outForm(String overload, String argument) {
      return define(
          base(local(functional)) + "." + overload,
          () -> FormSchemas.out(functional.schema(), overload, argument));
    }

    private Entry made(BuiltIn outs) {
      put(composed(), outs, form -> Forms.outs(functional.schema(), form));
      return this;
    }

    private static DispatchKey composed() {
      return DispatchKey.COMPOSITE_EXPLICIT_AUTOGRAD;
    }

    /** The CPU's kernel, of all forms that were added before. */
    Entry cpu(Supplier<MethodHandle> kernel) {
      return kernel(DispatchKey.CPU, kernel);
    }

    /** The CPU's kernel, of all forms that were added before. */
    Entry cpu(Lookup lookup, String method) {
      return kernel(DispatchKey.CPU, lookup, method);
    }

    /** The CPU's kernel of the in-place form alone. */
    Entry cpuInPlace(Lookup lookup, String method) {
      put(DispatchKey.CPU, inPlace, _ -> find(lookup, method, functional.schema().methodType()));
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
      return composite(() -> find(lookup, method, functional.schema().methodType()));
    }

    Entry composite(Supplier<MethodHandle> kernel) {
      functional.kernels().put(DispatchKey.COMPOSITE_IMPLICIT_AUTOGRAD, kernel);
      for (BuiltIn form : new BuiltIn[] {inPlace, out}) {
        if (form != null) {
          Supplier<MethodHandle> made = form.kernels().remove(composed());
          form.kernels().put(DispatchKey.COMPOSITE_IMPLICIT_AUTOGRAD, made);
        }
      }
      return this;
    }

    /** With a kernel of its own for the in-place form. */
    Entry composite(Lookup lookup, String method, String inPlaceMethod) {
      composite(lookup, method);
      inPlace
          .kernels()
          .put(
              DispatchKey.COMPOSITE_IMPLICIT_AUTOGRAD,
              () -> find(lookup, inPlaceMethod, functional.schema().methodType()));
      return this;
    }

    private Entry kernel(DispatchKey key, Lookup lookup, String method) {
      boolean forms = inPlace != null || out != null;
      return kernel(
          key,
          () -> {
            MethodType type = functional.schema().methodType();
            MethodType into = type.insertParameterTypes(type.parameterCount(), Tensor.class);
            return find(lookup, method, forms ? into : type);
          });
    }

    private Entry kernel(DispatchKey key, Supplier<MethodHandle> kernel) {
      if (inPlace == null && out == null) {
        functional.kernels().put(key, kernel);
        return this;
      }
      functional.kernels().put(key, () -> Forms.intoNew(kernel.get()));
      if (inPlace != null) {
        inPlace.kernels().put(key, () -> Forms.intoFirst(kernel.get()));
      }
      if (out != null) {
        out.kernels().put(key, kernel);
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
      BuiltIn functional = operators.get(NAMESPACE + target + suffix);
      if (functional == null) {
        throw new IllegalStateException(
            "built-in operator " + alias + suffix + " is to be " + target + suffix + ": no such");
      }
      alias(alias + suffix, functional);
      BuiltIn inPlace = operators.get(NAMESPACE + target + "_" + suffix);
      if (withInPlace && inPlace != null) {
        alias(alias + "_" + suffix, inPlace);
      }
    }
  }

  private void alias(String name, BuiltIn target) {
    BuiltIn alias =
        define(
            name,
            () -> {
              String text = target.schema().toString();
              return Schema.parse(NAMESPACE + name + text.substring(text.indexOf('(')));
            });
    alias
        .kernels()
        .put(DispatchKey.COMPOSITE_IMPLICIT_AUTOGRAD, () -> Forms.alias(target.schema()));
  }

  /** Starts an operator; the schema is without the namespace. */
  Entry op(String schema) {
    return new Entry(define(schema));
  }

  private BuiltIn define(String schema) {
    int open = schema.indexOf('(');
    if (open < 0) {
      throw new IllegalStateException("built-in operator '" + schema + "' has no arguments");
    }
    return define(schema.substring(0, open), () -> Schema.parse(NAMESPACE + schema));
  }

  private BuiltIn define(String name, Supplier<Schema> reader) {
    BuiltIn defined = new BuiltIn(NAMESPACE + name, reader);
    if (operators.putIfAbsent(defined.name(), defined) != null) {
      throw new IllegalStateException("built-in operator " + name + " is defined twice");
    }
    return defined;
  }

  Collection<BuiltIn> all() {
    return operators.values();
  }

  private static void put(
      DispatchKey key, BuiltIn form, java.util.function.Function<Schema, MethodHandle> maker) {
    form.kernels().put(key, () -> maker.apply(form.schema()));
  }

  private static String local(BuiltIn op) {
    return op.name().substring(NAMESPACE.length());
  }

  /** {@code add} of {@code add.Tensor}. */
  private static String base(String name) {
    int dot = name.indexOf('.');
    return dot < 0 ? name : name.substring(0, dot);
  }

  private static String overload(String name) {
    int dot = name.indexOf('.');
    return dot < 0 ? "" : name.substring(dot + 1);
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
