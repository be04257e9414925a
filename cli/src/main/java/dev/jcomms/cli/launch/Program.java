package dev.jcomms.cli.launch;

import dev.jcomms.cli.CliException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** What every rank runs, with its arguments. */
public sealed interface Program {
  List<String> arguments();

  /** A {@code .java} file, compiled once for all ranks. */
  record Source(Path file, List<String> arguments) implements Program {}

  /** A jar with a {@code Main-Class}. */
  record Jar(Path file, List<String> arguments) implements Program {}

  /** {@code module/class}, or a module that names its main class. */
  record MainModule(String name, List<String> arguments) implements Program {}

  /** Anything else that can be executed. */
  record Command(Path executable, List<String> arguments) implements Program {}

  /** A Java program: what {@code words} name by its ending, or a module if {@code module}. */
  static Program java(List<String> words, boolean module) {
    if (words.isEmpty()) {
      throw CliException.usage(
          "nothing to run; give a .java file, a .jar, -m MODULE/CLASS, or a command after --");
    }
    String name = words.getFirst();
    List<String> arguments = words.subList(1, words.size());
    if (module) return new MainModule(name, arguments);
    boolean source = name.endsWith(".java");
    if (!source && !name.endsWith(".jar")) {
      throw CliException.usage(
          "'%s' is neither a .java file nor a .jar; a module is run by -m %s, a command by -- %s"
              .formatted(name, name, name));
    }
    Path file = Path.of(name);
    if (!Files.isRegularFile(file)) {
      throw CliException.usage(
          "no file %s (working directory %s)".formatted(name, Path.of("").toAbsolutePath()));
    }
    return source ? new Source(file, arguments) : new Jar(file, arguments);
  }

  /** Any command, found as a shell finds it. */
  static Program command(List<String> words, String searchPath) {
    if (words.isEmpty()) throw CliException.usage("no command after --");
    String name = words.getFirst();
    return new Command(
        name.contains("/") ? executable(Path.of(name)) : search(name, searchPath),
        words.subList(1, words.size()));
  }

  private static Path executable(Path file) {
    if (!Files.isRegularFile(file)) throw CliException.usage("no command " + file);
    if (!Files.isExecutable(file)) {
      throw CliException.usage("%s may not be executed; try: chmod +x %s".formatted(file, file));
    }
    return file;
  }

  private static Path search(String name, String searchPath) {
    for (String folder : searchPath.split(":")) {
      Path file = Path.of(folder.isEmpty() ? "." : folder, name);
      if (Files.isRegularFile(file) && Files.isExecutable(file)) return file;
    }
    throw CliException.usage("no command '%s' in PATH=%s".formatted(name, searchPath));
  }
}
