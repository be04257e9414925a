package dev.jcomms.cli.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jcomms.cli.CliException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SecretTest {
  private static final String TEXT = "0123456789abcdef";

  @Test
  void theVariableWinsOverTheFile(@TempDir Path folder) throws Exception {
    Path file = Files.writeString(folder.resolve("secret"), TEXT + "\n");
    assertThat(Secret.given(Map.of("JCOMMS_SECRET_FILE", file.toString())).get().reveal())
        .isEqualTo(TEXT);
    assertThat(
            Secret.given(
                    Map.of("JCOMMS_SECRET_FILE", file.toString(), "JCOMMS_SECRET", TEXT + TEXT))
                .get()
                .reveal())
        .isEqualTo(TEXT + TEXT);
    assertThat(Secret.given(Map.of())).isEmpty();
  }

  @Test
  void aShortSecretIsRefusedWithoutBeingShown() {
    assertThatThrownBy(() -> Secret.given(Map.of("JCOMMS_SECRET", "hunter2")))
        .isInstanceOf(CliException.class)
        .hasMessageContaining("7 characters")
        .hasMessageNotContaining("hunter2");
  }

  @Test
  void aFileThatIsNotThereIsNamed() {
    assertThatThrownBy(() -> Secret.given(Map.of("JCOMMS_SECRET_FILE", "/no/such")))
        .isInstanceOf(CliException.class)
        .hasMessageContaining("/no/such");
  }
}
