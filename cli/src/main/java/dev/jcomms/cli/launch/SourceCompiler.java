package dev.jcomms.cli.launch;

import com.sun.source.util.JavacTask;
import com.sun.source.util.TaskEvent;
import com.sun.source.util.TaskListener;
import dev.jcomms.cli.CliException;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.StandardLocation;
import javax.tools.ToolProvider;

/**
 * Compiles a source program once for all ranks that run it, and not at all while neither its
 * sources nor JComms changed. What the compiler has to say goes to {@code diagnostics}.
 */
final class SourceCompiler {
  private final JavaRuntime runtime;
  private final Supplier<CompileCache> cache;
  private final Writer diagnostics;

  /** The cache is asked for when there is something to compile, and not before. */
  SourceCompiler(JavaRuntime runtime, Supplier<CompileCache> cache, Writer diagnostics) {
    this.runtime = runtime;
    this.cache = cache;
    this.diagnostics = diagnostics;
  }

  CompiledSource compile(Path file, JavaOptions options) {
    List<String> arguments = arguments(options);
    List<String> identity = new ArrayList<>(arguments);
    identity.add(file.toAbsolutePath().normalize().toString());
    identity.add(Runtime.version().toString());
    identity.addAll(runtime.fingerprint());
    return cache.get().get(identity, classes -> compile(file, arguments, classes));
  }

  private List<String> arguments(JavaOptions options) {
    List<String> arguments = new ArrayList<>(List.of("-proc:none", "-g"));
    arguments.add("-Xlint:-options,-incubating");
    List<String> path = new ArrayList<>();
    if (!runtime.modulePath().isEmpty()) path.add(runtime.modulePath());
    path.addAll(options.modulePath());
    if (!path.isEmpty()) arguments.addAll(List.of("-p", String.join(File.pathSeparator, path)));
    if (!runtime.modules().isEmpty()) {
      arguments.addAll(List.of("--add-modules", String.join(",", runtime.modules())));
    }
    if (!options.classPath().isEmpty()) {
      arguments.addAll(List.of("-cp", String.join(File.pathSeparator, options.classPath())));
    }
    return arguments;
  }

  private CompileCache.Entry compile(Path file, List<String> arguments, Path classes) {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    if (compiler == null) {
      throw CliException.failure(
          "cannot compile %s: this Java (%s) has no compiler; run it on a JDK, or run a jar"
              .formatted(file, System.getProperty("java.home")));
    }
    SourceProgram program = SourceProgram.read(file, compiler);
    Set<Path> sources = new TreeSet<>(program.units());
    try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
      files.setLocationFromPaths(StandardLocation.CLASS_OUTPUT, List.of(classes));
      files.setLocationFromPaths(StandardLocation.SOURCE_PATH, List.of(program.root()));
      JavacTask task =
          (JavacTask)
              compiler.getTask(
                  diagnostics,
                  files,
                  null,
                  arguments,
                  null,
                  files.getJavaFileObjectsFromPaths(program.units()));
      task.addTaskListener(
          new TaskListener() {
            @Override
            public void finished(TaskEvent event) {
              URI source = event.getSourceFile() == null ? null : event.getSourceFile().toUri();
              if (event.getKind() == TaskEvent.Kind.PARSE && source != null) {
                sources.add(Path.of(source));
              }
            }
          });
      boolean compiled = task.call();
      diagnostics.flush();
      if (!compiled) {
        throw CliException.failure(file + " does not compile; nothing was started");
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    String mainClass =
        program
            .mainClass()
            .orElseThrow(() -> CliException.failure(file + " declares no class to start"));
    String module = program.module().orElse("");
    return new CompileCache.Entry(List.copyOf(sources), module, mainClass);
  }

  /** A compiler for the command line: kept under the user's cache folder, errors to stderr. */
  static SourceCompiler forUser(JavaRuntime runtime) {
    return new SourceCompiler(
        runtime, () -> CompileCache.ofUser(System.getenv()), new PrintWriter(System.err, true));
  }
}
