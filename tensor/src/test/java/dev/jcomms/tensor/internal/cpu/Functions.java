package dev.jcomms.tensor.internal.cpu;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;

/** Every function there is, for tests that put all of them to the same question. */
final class Functions {
  private Functions() {}

  static List<Function> all() {
    List<Function> found = new ArrayList<>();
    for (Class<?> family :
        List.of(
            ArithmeticFunctions.class,
            LogicFunctions.class,
            TranscendentalFunctions.class,
            ActivationFunctions.class)) {
      for (Field field : family.getDeclaredFields()) {
        if (Modifier.isStatic(field.getModifiers()) && field.getType() == Function.class) {
          try {
            found.add((Function) field.get(null));
          } catch (IllegalAccessException e) {
            throw new AssertionError(e);
          }
        }
      }
    }
    return found;
  }
}
