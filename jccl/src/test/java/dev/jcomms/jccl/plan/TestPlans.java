package dev.jcomms.jccl.plan;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Plans to test with: one of our own that has every op, and the folder that MSCCL++ filled. */
public final class TestPlans {
  private TestPlans() {}

  static String everyOp() {
    try (InputStream in = TestPlans.class.getResourceAsStream("every_op.json")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * The files of {@code JCOMMS_PLANS} (a property, or else of the environment), or of {@code
   * shared/plans} beside the repository; without them the test is skipped, and says so.
   */
  public static List<Path> ofMscclpp() {
    String named = System.getProperty("JCOMMS_PLANS", System.getenv("JCOMMS_PLANS"));
    List<Path> folders =
        named != null ? List.of(Path.of(named)) : besides(Path.of("").toAbsolutePath());
    for (Path folder : folders) {
      if (Files.isDirectory(folder)) {
        try (Stream<Path> files = Files.list(folder)) {
          return files.filter(file -> file.toString().endsWith(".json")).sorted().toList();
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      }
    }
    String message = "SKIPPED: no plans of MSCCL++ in any of " + folders + "; set JCOMMS_PLANS";
    System.err.println(message);
    assumeTrue(false, message);
    return List.of();
  }

  /** {@code shared/plans} in the folder or above: a work tree lies deeper than the repository. */
  private static List<Path> besides(Path folder) {
    return Stream.iterate(folder, above -> above != null, Path::getParent)
        .map(above -> above.resolve("shared/plans"))
        .toList();
  }

  /** A JSON tree whose objects are sorted by key, all the way down. */
  static Object sorted(String json) {
    return sorted(Json.read(json));
  }

  private static Object sorted(Object tree) {
    return switch (tree) {
      case Map<?, ?> map -> {
        Map<String, Object> sorted = new TreeMap<>();
        map.forEach((key, value) -> sorted.put((String) key, sorted(value)));
        yield sorted;
      }
      case List<?> list -> list.stream().map(TestPlans::sorted).toList();
      case null -> "null";
      default -> tree;
    };
  }
}
