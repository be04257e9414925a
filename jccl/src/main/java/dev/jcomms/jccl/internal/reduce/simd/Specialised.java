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

  private Specialised() {}

  static Loops of(Class<?> template, Recipe recipe) {
    try (InputStream code = template.getResourceAsStream(template.getSimpleName() + ".class")) {
      Lookup copy =
          MethodHandles.lookup().defineHiddenClassWithClassData(code.readAllBytes(), recipe, true);
      MethodHandle[] byOperands = new MethodHandle[NAMES.length];
      for (int operands = 1; operands < NAMES.length; operands++) {
        byOperands[operands] = find(copy, NAMES[operands]);
      }
      return new Loops(byOperands);
    } catch (IOException | IllegalAccessException e) {
      throw new IllegalStateException("cannot copy " + template.getName(), e);
    }
  }

  private static MethodHandle find(Lookup copy, String name) throws IllegalAccessException {
    try {
      return copy.findStatic(copy.lookupClass(), name, LOOP);
    } catch (NoSuchMethodException e) {
      return null;
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
