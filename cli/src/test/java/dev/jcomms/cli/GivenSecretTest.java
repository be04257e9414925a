package dev.jcomms.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class GivenSecretTest {
  private static final String TEXT = "0123456789abcdef";

  @Test
  void theVariableWinsOverTheFile(@TempDir Path folder) throws Exception {
    Path file = Files.writeString(folder.resolve("secret"), TEXT + "\n");
    assertThat(GivenSecret.in(Map.of("JCOMMS_SECRET_FILE", file.toString())).get().reveal())
        .isEqualTo(TEXT);
    assertThat(
            GivenSecret.in(
                    Map.of("JCOMMS_SECRET_FILE", file.toString(), "JCOMMS_SECRET", TEXT + TEXT))
                .get()
                .reveal())
        .isEqualTo(TEXT + TEXT);
    assertThat(GivenSecret.in(Map.of())).isEmpty();
  }

  @Test
  void aShortSecretIsRefusedWithoutBeingShown() {
    assertThatThrownBy(() -> GivenSecret.in(Map.of("JCOMMS_SECRET", "hunter2")))
        .isInstanceOf(CliException.class)
        .hasMessageContaining("characters=7")
        .hasMessageNotContaining("hunter2");
  }

  @Test
  void aFileThatIsNotThereIsNamed() {
    assertThatThrownBy(() -> GivenSecret.in(Map.of("JCOMMS_SECRET_FILE", "/no/such")))
        .isInstanceOf(CliException.class)
        .hasMessageContaining("/no/such");
  }

  @Test
  void spaceAroundItDoesNotCountAndEmptyIsUnset() {
    assertThat(GivenSecret.in(Map.of("JCOMMS_SECRET", " " + TEXT + "\n")).get().reveal())
        .isEqualTo(TEXT);
    assertThat(GivenSecret.in(Map.of("JCOMMS_SECRET", " "))).isEmpty();
    assertThat(GivenSecret.in(Map.of("JCOMMS_SECRET", "", "JCOMMS_SECRET_FILE", ""))).isEmpty();
  }

  @Test
  void aFileThatOthersCanReadIsWarnedOf(@TempDir Path folder) throws Exception {
    Path file = Files.writeString(folder.resolve("secret"), TEXT);
    Map<String, String> env = Map.of("JCOMMS_SECRET_FILE", file.toString());
    List<String> warnings = new ArrayList<>();
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    GivenSecret.in(env, warnings::add);
    assertThat(warnings).isEmpty();
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
    GivenSecret.in(env, warnings::add);
    assertThat(warnings).singleElement().asString().contains("others can read", file.toString());
  }
}
