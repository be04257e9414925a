package dev.jcomms.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jcomms.Setting;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where a job's secret is read from. */
class StoreSecretTest {
  private static final String TEXT = "0123456789abcdef0123";

  private static String revealed(Map<String, String> environment) {
    return StoreSecret.fromEnvironment(environment).orElseThrow().reveal();
  }

  @Test
  void theVariableWinsOverTheFile(@TempDir Path folder) throws Exception {
    Path file = Files.writeString(folder.resolve("secret"), "\n" + TEXT + "-file\n");
    String name = file.toString();
    assertThat(revealed(Map.of("JCOMMS_SECRET", " " + TEXT + "\n", "JCOMMS_SECRET_FILE", name)))
        .isEqualTo(TEXT);
    assertThat(revealed(Map.of("JCOMMS_SECRET", " ", "JCOMMS_SECRET_FILE", name)))
        .isEqualTo(TEXT + "-file");
    assertThat(StoreSecret.fromEnvironment(Map.of("JCOMMS_SECRET_FILE", ""))).isEmpty();
  }

  @Test
  void errorsNameTheSourceAndNotTheSecret(@TempDir Path folder) throws Exception {
    assertThatThrownBy(() -> revealed(Map.of("JCOMMS_SECRET", "hunter2")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("JCOMMS_SECRET: store secret: characters=7 is below the least, 16");
    Path empty = Files.createFile(folder.resolve("empty"));
    assertThatThrownBy(() -> revealed(Map.of("JCOMMS_SECRET_FILE", empty.toString())))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("JCOMMS_SECRET_FILE=" + empty + ": store secret: characters=0");
    Path none = folder.resolve("none");
    assertThatThrownBy(() -> revealed(Map.of("JCOMMS_SECRET_FILE", none.toString())))
        .isInstanceOf(StoreException.class)
        .hasMessage("JCOMMS_SECRET_FILE=" + none + " cannot be read");
  }

  @Test
  void theVariablesAreThoseOfTheSettings() {
    assertThat(Setting.SECRET.variables()).containsExactly(StoreSecret.VARIABLE);
    assertThat(Setting.SECRET_FILE.variables()).containsExactly(StoreSecret.FILE_VARIABLE);
  }
}
