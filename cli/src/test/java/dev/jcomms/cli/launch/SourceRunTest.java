package dev.jcomms.cli.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Source programs under {@code run} and {@code exec}. */
@Timeout(300)
final class SourceRunTest {
  @TempDir Path folder;

  @Test
  void aSourceIsCompiledOnceForAllRanksAndNotAgainUntilItChanges() throws Exception {
    source(
        "Hello.java",
        """
        import module dev.jcomms;

        void main(String[] args) {
          IO.println(args[0] + " " + System.getenv("RANK") + " " + Part.TEXT + " in "
              + Comm.class.getModule().getName());
        }
        """);
    source("Part.java", "class Part { static final String TEXT = \"one\"; }");
    assertThat(run("hi", "one")).hasSize(2);
    FileTime first = Files.getLastModifiedTime(classFile("Hello.class").getFirst());

    assertThat(run("hi", "one")).hasSize(2);
    assertThat(classFile("Hello.class")).hasSize(1);
    assertThat(Files.getLastModifiedTime(classFile("Hello.class").getFirst())).isEqualTo(first);

    source("Part.java", "class Part { static final String TEXT = \"two\"; }");
    assertThat(run("hi", "two")).hasSize(2);
    assertThat(classFile("Hello.class")).hasSize(2);
  }

  @Test
  void whatDoesNotCompileIsShownAndNothingStarts() throws Exception {
    source("Bad.java", "void main() {\n  int x = \"text\";\n}\n");
    try (Launcher job = Launcher.start(folder, "run", "-n", "2", "Bad.java")) {
      assertThat(job.status()).isEqualTo(1);
      assertThat(job.lines())
          .anyMatch(line -> line.contains("Bad.java:2: error: incompatible types"))
          .contains(
              "err   int x = \"text\";",
              "err jcomms: Bad.java does not compile; nothing was started");
    }
  }

  @Test
  void aPackageMustMatchItsFolder() throws Exception {
    source("Lost.java", "package a.b;\nclass Lost { void main() {} }\n");
    try (Launcher job = Launcher.start(folder, "run", "Lost.java")) {
      assertThat(job.status()).isEqualTo(1);
      assertThat(job.lines()).anyMatch(line -> line.contains("declares package a.b"));
    }
  }

  @Test
  void aSourceInAModuleRunsAsThatModule() throws Exception {
    source("module-info.java", "module mine { requires dev.jcomms; }");
    source(
        "p/q/App.java",
        "package p.q;\nclass App { static void main() { IO.println(App.class.getModule()); } }");
    try (Launcher job = Launcher.start(folder, "run", "p/q/App.java")) {
      assertThat(job.status()).isZero();
      assertThat(job.lines()).contains("out [0] module mine");
    }
  }

  @Test
  void execIsOneRankInTheEnvironmentItFinds() throws Exception {
    source("Env.java", "void main() { IO.println(System.getenv(\"RANK\")); System.exit(3); }");
    try (Launcher job = Launcher.start(folder, Map.of("RANK", "5"), "exec", "Env.java")) {
      assertThat(job.status()).isEqualTo(3);
      assertThat(job.lines()).containsExactly("out 5");
    }
  }

  @Test
  void flagsForTheJvmReachIt() throws Exception {
    source("Flag.java", "void main() { IO.println(System.getProperty(\"a\")); }");
    try (Launcher job = Launcher.start(folder, "run", "-J-Da=b", "Flag.java")) {
      assertThat(job.status()).isZero();
      assertThat(job.lines()).contains("out [0] b");
    }
  }

  /** Native memory, a way to vectors, and not a word of the JVM about them. */
  @Test
  void ranksHaveTheDefaultBackendWithAllItNeeds() throws Exception {
    source(
        "Has.java",
        """
        void main() {
          Module jccl = ModuleLayer.boot().findModule("dev.jcomms.jccl").orElseThrow();
          boolean vectors = Object.class.getModule().isExported("jdk.internal.module", jccl);
          IO.println("native " + jccl.isNativeAccessEnabled() + ", vectors " + vectors);
        }
        """);
    try (Launcher job = Launcher.start(folder, "run", "-n", "2", "Has.java")) {
      assertThat(job.status()).as("%s", job.lines()).isZero();
      assertThat(job.lines())
          .containsExactlyInAnyOrder(
              "out [0] native true, vectors true", "out [1] native true, vectors true");
    }
    try (Launcher job = Launcher.start(folder, "exec", "Has.java")) {
      assertThat(job.status()).isZero();
      assertThat(job.lines()).containsExactly("out native true, vectors true");
    }
  }

  private List<String> run(String argument, String word) throws Exception {
    try (Launcher job = Launcher.start(folder, "run", "-n", "2", "Hello.java", argument)) {
      assertThat(job.status()).as("%s", job.lines()).isZero();
      return job.await("(hi \\d " + word + " in dev.jcomms)$", 2);
    }
  }

  private void source(String name, String text) throws Exception {
    Path file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  private List<Path> classFile(String name) throws Exception {
    try (var tree = Files.walk(folder.resolve("cache"))) {
      return tree.filter(path -> path.endsWith(name)).sorted().toList();
    }
  }
}
