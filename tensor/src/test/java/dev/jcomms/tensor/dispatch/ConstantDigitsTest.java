package dev.jcomms.tensor.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** A schema is the same text in every language. */
@Isolated // the language is the JVM's
final class ConstantDigitsTest {
  @Test
  void anExponentIsWrittenInTheDigitsOfSchemas() {
    Locale before = Locale.getDefault(Locale.Category.FORMAT);
    Locale.setDefault(Locale.Category.FORMAT, Locale.of("fa", "IR"));
    try {
      assertThat(new Constant.Fraction(0x1p-20).toString()).isEqualTo("9.5367431640625e-07");
    } finally {
      Locale.setDefault(Locale.Category.FORMAT, before);
    }
  }
}
