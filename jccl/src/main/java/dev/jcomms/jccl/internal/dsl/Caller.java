package dev.jcomms.jccl.internal.dsl;

import java.util.Set;

/** The line of the user's own source that a call came from. */
public record Caller(StackWalker.StackFrame frame) {
  private static final StackWalker WALKER = StackWalker.getInstance();
  private static final Set<String> OURS =
      Set.of("dev.jcomms.jccl.dsl", Caller.class.getPackageName());

  /** Of whoever called into the DSL. */
  public static Caller current() {
    return WALKER.walk(
        frames ->
            new Caller(
                frames.filter(frame -> isUsers(frame.getClassName())).findFirst().orElse(null)));
  }

  private static boolean isUsers(String className) {
    // Lambdas run through the JDK: mesh.forEach(link -> ...) is the user's line all the same.
    return !className.startsWith("java.")
        && !className.startsWith("jdk.")
        && !OURS.contains(className.substring(0, Math.max(0, className.lastIndexOf('.'))));
  }

  /** As {@code MyAllReduce.java:17}. */
  @Override
  public String toString() {
    return frame == null
        ? "program"
        : frame.getFileName() == null
            ? frame.getClassName()
            : frame.getFileName() + ":" + frame.getLineNumber();
  }
}
