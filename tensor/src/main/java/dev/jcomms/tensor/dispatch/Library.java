package dev.jcomms.tensor.dispatch;

import dev.jcomms.tensor.autograd.Derivative;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Where operators are defined and kernels registered: all of it, or nothing if a line is refused.
 *
 * <pre>{@code
 * Library.define("my", m -> m.def("twice(Tensor self) -> Tensor"));
 * RegistrationHandle tiny = Library.impl("aten", DispatchKey.PRIVATE_USE_1, m -> {
 *   m.impl("add.Tensor", Tiny::add);
 *   m.impl("mm", Tiny::mm);
 * });
 * }</pre>
 *
 * <p>A kernel may be registered over another one; it is served until its registration is closed.
 * Two kernels for one operator in the same block are a mistake and refused. The builder belongs to
 * the thread that runs the block and ends with it.
 */
public final class Library {
  private final String namespace;
  private final DispatchKey key; // null where operators are defined
  private final List<RegistrationHandle> done = new ArrayList<>();
  private final Set<String> implemented = new HashSet<>();
  private boolean open = true;

  private Library(String namespace, DispatchKey key) {
    this.namespace = namespace;
    this.key = key;
  }

  /** Defines operators in a namespace, new or not. */
  public static RegistrationHandle define(String namespace, Consumer<Library> body) {
    if (!namespace.matches("[A-Za-z][A-Za-z0-9_]*")) {
      throw new IllegalArgumentException(
          "namespace '" + namespace + "' is not a name of letters, digits and '_'");
    }
    return new Library(namespace, null).run(body);
  }

  /**
   * Registers kernels of one key for operators of a namespace; {@code "_"} for a fallback that
   * serves all namespaces.
   */
  public static RegistrationHandle impl(String namespace, DispatchKey key, Consumer<Library> body) {
    return new Library(namespace, java.util.Objects.requireNonNull(key, "key")).run(body);
  }

  private RegistrationHandle run(Consumer<Library> body) {
    Libraries.load();
    try {
      body.accept(this);
    } catch (RuntimeException | Error e) {
      undo();
      throw e;
    } finally {
      open = false;
    }
    RegistrationHandle all = RegistrationHandle.once(this::undo);
    Libraries.note(all);
    return all;
  }

  private void undo() {
    done.reversed().forEach(RegistrationHandle::close);
  }

  // ---- in a definition

  /** Defines an operator by its schema, {@code twice(Tensor self) -> Tensor}. */
  public Operator def(String schema) {
    requireDefinition();
    return def(Schema.parse(namespace, schema));
  }

  /** Defines an operator by a schema that was read before, of this block's namespace. */
  public Operator def(Schema schema) {
    requireDefinition();
    if (!schema.namespace().equals(namespace)) {
      throw new IllegalArgumentException(
          "def: '" + schema + "' is not in this block's namespace '" + namespace + "'");
    }
    Operator op = new Operator(schema);
    done.add(Registry.define(op));
    return op;
  }

  private void requireDefinition() {
    requireOpen();
    if (key != null) {
      throw new IllegalStateException(
          "def: this block registers kernels for " + key + "; define operators in Library.define");
    }
  }

  // ---- kernels: of the block's key; in a definition, of CompositeImplicitAutograd

  /** A kernel of any kind that is at hand as an object. */
  public Library impl(String name, Kernel kernel) {
    return switch (kernel) {
      case Kernel.Boxed boxed -> boxed(name, boxed);
      case Kernel.Typed typed -> typed(name, typed);
    };
  }

  /** A kernel that takes boxed arguments: {@code (op, keys, args) -> …}. */
  public Library boxed(String name, Kernel.Boxed kernel) {
    Fallbacks.requireFit(key, kernel);
    Operator op = operator(name);
    return add(op, new BoundKernel(op, kernel));
  }

  /** A kernel of exactly the schema's Java types. */
  public Library impl(String name, MethodHandle kernel) {
    Operator op = operator(name);
    return add(op, new BoundKernel(KernelHandles.typed(op.schema(), kernel)));
  }

  /** The static method {@code method} of the lookup's class. */
  public Library impl(String name, MethodHandles.Lookup lookup, String method) {
    Operator op = operator(name);
    return add(op, new BoundKernel(KernelHandles.named(op.schema(), lookup, method)));
  }

  /** Every static method of the lookup's class that says what it {@link Implements}. */
  public Library kernels(MethodHandles.Lookup lookup) {
    int found = 0;
    for (Method m : lookup.lookupClass().getDeclaredMethods()) {
      Implements names = m.getAnnotation(Implements.class);
      if (names != null) {
        for (String name : names.value()) {
          found++;
          try {
            impl(name, lookup.unreflect(m));
          } catch (IllegalAccessException e) {
            throw new IllegalArgumentException(lookup + " may not call " + m, e);
          }
        }
      }
    }
    if (found == 0) {
      throw new IllegalArgumentException(
          lookup.lookupClass().getName() + " has no method with @Implements");
    }
    return this;
  }

  public <R> Library impl(String name, Kernel.Of0<R> kernel) {
    return typed(name, kernel);
  }

  public <A, R> Library impl(String name, Kernel.Of1<A, R> kernel) {
    return typed(name, kernel);
  }

  public <A, B, R> Library impl(String name, Kernel.Of2<A, B, R> kernel) {
    return typed(name, kernel);
  }

  public <A, B, C, R> Library impl(String name, Kernel.Of3<A, B, C, R> kernel) {
    return typed(name, kernel);
  }

  public <A, B, C, D, R> Library impl(String name, Kernel.Of4<A, B, C, D, R> kernel) {
    return typed(name, kernel);
  }

  public <A, B, C, D, E, R> Library impl(String name, Kernel.Of5<A, B, C, D, E, R> kernel) {
    return typed(name, kernel);
  }

  public <A, B, C, D, E, F, R> Library impl(String name, Kernel.Of6<A, B, C, D, E, F, R> kernel) {
    return typed(name, kernel);
  }

  public <A, B, C, D, E, F, G, R> Library impl(
      String name, Kernel.Of7<A, B, C, D, E, F, G, R> kernel) {
    return typed(name, kernel);
  }

  public <A, B, C, D, E, F, G, H, R> Library impl(
      String name, Kernel.Of8<A, B, C, D, E, F, G, H, R> kernel) {
    return typed(name, kernel);
  }

  /**
   * Gives an operator its gradient, on every device. The block's key is {@link
   * DispatchKey#AUTOGRAD}.
   *
   * @throws IllegalArgumentException if the derivative names what the schema has not
   */
  public Library derivative(String name, Derivative derivative) {
    Operator op = operator(name);
    if (key != DispatchKey.AUTOGRAD) {
      throw new IllegalStateException(
          "derivative: needs a block of "
              + DispatchKey.AUTOGRAD
              + "; this one is of "
              + (key == null ? "definitions" : key));
    }
    if (!implemented.add(op.name())) {
      throw new IllegalArgumentException(
          "derivative: " + op.name() + " has two of them, or a kernel as well, in one block");
    }
    done.add(op.add(derivative));
    return this;
  }

  /** Serves every operator of the namespace that has nothing else for the block's key. */
  public Library fallback(Kernel.Boxed kernel) {
    requireOpen();
    if (key == null || !key.isRuntime()) {
      throw new IllegalStateException(
          "fallback: needs a block of one runtime key; this one is of "
              + (key == null ? "definitions" : key));
    }
    Fallbacks.requireFit(key, kernel);
    done.add(Registry.addFallback(namespace, key, kernel));
    return this;
  }

  private Library typed(String name, Kernel.Typed kernel) {
    Operator op = operator(name);
    return add(op, new BoundKernel(op, kernel));
  }

  private Operator operator(String name) {
    requireOpen();
    String qualified = name.contains("::") ? name : namespace + "::" + name;
    if (!qualified.startsWith(namespace + "::")) {
      throw new IllegalArgumentException(
          "impl: '" + name + "' is not in this block's namespace '" + namespace + "'");
    }
    return Registry.require(qualified);
  }

  private Library add(Operator op, BoundKernel kernel) {
    DispatchKey where = key != null ? key : DispatchKey.COMPOSITE_IMPLICIT_AUTOGRAD;
    if (!implemented.add(op.name())) {
      throw new IllegalArgumentException(
          "impl: " + op.name() + " has two kernels for " + where + " in one block");
    }
    done.add(op.add(where, kernel));
    return this;
  }

  private void requireOpen() {
    if (!open) {
      throw new IllegalStateException("this library block has ended");
    }
  }
}
