package dev.jcomms.tensor.internal.cpu;

/**
 * The JDK's module of vectors: there from the JVM's start by {@code --add-modules}, or fetched when
 * first needed, where the JVM was started with {@code --add-exports
 * java.base/jdk.internal.module=dev.jcomms.tensor}. That is how {@code jcomms run} starts ranks,
 * since a JVM with an incubator module takes twice as long to begin.
 */
final class VectorModule {
  private static final String NAME = "jdk.incubator.vector";
  private static final String INSIDE = "jdk.internal.module";

  private VectorModule() {}

  /** Whether {@link #fetch} may succeed. */
  static boolean isWithinReach() {
    return ModuleLayer.boot().findModule(NAME).isPresent()
        || Object.class.getModule().isExported(INSIDE, VectorModule.class.getModule());
  }

  /** Makes this module read it; whether it can be had. */
  static boolean fetch() {
    if (ModuleLayer.boot().findModule(NAME).isPresent()) {
      return true;
    }
    try {
      Object vectors =
          Class.forName(INSIDE + ".Modules")
              .getMethod("loadModule", String.class)
              .invoke(null, NAME);
      VectorModule.class.getModule().addReads((Module) vectors);
      return true;
    } catch (ReflectiveOperationException e) {
      return false; // such as a runtime that was linked without it
    }
  }
}
