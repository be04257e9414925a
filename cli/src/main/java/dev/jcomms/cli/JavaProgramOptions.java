package dev.jcomms.cli;

import dev.jcomms.cli.launch.JavaOptions;
import java.io.File;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine.Option;

/** How a Java program is to be run; shared by {@code run} and {@code exec}. */
final class JavaProgramOptions {
  @Option(
      names = {"-m", "--module"},
      description = "PROGRAM is MODULE or MODULE/CLASS.")
  private boolean module;

  @Option(
      names = {"-p", "--module-path"},
      paramLabel = "PATH",
      description = "More modules, beside those of JComms.")
  private String modulePath = "";

  @Option(
      names = {"-cp", "--class-path"},
      paramLabel = "PATH",
      description = "More classes for a .java file or a module.")
  private String classPath = "";

  @Option(
      names = "-J",
      paramLabel = "FLAG",
      description = "A flag for the JVM of every rank, such as -J-Xmx2g; repeatable.")
  private List<String> jvm = new ArrayList<>();

  boolean module() {
    return module;
  }

  JavaOptions options() {
    return new JavaOptions(List.copyOf(jvm), entries(modulePath), entries(classPath));
  }

  private static List<String> entries(String path) {
    return Stream.of(path.split(File.pathSeparator)).filter(s -> !s.isEmpty()).toList();
  }
}
