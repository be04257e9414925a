package dev.jcomms.tensor.internal.cpu;

import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;
import java.lang.invoke.MethodType;

/**
 * Copies of a class of loops, each with what it computes as a constant.
 *
 * <p>A loop runs at the machine's speed only where the compiler sees through the function it
 * applies. A template is loaded once for each function, as a hidden class, so that each copy is
 * compiled by itself. It has one static method {@code run}, called through a handle that is no
 * constant, so that it is never inlined in part.
 */
public final class Loop {
  private Loop() {}

  /**
   * The method {@code run} of a copy.
   *
   * @param lookup of the template's package
   * @param data what the copy gets from {@link #data}
   */
  public static MethodHandle copy(Lookup lookup, Class<?> template, Object data, MethodType type) {
    try {
      Lookup copy = lookup.defineHiddenClassWithClassData(code(template), data, true);
      return copy.findStatic(copy.lookupClass(), "run", type);
    } catch (IOException | ReflectiveOperationException e) {
      throw cannotCopy(template, e);
    }
  }

  /**
   * The constructor of a copy, for loops that keep something.
   *
   * @param result what it is known as
   */
  static MethodHandle maker(
      Lookup lookup, Class<?> template, Class<?> result, Class<?>... parameters) {
    try {
      Lookup copy = lookup.defineHiddenClass(code(template), true);
      MethodType type = MethodType.methodType(void.class, parameters);
      MethodHandle maker = copy.findConstructor(copy.lookupClass(), type);
      return maker.asType(type.changeReturnType(result));
    } catch (IOException | ReflectiveOperationException e) {
      throw cannotCopy(template, e);
    }
  }

  private static byte[] code(Class<?> template) throws IOException {
    try (InputStream code = template.getResourceAsStream(template.getSimpleName() + ".class")) {
      return code.readAllBytes();
    }
  }

  private static IllegalStateException cannotCopy(Class<?> template, Exception cause) {
    return new IllegalStateException("cannot copy " + template.getName(), cause);
  }

  /** What a copy was made for; called by its static initialiser. */
  public static <T> T data(Lookup copy, Class<T> type) {
    try {
      return MethodHandles.classData(copy, "_", type);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }
}
