package dev.jcomms.cli.launch;

import java.io.File;
import java.lang.module.ModuleFinder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The Java that ranks run on: the one that runs this command, with the modules of JComms that this
 * command was started with.
 *
 * @param java the executable
 * @param modulePath where the modules of JComms are
 * @param modules those of them a program may use: all but this command
 * @param cache an ahead-of-time cache made for {@code modulePath}, if there is one
 */
public record JavaRuntime(
    Path java, String modulePath, List<String> modules, Optional<Path> cache) {
  private static final String JCCL = "dev.jcomms.jccl";
  private static final String TENSOR = "dev.jcomms.tensor";

  public static JavaRuntime current() {
    String path = System.getProperty("jdk.module.path", "");
    Path[] places =
        Stream.of(path.split(File.pathSeparator))
            .filter(s -> !s.isEmpty())
            .map(Path::of)
            .map(Path::toAbsolutePath)
            .toArray(Path[]::new);
    List<String> ours =
        ModuleFinder.of(places).findAll().stream()
            .map(reference -> reference.descriptor().name())
            .filter(name -> name.equals("dev.jcomms") || name.startsWith("dev.jcomms."))
            .filter(name -> !name.equals(JavaRuntime.class.getModule().getName()))
            .sorted()
            .toList();
    return new JavaRuntime(
        Path.of(System.getProperty("java.home"), "bin", "java"),
        String.join(File.pathSeparator, Stream.of(places).map(Path::toString).toList()),
        ours,
        Optional.ofNullable(System.getProperty("jcomms.rank.cache"))
            .map(Path::of)
            .filter(Files::isReadable));
  }

  /** Whether ranks may fetch the JDK's module of vectors. */
  public boolean givesVectors() {
    return modules.contains(JCCL);
  }

  /**
   * Options for a faster start, for a JVM with no others than {@link #options}. A cache that does
   * not fit, say for another size of heap, is left aside by the JVM and not spoken of.
   */
  List<String> fastStart() {
    return cache.map(file -> List.of("-XX:AOTCache=" + file, "-Xlog:aot=off")).orElse(List.of());
  }

  /**
   * How many cores each of so many ranks may call its own, one at least. A collector that takes
   * them all stops the neighbours, too, and with them everybody who waits for one.
   */
  int shareOfCores(int ranks) {
    return Math.max(1, Runtime.getRuntime().availableProcessors() / ranks);
  }

  /** Changes when a jar on the module path is built anew. */
  List<String> fingerprint() {
    List<String> facts = new ArrayList<>();
    for (String place : modulePath.split(File.pathSeparator)) {
      File[] jars = new File(place).listFiles((_, name) -> name.endsWith(".jar"));
      for (File file : jars == null ? new File[] {new File(place)} : jars) {
        facts.add(file.getName() + " " + file.length() + " " + file.lastModified());
      }
    }
    facts.sort(null);
    return facts;
  }

  /** Options of a rank's JVM, with {@code extraModulePath} behind our own module path. */
  List<String> options(List<String> extraModulePath) {
    List<String> options = new ArrayList<>();
    List<String> path = new ArrayList<>();
    if (!modulePath.isEmpty()) path.add(modulePath);
    path.addAll(extraModulePath);
    if (!path.isEmpty()) options.addAll(List.of("-p", String.join(File.pathSeparator, path)));
    if (!modules.isEmpty()) {
      options.addAll(List.of("--add-modules", String.join(",", modules)));
      options.add("--enable-native-access=" + String.join(",", modules));
    }
    if (givesVectors()) {
      // For vectors when they need them; see jccl's VectorModule for why not from the start.
      options.add("--add-exports=java.base/jdk.internal.module=" + JCCL + "," + TENSOR);
    }
    return options;
  }
}
