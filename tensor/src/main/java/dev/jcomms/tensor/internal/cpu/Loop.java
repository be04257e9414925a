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
    try (InputStream code = template.getResourceAsStream(template.getSimpleName() + ".class")) {
      Lookup copy = lookup.defineHiddenClassWithClassData(code.readAllBytes(), data, true);
      return copy.findStatic(copy.lookupClass(), "run", type);
    } catch (IOException | ReflectiveOperationException e) {
      throw new IllegalStateException("cannot copy " + template.getName(), e);
    }
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
