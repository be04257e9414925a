package dev.jcomms.cli.launch;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class ExitStatusTest {
  @Test
  void signalsAreNamed() {
    assertThat(ExitStatus.describe(7)).isEqualTo("exit code 7");
    assertThat(ExitStatus.describe(137)).isEqualTo("exit code 137 (SIGKILL)");
    assertThat(ExitStatus.describe(255)).isEqualTo("exit code 255");
    assertThat(ExitStatus.ofSignal(2)).isEqualTo(130);
  }
}
