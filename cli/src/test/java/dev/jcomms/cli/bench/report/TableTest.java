package dev.jcomms.cli.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class TableTest {
  private final StringWriter text = new StringWriter();

  @Test
  void rowsHaveTheColumnsOfNcclTestsForBothForms() {
    Section section = Samples.allReduce();
    Table table = new Table(new PrintWriter(text), section.plan(), section.peers());
    table.head(section.ranks(), section.backend(), section.transport(), section.limit());
    section.rows().forEach(row -> table.row(row, section.ranks()));
    table.foot(section);
    List<String> lines = text.toString().lines().toList();
    assertThat(lines).anyMatch(line -> line.matches("# +out-of-place +in-place"));
    String titles = lines.stream().filter(l -> l.contains("redop")).findFirst().orElseThrow();
    assertThat(titles.split(" +"))
        .startsWith("#", "size", "count", "type", "redop", "root", "time", "algbw", "busbw")
        .contains("#wrong", "min", "p50", "p99", "iters", "ours/openmpi", "ours/gloo");
    List<String> row =
        Stream.of(lines.stream().filter(l -> l.matches(" +1024 .*")).findFirst().orElseThrow())
            .flatMap(line -> Stream.of(line.strip().split(" +")))
            .toList();
    // 1024 bytes in 1024 us are 1 MB/s; of 4 ranks the bus carries 1.5 times as much.
    assertThat(row.subList(0, 9))
        .containsExactly("1024", "256", "f32", "sum", "-1", "1024.0", "0.0010", "0.0015", "0");
    assertThat(row.subList(9, 16))
        .containsExactly("512.0", "1024.0", "4096.0", "100", "25", "0.500", "0.0100");
    assertThat(row).hasSize(5 + 2 * 11);
    assertThat(text.toString())
        .contains("# Out of bounds values : 0 OK")
        .contains("# Avg bus bandwidth    : 0.0015 GB/s")
        .contains("# note: something is <left out>");
  }

  @Test
  void withoutRowsNothingIsSaidToBeRight() {
    Section some = Samples.allReduce();
    Section none =
        new Section(
            some.plan(),
            some.ranks(),
            some.backend(),
            some.transport(),
            some.limit(),
            1,
            List.of(),
            List.of(),
            List.of("8 bytes are left out"));
    new Table(new PrintWriter(text), none.plan(), none.peers()).foot(none);
    assertThat(text.toString().lines())
        .containsExactly(
            "# note: 8 bytes are left out", "# Out of bounds values : nothing was measured");
  }

  @Test
  void titlesStandOverTheirColumns() {
    Section section = Samples.allReduce();
    Table table = new Table(new PrintWriter(text), section.plan(), section.peers());
    table.head(section.ranks(), section.backend(), section.transport(), section.limit());
    table.row(section.rows().getLast(), section.ranks());
    List<String> lines = text.toString().lines().toList();
    String titles = lines.get(lines.size() - 3);
    String row = lines.getLast();
    assertThat(row).hasSameSizeAs(titles);
    assertThat(row.indexOf("1024.0") + "1024.0".length())
        .isEqualTo(titles.indexOf("time") + "time".length());
  }

  @Test
  void numbersKeepAboutFourDigits() {
    assertThat(Numbers.of(0.01234)).isEqualTo("0.0123");
    assertThat(Numbers.of(0.332)).isEqualTo("0.332");
    assertThat(Numbers.of(12.345)).isEqualTo("12.35");
    assertThat(Numbers.of(1234.5)).isEqualTo("1234.5");
    assertThat(Numbers.of(123456.7)).isEqualTo("123457");
    assertThat(Numbers.bytes(8)).isEqualTo("8 B");
    assertThat(Numbers.bytes(64 << 20)).isEqualTo("64 MiB");
    assertThat(Numbers.bytes(1536)).isEqualTo("1.5 KiB");
  }
}
