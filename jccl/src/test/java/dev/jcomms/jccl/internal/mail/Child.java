package dev.jcomms.jccl.internal.mail;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Other JVMs that run a main class of these tests. */
final class Child {
  private Child() {}

  /** Starts one; what it prints is printed here. */
  static Process start(Class<?> main, String... args) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-Xmx256m", "-ea"));
    command.addAll(List.of("-cp", classPath(), main.getName()));
    command.addAll(List.of(args));
    return new ProcessBuilder(command)
        .redirectOutput(ProcessBuilder.Redirect.INHERIT)
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }

  /** Tests may run as modules; a child runs from the class path, with all there is. */
  private static String classPath() {
    Stream<String> modules =
        ModuleLayer.boot().configuration().modules().stream()
            .map(module -> module.reference().location().orElseThrow())
            .filter(location -> location.getScheme().equals("file"))
            .map(location -> Path.of(location).toString());
    Stream<String> tests =
        Stream.ofNullable(System.getProperty("basedir"))
            .map(folder -> Path.of(folder, "target", "test-classes").toString());
    return Stream.of(modules, tests, Stream.of(System.getProperty("java.class.path")))
        .flatMap(paths -> paths)
        .collect(Collectors.joining(File.pathSeparator));
  }
}
