package dev.jcomms.tensor.dispatch;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.SerializedLambda;
import java.lang.reflect.Method;
import java.util.List;
import java.util.stream.Collectors;

/** Turns kernels of every kind into method handles of a schema's exact type, or says why not. */
final class KernelHandles {
  private static final MethodHandle BOXED;

  static {
    try {
      BOXED =
          MethodHandles.lookup()
              .findStatic(
                  KernelHandles.class,
                  "callBoxed",
                  MethodType.methodType(
                      Object.class, Kernel.Boxed.class, Operator.class, Object[].class));
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private KernelHandles() {}

  /** Apart, since built-in kernels are no lambdas. */
  private static final class Lambdas {
    static final List<Class<? extends Kernel.Typed>> SHAPES =
        List.of(
            Kernel.Of0.class,
            Kernel.Of1.class,
            Kernel.Of2.class,
            Kernel.Of3.class,
            Kernel.Of4.class,
            Kernel.Of5.class,
            Kernel.Of6.class,
            Kernel.Of7.class,
            Kernel.Of8.class);
  }

  /** A handle must have the schema's types, give or take boxing of its return. */
  static MethodHandle typed(Schema schema, MethodHandle kernel) {
    MethodType wanted = schema.methodType();
    MethodType given = kernel.type();
    if (given.parameterCount() != wanted.parameterCount()) {
      throw mismatch(
          schema,
          "takes " + given.parameterCount() + " arguments, not " + wanted.parameterCount(),
          given);
    }
    for (int i = 0; i < wanted.parameterCount(); i++) {
      if (!accepts(given.parameterType(i), wanted.parameterType(i))) {
        throw mismatch(
            schema,
            "takes "
                + given.parameterType(i).getSimpleName()
                + " for '"
                + schema.arguments().get(i).name()
                + "', not "
                + wanted.parameterType(i).getSimpleName(),
            given);
      }
    }
    if (!gives(given.returnType(), wanted.returnType())) {
      throw mismatch(
          schema,
          "returns "
              + given.returnType().getSimpleName()
              + ", not "
              + wanted.returnType().getSimpleName(),
          given);
    }
    return kernel.asType(wanted);
  }

  /** A lambda of one of the shapes, its types checked where the JVM lets us read them. */
  static MethodHandle typed(Schema schema, Kernel.Typed kernel) {
    MethodType wanted = schema.methodType();
    Class<?> shape =
        Lambdas.SHAPES.stream().filter(s -> s.isInstance(kernel)).findFirst().orElseThrow();
    int arity = Lambdas.SHAPES.indexOf(shape);
    if (arity != wanted.parameterCount()) {
      throw mismatch(
          schema,
          "takes " + arity + " arguments, not " + wanted.parameterCount(),
          null); // where the number is wrong, the types say nothing
    }
    MethodHandle call;
    try {
      call =
          MethodHandles.lookup()
              .findVirtual(shape, "call", MethodType.genericMethodType(arity))
              .bindTo(kernel);
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
    MethodType declared = declared(kernel);
    if (declared != null) {
      typed(schema, call.asType(declared)); // throws if the types differ
    }
    return call.asType(wanted);
  }

  /** The static method of that name in the lookup's class that fits the schema. */
  static MethodHandle named(Schema schema, MethodHandles.Lookup lookup, String method) {
    MethodHandle found = null;
    IllegalArgumentException reason = null;
    for (Method m : lookup.lookupClass().getDeclaredMethods()) {
      if (!m.getName().equals(method) || !java.lang.reflect.Modifier.isStatic(m.getModifiers())) {
        continue;
      }
      try {
        found = typed(schema, lookup.unreflect(m));
        reason = null;
        break;
      } catch (IllegalArgumentException e) {
        reason = e;
      } catch (IllegalAccessException e) {
        throw new IllegalArgumentException(lookup + " may not call " + m, e);
      }
    }
    if (found == null) {
      throw reason != null
          ? reason
          : new IllegalArgumentException(
              schema.qualifiedName()
                  + ": "
                  + lookup.lookupClass().getName()
                  + " has no static method '"
                  + method
                  + "'; schema: "
                  + schema);
    }
    return found;
  }

  /** A boxed kernel behind the schema's types. */
  static MethodHandle boxed(Operator op, Kernel.Boxed kernel) {
    MethodType wanted = op.schema().methodType();
    return MethodHandles.insertArguments(BOXED, 0, kernel, op)
        .asCollector(Object[].class, wanted.parameterCount())
        .asType(wanted);
  }

  private static Object callBoxed(Kernel.Boxed kernel, Operator op, Object[] args)
      throws Throwable {
    return kernel.call(op, Keys.set(Keys.effective(Keys.ofAll(args))), args);
  }

  private static boolean accepts(Class<?> given, Class<?> wanted) {
    return given.isAssignableFrom(wanted)
        || MethodType.methodType(given).wrap().returnType()
            == MethodType.methodType(wanted).wrap().returnType();
  }

  private static boolean gives(Class<?> given, Class<?> wanted) {
    return wanted == void.class
        || given == Object.class
        || wanted.isAssignableFrom(given)
        || MethodType.methodType(given).wrap().returnType()
            == MethodType.methodType(wanted).wrap().returnType();
  }

  private static MethodType declared(Kernel.Typed kernel) {
    SerializedLambda lambda = lambda(kernel);
    if (lambda == null) {
      return null;
    }
    try {
      return MethodType.fromMethodDescriptorString(
          lambda.getInstantiatedMethodType(), kernel.getClass().getClassLoader());
    } catch (TypeNotPresentException e) {
      return null;
    }
  }

  /** What a lambda was made of; null for a class of its own. */
  static SerializedLambda lambda(Kernel.Typed kernel) {
    return kernel.getClass().isHidden() ? WrittenLambda.of(kernel) : null;
  }

  private static IllegalArgumentException mismatch(Schema schema, String why, MethodType given) {
    return new IllegalArgumentException(
        "kernel of "
            + schema.qualifiedName()
            + " "
            + why
            + (given == null ? "" : "; kernel: " + words(given))
            + "; schema: "
            + schema
            + "; as Java: "
            + words(schema.methodType()));
  }

  /** {@code (Tensor, long) -> Tensor}. */
  private static String words(MethodType type) {
    return type.parameterList().stream()
        .map(Class::getSimpleName)
        .collect(Collectors.joining(", ", "(", ") -> " + type.returnType().getSimpleName()));
  }
}
