package dev.jcomms.cli.launch;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Turns a {@link Program} into the words that start it; compiles source files on the way. */
final class CommandLines {
  private final JavaRuntime runtime;
  private final SourceCompiler compiler;
  private final int ranksHere;

  /**
   * @param ranksHere how many ranks share this machine
   */
  CommandLines(JavaRuntime runtime, SourceCompiler compiler, int ranksHere) {
    this.runtime = runtime;
    this.compiler = compiler;
    this.ranksHere = ranksHere;
  }

  List<String> of(Program program, JavaOptions options) {
    List<String> words = new ArrayList<>();
    switch (program) {
      case Program.Command(Path executable, _) -> words.add(executable.toString());
      case Program.Jar(Path file, _) -> {
        java(words, options, options.modulePath());
        words.addAll(List.of("-jar", file.toString()));
      }
      case Program.MainModule(String name, _) -> {
        java(words, options, options.modulePath());
        classPath(words, options.classPath());
        words.addAll(List.of("-m", name));
      }
      case Program.Source(Path file, _) -> {
        CompiledSource compiled = compiler.compile(file, options);
        String classes = compiled.classes().toString();
        if (compiled.module().isPresent()) {
          java(words, options, prepend(classes, options.modulePath()));
          classPath(words, options.classPath());
          words.addAll(List.of("-m", compiled.module().get() + "/" + compiled.mainClass()));
        } else {
          java(words, options, options.modulePath());
          classPath(words, prepend(classes, options.classPath()));
          words.add(compiled.mainClass());
        }
      }
    }
    words.addAll(program.arguments());
    return words;
  }

  private void java(List<String> words, JavaOptions options, List<String> modulePath) {
    words.add(runtime.java().toString());
    words.addAll(runtime.options(modulePath));
    if (ranksHere > 1) words.add("-XX:ParallelGCThreads=" + runtime.shareOfCores(ranksHere));
    words.addAll(options.jvm());
    if (options.jvm().isEmpty() && modulePath.isEmpty()) words.addAll(runtime.fastStart());
  }

  private static void classPath(List<String> words, List<String> entries) {
    if (!entries.isEmpty()) words.addAll(List.of("-cp", String.join(File.pathSeparator, entries)));
  }

  private static List<String> prepend(String first, List<String> rest) {
    List<String> all = new ArrayList<>();
    all.add(first);
    all.addAll(rest);
    return all;
  }
}
