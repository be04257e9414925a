package dev.jcomms.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleReader;
import java.lang.module.ResolvedModule;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * A script says {@code import module dev.jcomms} and has {@code import module java.base} without
 * saying so: a name that comes from two packages could be used in neither sense.
 */
final class SimpleNamesTest {
  /** PyTorch's name too: who wants a store in a file imports {@code dev.jcomms.store.FileStore}. */
  private static final Set<String> KNOWN = Set.of("FileStore");

  @Test
  void noNameComesFromTwoPackages() {
    Map<String, Set<String>> packages = new TreeMap<>();
    for (String module : new String[] {"java.base", "dev.jcomms", "dev.jcomms.tensor"}) {
      publicTypes(module)
          .forEach(
              type -> {
                int dot = type.lastIndexOf('.');
                packages
                    .computeIfAbsent(type.substring(dot + 1), _ -> new TreeSet<>())
                    .add(type.substring(0, dot));
              });
    }
    assertThat(packages).containsKeys("String", "Comm", "Tensor");
    assertThat(packages.entrySet())
        .filteredOn(
            name ->
                !KNOWN.contains(name.getKey())
                    && name.getValue().size() > 1
                    && name.getValue().stream().anyMatch(p -> p.startsWith("dev.jcomms")))
        .isEmpty();
  }

  /** Top-level ones, of packages that everybody may import. */
  private static Set<String> publicTypes(String module) {
    ResolvedModule resolved = ModuleLayer.boot().configuration().findModule(module).orElseThrow();
    Set<String> exported =
        resolved.reference().descriptor().exports().stream()
            .filter(e -> !e.isQualified())
            .map(ModuleDescriptor.Exports::source)
            .collect(Collectors.toSet());
    try (ModuleReader reader = resolved.reference().open();
        Stream<String> files = reader.list()) {
      return files
          .filter(file -> file.endsWith(".class") && !file.contains("$") && file.contains("/"))
          .filter(file -> exported.contains(packageOf(file)))
          .filter(file -> isPublic(reader, file))
          .map(file -> file.substring(0, file.length() - ".class".length()).replace('/', '.'))
          .collect(Collectors.toSet());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String packageOf(String file) {
    return file.substring(0, file.lastIndexOf('/')).replace('/', '.');
  }

  private static boolean isPublic(ModuleReader reader, String file) {
    try {
      byte[] code = reader.open(file).orElseThrow().readAllBytes();
      return (ClassFile.of().parse(code).flags().flagsMask() & ClassFile.ACC_PUBLIC) != 0;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
