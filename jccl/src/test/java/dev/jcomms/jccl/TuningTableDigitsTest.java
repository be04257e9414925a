package dev.jcomms.jccl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jcomms.jccl.Selector.Choice;
import dev.jcomms.jccl.Selector.Transport;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** A table is the same text in every language. */
@Isolated // the language is the JVM's
final class TuningTableDigitsTest {
  @Test
  void aTableIsWrittenInTheDigitsOfJson() {
    TuningTable table =
        new TuningTable(
            List.of(
                new TuningTable.Profile(
                    new TuningTable.Hardware("Z80", 12, "0.1.0", 2, 2, Transport.SHM),
                    Map.of(
                        "all_reduce",
                        List.of(new TuningTable.Entry(1024, Choice.of("flat"), 1.5, 2))))));
    String plain = table.toJson();
    Locale before = Locale.getDefault(Locale.Category.FORMAT);
    Locale.setDefault(Locale.Category.FORMAT, Locale.of("fa", "IR"));
    try {
      assertThat("%d".formatted(12)).as("a language with digits of its own").isNotEqualTo("12");
      assertThat(table.toJson()).isEqualTo(plain);
      assertThat(TuningTable.parse(table.toJson())).isEqualTo(table);
    } finally {
      Locale.setDefault(Locale.Category.FORMAT, before);
    }
  }
}
