package dev.jcomms.cli.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A backend in a module of its own is checked by the command line. */
final class BackendModuleTest {
  @TempDir private Path folder;

  @Test
  void aBackendThatLeavesAThreadBehindIsCheckedToTheEnd() throws Exception {
    String words = "check --backend leaky -n 1 --filter barrier/* -p " + compile();
    try (Launcher check = Launcher.start(folder, words.split(" "))) {
      assertThat(check.status()).as("it said %s", check.lines()).isZero();
      assertThat(check.lines()).anyMatch(line -> line.contains("backend leaky 1, ranks are"));
    }
  }

  private Path compile() throws Exception {
    Path module =
        write(
            "module-info.java",
            """
            module my.backend {
              requires dev.jcomms;
              provides dev.jcomms.spi.BackendProvider with my.backend.Leaky;
            }
            """);
    Path provider =
        write(
            "my/backend/Leaky.java",
            """
            package my.backend;
            import dev.jcomms.spi.*;
            import java.util.Set;
            public final class Leaky implements BackendProvider {
              public String name() { return "leaky"; }
              public String version() { return "1"; }
              public Set<String> devices() { return Set.of("cpu"); }
              public Backend open(BackendContext context) {
                new Thread(java.util.concurrent.locks.LockSupport::park).start();
                return Backends.get("reference").open(context);
              }
            }
            """);
    Path modules = folder.resolve("modules");
    String path = System.getProperty("jdk.module.path");
    String into = modules.resolve("my.backend").toString();
    int compiled =
        ToolProvider.getSystemJavaCompiler()
            .run(null, null, null, "-p", path, "-d", into, "" + module, "" + provider);
    assertThat(compiled).isZero();
    return modules;
  }

  private Path write(String name, String text) throws Exception {
    Path file = folder.resolve("src").resolve(name);
    Files.createDirectories(file.getParent());
    return Files.writeString(file, text, StandardCharsets.UTF_8);
  }
}
