package dev.jcomms.jccl.internal.nativecode;

import dev.jcomms.jccl.internal.JcclVersion;
import dev.jcomms.jccl.internal.dsl.InMemoryCompiler;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The classes of one source file, loaded in a class loader of their own. */
public final class JavaSource {
  private final Path file;
  private final String digest;
  private final List<Class<?>> classes;

  private JavaSource(Path file, String digest, List<Class<?>> classes) {
    this.file = file;
    this.digest = digest;
    this.classes = classes;
  }

  /** Compiles a file, unless its very content was compiled before. */
  public static JavaSource compile(Path file, Map<String, String> environment) throws IOException {
    String digest = digest(file);
    ClassCache cache = ClassCache.of(environment);
    Optional<Map<String, byte[]>> kept = cache.get(digest);
    Map<String, byte[]> classes;
    if (kept.isPresent()) {
      classes = kept.get();
    } else {
      try {
        classes = InMemoryCompiler.compile(file);
      } catch (InMemoryCompiler.CompileException e) {
        throw new IllegalArgumentException(
            file.getFileName() + " does not compile:" + System.lineSeparator() + e.getMessage(), e);
      }
      cache.put(digest, classes);
    }
    ClassLoader parent = JavaSource.class.getClassLoader();
    return new JavaSource(file, digest, InMemoryCompiler.load(classes, parent));
  }

  /** Of the source, of the Java that compiles it, and of the classes it is compiled against. */
  private static String digest(Path file) throws IOException {
    try {
      MessageDigest sha = MessageDigest.getInstance("SHA-256");
      // A source may use those beside it.
      try (Stream<Path> beside = Files.list(file.toAbsolutePath().getParent())) {
        for (Path source :
            beside.filter(path -> path.toString().endsWith(".java")).sorted().toList()) {
          sha.update(Files.readAllBytes(source));
        }
      }
      for (String fact :
          List.of(file.getFileName().toString(), Runtime.version().toString(), built())) {
        sha.update((byte) 0);
        sha.update(fact.getBytes(StandardCharsets.UTF_8));
      }
      return HexFormat.of().formatHex(sha.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java has SHA-256", e);
    }
  }

  /** Changes when this module is built anew. */
  private static String built() {
    try {
      var source = JavaSource.class.getProtectionDomain().getCodeSource();
      Path place = source == null ? null : Path.of(source.getLocation().toURI());
      return JcclVersion.TEXT
          + " "
          + place
          + " "
          + (place == null ? "" : Files.getLastModifiedTime(place).toMillis());
    } catch (IOException | java.net.URISyntaxException | RuntimeException e) {
      return JcclVersion.TEXT; // linked into the runtime, which has a version, too
    }
  }

  public String digest() {
    return digest;
  }

  /** An object of the one class of the file that is a subtype and can be made without arguments. */
  public <T> T newInstance(Class<T> type) {
    List<Class<?>> fitting =
        classes.stream()
            .filter(type::isAssignableFrom)
            .filter(found -> !Modifier.isAbstract(found.getModifiers()))
            .filter(found -> found.getEnclosingClass() == null || isStatic(found))
            .toList();
    if (fitting.size() != 1) {
      throw new IllegalArgumentException(
          "%s: one class is to implement %s; there are %s"
              .formatted(
                  file.getFileName(),
                  type.getName(),
                  fitting.isEmpty() ? "none" : fitting.stream().map(Class::getName).toList()));
    }
    Class<?> found = fitting.getFirst();
    try {
      var constructor = found.getDeclaredConstructor();
      constructor.setAccessible(true);
      return type.cast(constructor.newInstance());
    } catch (NoSuchMethodException e) {
      throw new IllegalArgumentException(
          "%s: %s has no constructor without parameters"
              .formatted(file.getFileName(), found.getName()),
          e);
    } catch (InvocationTargetException e) {
      throw new IllegalArgumentException(
          "%s: %s cannot be made: %s".formatted(file.getFileName(), found.getName(), e.getCause()),
          e.getCause());
    } catch (ReflectiveOperationException e) {
      throw new IllegalArgumentException(
          "%s: %s cannot be made: %s".formatted(file.getFileName(), found.getName(), e), e);
    }
  }

  private static boolean isStatic(Class<?> nested) {
    return Modifier.isStatic(nested.getModifiers()) && !nested.isAnonymousClass();
  }
}
