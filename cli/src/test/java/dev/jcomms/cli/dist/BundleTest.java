package dev.jcomms.cli.dist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jcomms.cli.Cli;
import dev.jcomms.cli.CliException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class BundleTest {
  @Test
  void aFileThatCannotBeWrittenIsNamedBeforeAnythingIsLinked(@TempDir Path folder)
      throws Exception {
    // Of a JDK that nothing can be linked from: who begins with that says so.
    Files.writeString(folder.resolve("release"), "OS_NAME=\"Plan9\"\n");
    Path file = folder.resolve("none/d.tar.gz");
    Cli.Result result = Cli.run("dist", "--jdk", folder.toString(), "-o", file.toString());
    assertThat(result.status()).isEqualTo(1);
    assertThat(result.err()).contains(file + ": no such file or folder");
  }

  @Test
  void theTimeOfReproducibleBuildsIsANumber() {
    assertThat(Bundle.time(Optional.of("1700000000"))).isEqualTo(1_700_000_000);
    assertThat(Bundle.time(Optional.empty())).isPositive();
    for (String wrong : List.of("abc", "", "-1", "8589934592", "99999999999999999999")) {
      assertThatThrownBy(() -> Bundle.time(Optional.of(wrong)))
          .isInstanceOfSatisfying(
              CliException.class, e -> assertThat(e.status()).isEqualTo(CliException.USAGE))
          .hasMessageContaining("SOURCE_DATE_EPOCH=" + wrong + " is not");
    }
  }
}
