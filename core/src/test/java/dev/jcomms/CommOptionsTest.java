package dev.jcomms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class CommOptionsTest {
  @Test
  void aNameThatIsRefusedIsToldTheRule() {
    for (String name : List.of("/x", " x", "", "a\nb", "\u0001", "x".repeat(201))) {
      assertThatThrownBy(() -> options().withName(name))
          .as(name)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage(
              "name='%s' is not 1 to 200 printable characters of which the first is no '/' and no blank"
                  .formatted(name));
    }
  }

  private static CommOptions options() {
    return new CommOptions(Optional.empty(), Duration.ofSeconds(1), Map.of(), false);
  }

  @Test
  void namesMayHaveSlashesAndBlanksInside() {
    for (String name : List.of("x", "a/b c", "x".repeat(200))) {
      assertThat(options().withName(name).name()).contains(name);
    }
  }
}
