package dev.jcomms.jccl.internal.reduce;

import java.lang.reflect.InvocationTargetException;

/**
 * The JDK's module of vectors, which a JVM has from its start or fetches when it is needed.
 *
 * <p>From the start, by {@code --add-modules}, it is dear: a JVM with an incubator module can use
 * neither the module graph nor the linked classes of an ahead-of-time cache, says so on stderr, and
 * takes twice as long to begin. Most ranks begin long before they reduce so much that vectors
 * matter, and some never do. So ranks that {@code jcomms run} starts fetch it, by the JDK's own way
 * of adding a module to a JVM that runs. That way is inside the JDK, and open to us only if the JVM
 * was told {@code --add-exports java.base/jdk.internal.module=dev.jcomms.jccl}. Where it is closed
 * or gone there are no vectors, and nothing else is amiss.
 */
final class VectorModule {
  static final String NAME = "jdk.incubator.vector";

  private static final String INSIDE = "jdk.internal.module";

  private VectorModule() {}

  /** Whether the JVM has had it from its start. */
  static boolean isPresent() {
    return ModuleLayer.boot().findModule(NAME).isPresent();
  }

  /** Whether {@link #fetch} is worth a try. */
  static boolean isWithinReach() {
    return Object.class.getModule().isExported(INSIDE, VectorModule.class.getModule());
  }

  /** Adds it to this JVM, for this module to read. */
  static void fetch() throws ReflectiveOperationException {
    try {
      Object vectors =
          Class.forName(INSIDE + ".Modules")
              .getMethod("loadModule", String.class)
              .invoke(null, NAME);
      VectorModule.class.getModule().addReads((Module) vectors);
    } catch (InvocationTargetException e) {
      // Such as a runtime that was linked without it.
      throw new ReflectiveOperationException(e.getCause());
    }
  }
}
