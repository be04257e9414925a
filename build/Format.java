import com.google.googlejavaformat.java.Formatter;
import com.google.googlejavaformat.java.FormatterException;
import com.google.googlejavaformat.java.ImportOrderer;
import com.google.googlejavaformat.java.JavaFormatterOptions.Style;
import com.google.googlejavaformat.java.RemoveUnusedImports;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Formats every Java source below a folder with google-java-format: {@code java Format.java ROOT}.
 *
 * <p>Where the environment has {@code CI} set, nothing is written: the files that differ are named
 * and the run fails. Otherwise they are rewritten. Sources known to be formatted are remembered by
 * content, so an unchanged tree costs a walk and no parse.
 */
void main(String[] args) throws Exception {
  Path root = Path.of(args[0]).toRealPath();
  boolean checkOnly = System.getenv("CI") != null;
  Path memory = root.resolve("target/format/formatted");
  Set<String> known =
      Files.exists(memory) ? new HashSet<>(Files.readAllLines(memory)) : new HashSet<>();
  Set<String> formatted = new HashSet<>();
  List<Path> differing = new ArrayList<>();
  Formatter formatter = new Formatter();
  for (Path source : sources(root)) {
    String text = Files.readString(source);
    String mark = text.length() + " " + digest(text);
    if (!known.contains(mark)) {
      String result;
      try {
        result =
            ImportOrderer.reorderImports(
                RemoveUnusedImports.removeUnusedImports(text), Style.GOOGLE);
        result = formatter.formatSource(result);
      } catch (FormatterException e) {
        throw new IllegalStateException(root.relativize(source) + ": " + e.getMessage());
      }
      if (!result.equals(text)) {
        differing.add(root.relativize(source));
        if (checkOnly) continue;
        Files.writeString(source, result);
      }
      mark = result.length() + " " + digest(result);
    }
    formatted.add(mark);
  }
  Files.createDirectories(memory.getParent());
  Files.write(memory, formatted.stream().sorted().toList());
  differing.forEach(path -> IO.println((checkOnly ? "not formatted: " : "formatted: ") + path));
  if (checkOnly && !differing.isEmpty()) {
    IO.println("run `mvn validate` outside CI and commit what it rewrites");
    System.exit(1);
  }
}

List<Path> sources(Path root) throws Exception {
  try (Stream<Path> tree = Files.walk(root)) {
    return tree.filter(p -> p.toString().endsWith(".java"))
        .filter(p -> !root.relativize(p).toString().matches("(.*/)?(target|\\.jcomms|\\.git)/.*"))
        .sorted()
        .toList();
  }
}

String digest(String text) throws Exception {
  byte[] hash = java.security.MessageDigest.getInstance("SHA-256").digest(text.getBytes("UTF-8"));
  return java.util.HexFormat.of().formatHex(hash, 0, 16);
}
