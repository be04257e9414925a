package dev.jcomms.cli.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jcomms.Codecs;
import dev.jcomms.ReduceOp;
import dev.jcomms.cli.bench.op.Form;
import dev.jcomms.cli.bench.op.Operations;
import dev.jcomms.tensor.DType;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

final class MessageTest {
  @Test
  void messagesSurviveTheWayToTheCommand() {
    Timing time = new Timing(1.25, 1, 1.5, 3);
    for (Message message :
        List.of(
            new Message.Started(4, "reference 1.0.0", "shm", "memory"),
            new Message.Note("a \"note\"\nof two lines"),
            new Message.Measured(
                new Measurement(
                    64,
                    16,
                    Form.IN_PLACE,
                    "packets:payload=8",
                    1000,
                    5,
                    time,
                    OptionalLong.of(3),
                    OptionalDouble.of(0.5))),
            new Message.Measured(
                new Measurement(
                    64,
                    16,
                    Form.OUT_OF_PLACE,
                    "",
                    10,
                    1,
                    time,
                    OptionalLong.empty(),
                    OptionalDouble.empty())))) {
      assertThat(message.line()).doesNotContain("\n");
      assertThat(Message.parse(message.line())).contains(message);
    }
  }

  @Test
  void whatALibraryPrintsIsNoMessage() {
    assertThat(Message.parse("WARNING: something")).isEmpty();
    assertThat(Message.parse("{\"other\":1}")).isEmpty();
    assertThatThrownBy(() -> Message.parse("{\"bench\":\"measured\"}"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("not a bench message");
  }

  @Test
  void aPlanSurvivesTheWayToItsRanks() {
    Plan plan =
        new Plan(
            Operations.of("reduce_scatter"),
            List.of(8L, 1L << 40),
            DType.BF16,
            ReduceOp.MAX,
            3,
            "",
            Plan.AUTO,
            true,
            Map.of("host.threads", "2", "a", "b=c"),
            "ring",
            2,
            new Pace(Pace.ADAPTIVE, 7, Duration.ofMillis(125)),
            false,
            true);
    Object decoded = Codecs.JSON.decode(Codecs.JSON.encode(plan.toMap()));
    assertThat(Plan.of((Map<?, ?>) decoded)).isEqualTo(plan);
  }

  @Test
  void sizesThatAnOperationMakesEqualAreMeasuredOnce() {
    Plan plan =
        new Plan(
            Operations.of("all_gather"),
            List.of(8L, 16L, 32L, 64L),
            DType.F64,
            ReduceOp.SUM,
            0,
            "",
            Plan.AUTO,
            false,
            Map.of(),
            "",
            0,
            new Pace(1, 1, Duration.ofMillis(1)),
            true,
            true);
    assertThat(plan.counts(4)).containsExactly(1L, 2L);
    assertThat(plan.bytesOf(1, 4)).isEqualTo(32);
    assertThat(plan.redopName()).isEqualTo("none");
    assertThat(plan.shownRoot()).isEqualTo(-1);
  }
}
