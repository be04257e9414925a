package dev.jcomms.cli.launch;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import dev.jcomms.cli.CliException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;

/**
 * What a source file says about itself, by the rules of {@code java File.java} (JEP 458): the first
 * top-level class is started, and the folder that matches the package is the root below which other
 * sources are found.
 *
 * @param mainClass empty where the file does not parse; compiling it tells why
 * @param module named by a {@code module-info.java} at the root, if there is one
 */
record SourceProgram(Path file, Path root, Optional<String> mainClass, Optional<String> module) {

  static SourceProgram read(Path file, JavaCompiler compiler) {
    Path absolute = file.toAbsolutePath().normalize();
    CompilationUnitTree unit = parse(absolute, compiler);
    String folder = unit.getPackageName() == null ? "" : unit.getPackageName().toString();
    Path root = absolute.getParent();
    if (!folder.isEmpty()) {
      Path expected = Path.of(folder.replace('.', '/'));
      if (!root.endsWith(expected)) {
        throw CliException.failure(
            "%s declares package %s, so its folder must end in %s"
                .formatted(file, folder, expected));
      }
      for (Path _ : expected) root = root.getParent();
    }
    Path descriptor = root.resolve("module-info.java");
    Optional<String> module =
        Files.isRegularFile(descriptor)
            ? Optional.ofNullable(parse(descriptor, compiler).getModule())
                .map(tree -> tree.getName().toString())
            : Optional.empty();
    Optional<String> mainClass =
        unit.getTypeDecls().stream()
            .filter(ClassTree.class::isInstance)
            .map(tree -> ((ClassTree) (Tree) tree).getSimpleName().toString())
            .map(name -> folder.isEmpty() ? name : folder + "." + name)
            .findFirst();
    return new SourceProgram(absolute, root, mainClass, module);
  }

  /** The files to hand to the compiler; it finds the others. */
  List<Path> units() {
    return module.isPresent() ? List.of(root.resolve("module-info.java"), file) : List.of(file);
  }

  private static CompilationUnitTree parse(Path file, JavaCompiler compiler) {
    try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
      JavacTask task =
          (JavacTask)
              compiler.getTask(null, files, _ -> {}, null, null, files.getJavaFileObjects(file));
      return task.parse().iterator().next();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
