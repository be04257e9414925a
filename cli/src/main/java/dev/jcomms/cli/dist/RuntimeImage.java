package dev.jcomms.cli.dist;

import dev.jcomms.cli.CliException;
import java.io.IOException;
import java.lang.module.ModuleDescriptor.Requires;
import java.lang.module.ModuleFinder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Links a Java runtime with no more than JComms, and programs for it, are likely to need. */
final class RuntimeImage {
  /** Beyond what our modules require: the compiler for source programs, and what programs use. */
  private static final List<String> EXTRA =
      List.of(
          "java.logging",
          "java.management",
          "java.naming",
          "java.net.http",
          "java.sql",
          "java.xml",
          "jdk.compiler",
          "jdk.incubator.vector",
          "jdk.jcmd",
          "jdk.jfr",
          "jdk.management",
          "jdk.net",
          "jdk.unsupported",
          "jdk.zipfs");

  private RuntimeImage() {}

  static void link(Jdk jdk, List<Path> libraries, Path output)
      throws IOException, InterruptedException {
    Jdk own = Jdk.current();
    boolean here = jdk.samePlatform(own);
    boolean jmods = Files.isDirectory(jdk.jmods());
    if (!here && !jmods) {
      throw CliException.usage(
          "%s is for %s and has no jmods folder; linking for another platform needs one (Temurin ships it as a separate archive)"
              .formatted(jdk.home(), jdk.platform()));
    }
    Path jlink = (here ? jdk : own).home().resolve("bin/jlink");
    if (!Files.isExecutable(jlink)) {
      throw CliException.usage("no %s; name a JDK that has it by --jdk".formatted(jlink));
    }
    List<String> words = new ArrayList<>(List.of(jlink.toString()));
    if (jmods) words.addAll(List.of("--module-path", jdk.jmods().toString()));
    words.addAll(List.of("--add-modules", String.join(",", modules(libraries))));
    words.addAll(List.of("--output", output.toString()));
    words.addAll(List.of("--no-header-files", "--no-man-pages", "--compress", "zip-0"));
    // Debug symbols, which some vendors ship inside jmods, are larger than all the rest.
    words.addAll(List.of("--exclude-files", "**/ct.sym,**.debuginfo,**.diz"));
    if (here) words.add("--generate-cds-archive");
    Process process = new ProcessBuilder(words).redirectErrorStream(true).start();
    process.getOutputStream().close();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw CliException.failure("%s failed:\n%s".formatted(jlink, said.strip()));
    }
  }

  /** The modules of the JDK that {@code libraries} require, and {@link #EXTRA}. */
  static Set<String> modules(List<Path> libraries) {
    ModuleFinder ours = ModuleFinder.of(libraries.toArray(Path[]::new));
    Set<String> names = new TreeSet<>(EXTRA);
    ours.findAll().stream()
        .flatMap(module -> module.descriptor().requires().stream())
        .filter(requires -> !requires.modifiers().contains(Requires.Modifier.STATIC))
        .map(Requires::name)
        .filter(name -> ours.find(name).isEmpty())
        .forEach(names::add);
    return names;
  }
}
