package dev.jcomms.cli.launch;

import java.util.List;

/** What the user adds to the JVM of every rank. */
public record JavaOptions(List<String> jvm, List<String> modulePath, List<String> classPath) {
  public static final JavaOptions NONE = new JavaOptions(List.of(), List.of(), List.of());
}
