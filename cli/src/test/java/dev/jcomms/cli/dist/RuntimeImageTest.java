package dev.jcomms.cli.dist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jcomms.cli.CliException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class RuntimeImageTest {
  @Test
  void theCompilerAndTheVectorsAreAlwaysIn() {
    assertThat(RuntimeImage.modules(List.of()))
        .contains("jdk.compiler", "jdk.incubator.vector", "jdk.jfr");
  }

  @Test
  void anotherPlatformNeedsItsJmods(@TempDir Path jdk) throws Exception {
    Files.writeString(
        jdk.resolve("release"),
        "JAVA_VERSION=\"25.0.3\"\nOS_NAME=\"Linux\"\nOS_ARCH=\"riscv64\"\n");
    Jdk other = Jdk.at(jdk);
    assertThat(other.platform()).isEqualTo("linux-riscv64");
    assertThatThrownBy(() -> RuntimeImage.link(other, List.of(), jdk.resolve("out")))
        .isInstanceOf(CliException.class)
        .hasMessageContaining("linux-riscv64")
        .hasMessageContaining("jmods");
  }

  @Test
  void aFolderThatIsNoJdkIsNamed(@TempDir Path folder) {
    assertThatThrownBy(() -> Jdk.at(folder))
        .isInstanceOf(CliException.class)
        .hasMessageContaining(folder.toString());
  }
}
