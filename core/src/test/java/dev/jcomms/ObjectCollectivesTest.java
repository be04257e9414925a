package dev.jcomms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jcomms.fake.FakeScript;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Values as two operations each; what moves between ranks is the conformance kit's to check. */
class ObjectCollectivesTest {
  private final FakeScript script = new FakeScript();

  @Test
  void theRootsValueIsItsOwnAndOptionsReachEveryOperation() {
    try (Comm comm = Fakes.alone(script)) {
      OpOptions options = OpOptions.timeout(Duration.ofSeconds(3)).withHint("k", "v");
      assertThat(comm.broadcastObject("hello", 0, Codecs.STRING, options)).isEqualTo("hello");
      assertThat(script.submitted())
          .hasSize(2)
          .allSatisfy(s -> assertThat(s.options()).isEqualTo(options));
    }
  }

  @Test
  void aListOfTheWrongLengthIsRefusedBeforeAnythingMoves() {
    try (Comm comm = Fakes.alone(script)) {
      assertThatThrownBy(() -> comm.scatterObject(List.of("a", "b"), 0, Codecs.STRING))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("scatter_object: values has size=2; the comm has size=1");
      assertThat(script.submitted()).isEmpty();
    }
  }
}
