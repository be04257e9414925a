package dev.jcomms.cli.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A device in a module of its own is checked, and told what it lacks, by the command line. */
final class DeviceModuleTest {
  @TempDir private Path folder;

  @Test
  void aDeviceIsFoundOnTheModulePath() throws Exception {
    String path = compile().toString();
    Path json = folder.resolve("results.json");
    List<String> words =
        List.of("check", "--device", "mine", "-p", path, "--filter", "neg", "--json", "" + json);
    try (Launcher check = Launcher.start(folder, words.toArray(String[]::new))) {
      assertThat(check.status()).as("it said %s", check.lines()).isZero();
      assertThat(check.lines())
          .contains(
              "out device mine:0 (PrivateUse1), kernels of its own for 0 operators, tier quick")
          .noneMatch(line -> line.contains("failed"));
    }
    assertThat(Files.readString(json, StandardCharsets.UTF_8)).contains("\"device\":\"mine:0\"");
    try (Launcher nothing =
        Launcher.start(folder, "check", "--device", "mine", "-p", path, "--filter", "nix")) {
      assertThat(nothing.status()).isEqualTo(1);
    }
    try (Launcher unknown = Launcher.start(folder, "check", "--device", "mine")) {
      assertThat(unknown.status()).isEqualTo(2);
    }
    try (Launcher ops = Launcher.start(folder, "ops", "--device", "mine", "--json", "-p", path)) {
      assertThat(ops.status()).isZero();
      assertThat(ops.lines())
          .anyMatch(line -> line.startsWith("out {\"device\":\"mine:0\",\"key\":\"PrivateUse1\""));
    }
  }

  private Path compile() throws Exception {
    Path source = folder.resolve("src");
    write(
        source.resolve("module-info.java"),
        """
        module my.device {
          requires dev.jcomms.tensor;
          provides dev.jcomms.tensor.spi.DeviceProvider with my.device.Memory;
          provides dev.jcomms.tensor.spi.OperatorLibrary with my.device.Kernels;
        }
        """);
    write(
        source.resolve("my/device/Memory.java"),
        """
        package my.device;
        import dev.jcomms.tensor.*;
        import java.lang.foreign.MemorySegment;
        public final class Memory implements dev.jcomms.tensor.spi.DeviceProvider {
          public String type() { return "privateuse1"; }
          public String name() { return "mine"; }
          public int count() { return 1; }
          public Storage allocate(Device device, long bytes) {
            return Storage.opaque(0, bytes, device, new byte[(int) bytes]);
          }
          public void upload(MemorySegment from, Storage to, long offset) {
            MemorySegment.copy(from, 0, bytes(to), offset, from.byteSize());
          }
          public void download(Storage from, long offset, MemorySegment to) {
            MemorySegment.copy(bytes(from), offset, to, 0, to.byteSize());
          }
          static MemorySegment bytes(Storage s) {
            return MemorySegment.ofArray((byte[]) s.owner());
          }
        }
        """);
    write(
        source.resolve("my/device/Kernels.java"),
        """
        package my.device;
        import dev.jcomms.tensor.dispatch.*;
        public final class Kernels implements dev.jcomms.tensor.spi.OperatorLibrary {
          public void register() {
            Library.impl(
                "_", DispatchKey.PRIVATE_USE_1, m -> m.fallback(Fallbacks.cpu(op -> {})));
          }
        }
        """);
    Path modules = folder.resolve("modules");
    int compiled =
        ToolProvider.getSystemJavaCompiler()
            .run(
                null,
                null,
                null,
                "-p",
                System.getProperty("jdk.module.path"),
                "-d",
                modules.resolve("my.device").toString(),
                source.resolve("module-info.java").toString(),
                source.resolve("my/device/Memory.java").toString(),
                source.resolve("my/device/Kernels.java").toString());
    assertThat(compiled).isZero();

    return modules;
  }

  private static void write(Path file, String text) throws Exception {
    Files.createDirectories(file.getParent());
    Files.writeString(file, text, StandardCharsets.UTF_8);
  }
}
