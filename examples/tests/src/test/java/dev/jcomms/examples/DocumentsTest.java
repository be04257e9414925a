package dev.jcomms.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the papers show is true: their programs compile, their links lead somewhere. */
final class DocumentsTest {
  private static final Path ROOT = Path.of("../..").toAbsolutePath().normalize();
  private static final Pattern PROGRAM =
      Pattern.compile("```java\n(import module .*?)```", Pattern.DOTALL);
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)#]+)(#[^)]*)?\\)");

  static List<Path> documents() throws IOException {
    List<Path> documents = new ArrayList<>();
    for (String folder : List.of(".", "docs", "benchmarks")) {
      try (Stream<Path> files = Files.list(ROOT.resolve(folder))) {
        documents.addAll(files.filter(file -> file.toString().endsWith(".md")).toList());
      }
    }
    return documents;
  }

  @ParameterizedTest
  @MethodSource("documents")
  void everyProgramCompiles(Path document) throws IOException {
    Matcher matcher = PROGRAM.matcher(Files.readString(document));
    while (matcher.find()) {
      assertThat(errors(matcher.group(1))).as(matcher.group(1)).isEmpty();
    }
  }

  static List<String> programs() throws IOException {
    List<String> programs = new ArrayList<>();
    for (Path document : documents()) {
      PROGRAM
          .matcher(Files.readString(document))
          .results()
          .map(match -> match.group(1))
          .filter(program -> program.contains("void main()"))
          .forEach(programs::add);
    }
    return programs;
  }

  @ParameterizedTest
  @MethodSource("programs")
  void everyProgramRuns(String program, @TempDir Path folder) throws Exception {
    Path file = Files.writeString(folder.resolve("Shown.java"), program);
    Command.Result result = Command.jcomms("run", "-n", "2", file.toString());
    assertThat(result.status()).as("%s", result.lines()).isZero();
  }

  @ParameterizedTest
  @MethodSource("documents")
  void everyLinkLeadsToAFile(Path document) throws IOException {
    Matcher matcher = LINK.matcher(Files.readString(document));
    while (matcher.find()) {
      String target = matcher.group(1);
      if (!target.contains("://")) {
        assertThat(document.resolveSibling(target).normalize()).as(target).exists();
      }
    }
  }

  @Test
  void theReadmeShowsTheFirstExample() throws IOException {
    Matcher matcher = PROGRAM.matcher(Files.readString(ROOT.resolve("README.md")));
    assertThat(matcher.find()).isTrue();
    String example = Files.readString(ROOT.resolve("examples/01-hello/Hello.java"));
    assertThat(matcher.group(1)).isEqualTo(example.replaceFirst("(?s)/\\*.*?\\*/\n", ""));
  }

  @Test
  void theDeviceGuideShowsWhatTheExampleDoes() throws IOException {
    StringBuilder example = new StringBuilder();
    try (Stream<Path> files = Files.walk(ROOT.resolve("examples/08-device/src"))) {
      for (Path file : files.filter(file -> file.toString().endsWith(".java")).toList()) {
        example.append(Files.readString(file));
      }
    }
    List<String> lines = example.toString().lines().map(String::strip).toList();
    Matcher matcher =
        Pattern.compile("```java\n(.*?)```", Pattern.DOTALL)
            .matcher(Files.readString(ROOT.resolve("docs/devices.md")));
    int blocks = 0;
    while (matcher.find()) {
      assertThat(lines).containsAll(matcher.group(1).lines().map(String::strip).toList());
      blocks++;
    }
    assertThat(blocks).isGreaterThan(8);
  }

  private static List<String> errors(String program) {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
    JavaFileObject source =
        new SimpleJavaFileObject(URI.create("string:///Program.java"), JavaFileObject.Kind.SOURCE) {
          @Override
          public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return program;
          }
        };
    List<String> options =
        new ArrayList<>(List.of("-proc:none", "-d", "target", "-p", Command.modulePath()));
    options.addAll(List.of("--add-modules", "dev.jcomms"));
    // Generating no classes: only the meaning is checked.
    options.add("-XDshould-stop.ifNoError=FLOW");
    compiler.getTask(null, null, found, options, null, List.of(source)).call();
    return found.getDiagnostics().stream()
        .filter(diagnostic -> diagnostic.getKind() == javax.tools.Diagnostic.Kind.ERROR)
        .map(diagnostic -> diagnostic.getLineNumber() + ": " + diagnostic.getMessage(null))
        .toList();
  }
}
