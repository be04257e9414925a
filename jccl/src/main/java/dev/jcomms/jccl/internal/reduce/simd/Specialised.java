package dev.jcomms.jccl.internal.reduce.simd;

import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;
import java.lang.invoke.MethodType;

/**
 * Copies of a class of loops, each with a {@link Recipe} of its own as a constant.
 *
 * <p>A vector operation is one instruction only where the compiler knows the operation. Loaded once
 * per recipe, as a hidden class, a template serves all operations, and each copy is compiled by
 * itself, with what it does not need left out.
 */
final class Specialised {
  private static final String[] NAMES = {"none", "one", "two", "three", "four"};
  private static final MethodType LOOP = MethodType.methodType(void.class, Step.class, int.class);
  private static final MethodType ROWS =
      MethodType.methodType(
          void.class,
          long.class,
          long.class,
          int.class,
          int.class,
          long.class,
          long.class,
          int.class,
          int.class);

  private Specialised() {}

  /** The loops over operands of a template, for one recipe. */
  static Loops of(Class<?> template, Recipe recipe) {
    Lookup copy = copy(template, recipe);
    MethodHandle[] byOperands = new MethodHandle[NAMES.length];
    for (int operands = 1; operands < NAMES.length; operands++) {
      byOperands[operands] = find(copy, NAMES[operands], LOOP);
    }
    return new Loops(byOperands);
  }

  /** The loop over rows of a template, for one recipe. */
  static MethodHandle rows(Class<?> template, Recipe recipe) {
    return find(copy(template, recipe), "fold", ROWS);
  }

  private static Lookup copy(Class<?> template, Recipe recipe) {
    try (InputStream code = template.getResourceAsStream(template.getSimpleName() + ".class")) {
      return MethodHandles.lookup()
          .defineHiddenClassWithClassData(code.readAllBytes(), recipe, true);
    } catch (IOException | IllegalAccessException e) {
      throw new IllegalStateException("cannot copy " + template.getName(), e);
    }
  }

  /** Null if a template has no such loop. */
  private static MethodHandle find(Lookup copy, String name, MethodType type) {
    try {
      return copy.findStatic(copy.lookupClass(), name, type);
    } catch (NoSuchMethodException e) {
      return null;
    } catch (IllegalAccessException e) {
      throw new AssertionError(e);
    }
  }

  /** The recipe of the copy that asks; called by its static initialiser. */
  static Recipe recipe(Lookup copy) {
    try {
      return MethodHandles.classData(copy, "_", Recipe.class);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }
}
