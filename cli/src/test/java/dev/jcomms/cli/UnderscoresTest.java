package dev.jcomms.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class UnderscoresTest {
  @Test
  void ourOptionsMayHaveUnderscores() {
    assertThat(dashes("run", "--nproc_per_node", "2", "--log_dir=a_b", "X.java"))
        .containsExactly("run", "--nproc-per-node", "2", "--log-dir=a_b", "X.java");
  }

  @Test
  void valuesAreLeftAlone() {
    assertThat(dashes("run", "--env", "--a_b=c", "--role", "my_role", "X.java"))
        .containsExactly("run", "--env", "--a_b=c", "--role", "my_role", "X.java");
  }

  @Test
  void whatFollowsTheProgramIsTheProgramsOwn() {
    assertThat(dashes("run", "-n", "2", "X.java", "--max_restarts", "3"))
        .containsExactly("run", "-n", "2", "X.java", "--max_restarts", "3");
    assertThat(dashes("run", "--", "x", "--max_restarts", "3"))
        .containsExactly("run", "--", "x", "--max_restarts", "3");
  }

  private static String[] dashes(String... args) {
    return Underscores.toDashes(Main.commandLine(), args);
  }
}
