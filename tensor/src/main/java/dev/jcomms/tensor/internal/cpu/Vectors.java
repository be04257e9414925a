package dev.jcomms.tensor.internal.cpu;

/** Whether this JVM has the module of vectors and was not told {@code -Djcomms.simd=false}. */
final class Vectors {
  static final boolean PRESENT =
      ModuleLayer.boot().findModule("jdk.incubator.vector").isPresent()
          && Boolean.parseBoolean(System.getProperty("jcomms.simd", "true"));

  private Vectors() {}
}
