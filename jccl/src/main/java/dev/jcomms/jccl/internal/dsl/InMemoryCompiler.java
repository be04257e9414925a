package dev.jcomms.jccl.internal.dsl;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.ForwardingJavaFileObject;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.StandardLocation;
import javax.tools.ToolProvider;

/** Compiles a source file, with those beside it that it needs, and loads the classes. */
public final class InMemoryCompiler {
  /** A source that does not compile: a line for each error. */
  public static final class CompileException extends Exception {
    private static final long serialVersionUID = 1L;

    CompileException(String message) {
      super(message);
    }
  }

  private static final String NO_MAIN = "compiler.err.implicit.class.does.not.have.main.method";

  private InMemoryCompiler() {}

  /**
   * The classes of the file, by name, in a class loader of their own that sees what {@code parent}
   * sees.
   */
  public static List<Class<?>> load(Path file, ClassLoader parent)
      throws CompileException, IOException {
    return load(compile(file), parent);
  }

  /** Classes by name, loaded as those of a file. */
  public static List<Class<?>> load(Map<String, byte[]> classes, ClassLoader parent) {
    ClassLoader loader =
        new ClassLoader(parent) {
          @Override
          protected Class<?> findClass(String name) throws ClassNotFoundException {
            byte[] bytes = classes.get(name);
            if (bytes == null) {
              throw new ClassNotFoundException(name);
            }
            return defineClass(name, bytes, 0, bytes.length);
          }
        };
    List<Class<?>> loaded = new ArrayList<>();
    for (String name : classes.keySet()) {
      try {
        loaded.add(loader.loadClass(name));
      } catch (ClassNotFoundException e) {
        throw new AssertionError(e);
      }
    }
    return loaded;
  }

  /** The class files of the source, by class name. */
  public static Map<String, byte[]> compile(Path file) throws CompileException, IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    if (compiler == null) {
      throw new CompileException(
          "%s: this Java (%s) has no compiler; use a JDK"
              .formatted(file.getFileName(), System.getProperty("java.home")));
    }
    if (!Files.exists(file)) {
      throw new NoSuchFileException(file.toString());
    }
    try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
      files.setLocationFromPaths(
          StandardLocation.SOURCE_PATH, List.of(file.toAbsolutePath().getParent()));
      JavaFileObject source = files.getJavaFileObjects(file).iterator().next();
      Attempt first = attempt(compiler, files, source);
      // A file without a class declaration must have a main method, which nobody here calls.
      boolean needsMain =
          first.errors().stream().anyMatch(error -> error.getCode().equals(NO_MAIN));
      Attempt last = needsMain ? attempt(compiler, files, new WithMain(source)) : first;
      if (!last.compiled()) {
        throw new CompileException(
            last.errors().stream()
                .map(InMemoryCompiler::line)
                .collect(Collectors.joining(System.lineSeparator())));
      }
      return last.classes();
    }
  }

  private record Attempt(
      boolean compiled,
      List<Diagnostic<? extends JavaFileObject>> errors,
      Map<String, byte[]> classes) {}

  private static Attempt attempt(
      JavaCompiler compiler, StandardJavaFileManager files, JavaFileObject source) {
    DiagnosticCollector<JavaFileObject> diagnostics = new DiagnosticCollector<>();
    Output output = new Output(files);
    boolean compiled =
        compiler.getTask(null, output, diagnostics, arguments(), null, List.of(source)).call();
    return new Attempt(
        compiled,
        diagnostics.getDiagnostics().stream()
            .filter(diagnostic -> diagnostic.getKind() == Diagnostic.Kind.ERROR)
            .toList(),
        output.classes());
  }

  /** A source with an empty main method at its end. */
  private static final class WithMain extends ForwardingJavaFileObject<JavaFileObject> {
    WithMain(JavaFileObject source) {
      super(source);
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) throws IOException {
      return super.getCharContent(ignoreEncodingErrors) + "\nvoid main() {}\n";
    }
  }

  /** The source sees what this program sees. */
  private static List<String> arguments() {
    List<String> arguments =
        new ArrayList<>(List.of("-proc:none", "-g", "-parameters", "-Xlint:-options,-incubating"));
    String modulePath = System.getProperty("jdk.module.path", "");
    if (InMemoryCompiler.class.getModule().isNamed() && !modulePath.isEmpty()) {
      arguments.addAll(
          List.of("-p", modulePath, "--add-modules", InMemoryCompiler.class.getModule().getName()));
    }
    String classPath = System.getProperty("java.class.path", "");
    if (!classPath.isEmpty()) {
      arguments.addAll(List.of("-cp", classPath));
    }
    return arguments;
  }

  private static String line(Diagnostic<? extends JavaFileObject> diagnostic) {
    String message = diagnostic.getMessage(null);
    return diagnostic.getSource() == null
        ? message
        : "%s:%d: %s"
            .formatted(
                new File(diagnostic.getSource().getName()).getName(),
                diagnostic.getLineNumber(),
                message);
  }

  /** Keeps class files instead of writing them. */
  private static final class Output extends ForwardingJavaFileManager<JavaFileManager> {
    private final Map<String, ByteArrayOutputStream> written = new TreeMap<>();

    Output(JavaFileManager files) {
      super(files);
    }

    @Override
    public JavaFileObject getJavaFileForOutput(
        Location location, String className, JavaFileObject.Kind kind, FileObject sibling) {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      written.put(className, bytes);
      return new SimpleJavaFileObject(
          URI.create("memory:///" + className.replace('.', '/') + kind.extension), kind) {
        @Override
        public OutputStream openOutputStream() {
          return bytes;
        }
      };
    }

    Map<String, byte[]> classes() {
      Map<String, byte[]> classes = new TreeMap<>();
      written.forEach((name, bytes) -> classes.put(name, bytes.toByteArray()));
      return classes;
    }
  }
}
