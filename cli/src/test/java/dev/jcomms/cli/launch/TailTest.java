package dev.jcomms.cli.launch;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class TailTest {
  private final Tail tail = new Tail();

  @Test
  void theLastUncaughtExceptionIsTheReason() {
    add("noise", "Exception in thread \"main\" java.lang.Error: first");
    add("\tat A.b(A.java:1)", "noise", "Exception in thread \"x\" java.lang.Error: last");
    add("\tat C.d(C.java:2)");
    assertThat(tail.reason())
        .containsExactly("Exception in thread \"x\" java.lang.Error: last", "\tat C.d(C.java:2)");
  }

  @Test
  void withoutOneTheLastLinesAre() {
    IntStream.range(0, 1000).forEach(i -> add("line " + i));
    List<String> reason = tail.reason();
    assertThat(reason).hasSize(30).startsWith("line 970").endsWith("line 999");
  }

  @Test
  void aLongTraceIsCutAndSaysSo() {
    add("Exception in thread \"main\" java.lang.StackOverflowError");
    IntStream.range(0, 100).forEach(i -> add("\tat A.b(A.java:1)"));
    assertThat(tail.reason()).hasSize(31).endsWith("… 71 more lines");
  }

  private void add(String... lines) {
    for (String line : lines) tail.add(line.getBytes(UTF_8), 0, line.getBytes(UTF_8).length);
  }
}
