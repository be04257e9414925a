package dev.jcomms.jccl;

import dev.jcomms.jccl.internal.nativecode.JavaSource;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * An algorithm that is compiled at run time, from a source file with one public class that
 * implements {@link Algorithm} and has a constructor without parameters. Once made it is an
 * algorithm like any other. Immutable; any thread.
 *
 * <p>What was compiled is kept in the user's cache folder ({@code JCOMMS_CACHE}, else as XDG has
 * it), readable by the user alone, under the SHA-256 of the source and of what it was compiled
 * with: so a job compiles it once, and a change is always seen. Each compilation has a class loader
 * of its own.
 *
 * <p>The language is the file's suffix: {@code .java}, on a JDK. Sources for devices come with the
 * modules of those devices.
 */
public final class NativeAlgorithm implements Algorithm {
  private final Path source;
  private final String digest;
  private final Algorithm compiled;

  private NativeAlgorithm(Path source, String digest, Algorithm compiled) {
    this.source = source;
    this.digest = digest;
    this.compiled = compiled;
  }

  /**
   * Compiles a file, or takes what was compiled before.
   *
   * @throws IllegalArgumentException if it does not compile, with a line for each error, or has no
   *     such class
   * @throws IOException if it cannot be read
   */
  public static NativeAlgorithm compile(Path source) throws IOException {
    String name = source.getFileName().toString();
    if (!name.endsWith(".java")) {
      throw new IllegalArgumentException(
          "%s: native algorithms are compiled from .java files".formatted(name));
    }
    JavaSource java = JavaSource.compile(source, System.getenv());
    return new NativeAlgorithm(source, java.digest(), java.newInstance(Algorithm.class));
  }

  /** The file it was compiled from. */
  public Path source() {
    return source;
  }

  /** SHA-256 of the source and of what it was compiled with. */
  public String digest() {
    return digest;
  }

  @Override
  public String name() {
    return compiled.name();
  }

  @Override
  public String collective() {
    return compiled.collective();
  }

  @Override
  public String description() {
    return compiled.description();
  }

  @Override
  public long minBytes() {
    return compiled.minBytes();
  }

  @Override
  public long maxBytes() {
    return compiled.maxBytes();
  }

  @Override
  public BufferMode bufferMode() {
    return compiled.bufferMode();
  }

  @Override
  public Constraint constraint() {
    return compiled.constraint();
  }

  @Override
  public Map<String, Long> tags() {
    return compiled.tags();
  }

  @Override
  public Map<String, List<Long>> parameters() {
    return compiled.parameters();
  }

  @Override
  public Optional<String> refuses(Selector.Request request) {
    return compiled.refuses(request);
  }

  @Override
  public Object key(Selector.Request request) {
    return compiled.key(request);
  }

  @Override
  public Preparation prepare(Setup setup) {
    return compiled.prepare(setup);
  }

  @Override
  public String toString() {
    return collective() + "/" + name() + " of " + source;
  }
}
