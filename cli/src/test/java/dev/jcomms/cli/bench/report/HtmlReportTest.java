package dev.jcomms.cli.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jcomms.cli.bench.measure.Message;
import dev.jcomms.cli.bench.op.Form;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

final class HtmlReportTest {
  private final String page =
      HtmlReport.of(
          Samples.MACHINE,
          Map.of("openmpi", "4.1 & more", "gloo", "torch"),
          List.of(Samples.allReduce()));

  @Test
  void everyElementIsClosedInItsPlace() {
    wellFormed(page);
  }

  @Test
  void textIsEscaped() {
    assertThat(page)
        .contains("4.1 &amp; more", "something is &lt;left out&gt;")
        .doesNotContain("4.1 & more", "<left out>");
  }

  @Test
  void thePageNeedsNothingElse() {
    assertThat(page).doesNotContain("http:", "https:", "<script", "<link", "url(", "@import");
  }

  @Test
  void oursThePeersAndTheLimitHaveACurveInEveryChart() {
    assertThat(page.split("<figure>", -1)).hasSize(1 + 2 * 2);
    for (String curve : List.of("line jcomms", "line openmpi", "line gloo", "line limit dashed")) {
      // In the legend and in the two charts of each form.
      assertThat(page.split("class=\"" + curve + "\"", -1)).as(curve).hasSize(1 + 2 * 3);
    }
    assertThat(page).contains("<title>jcomms, 1 KiB: 1.02 ms</title>");
  }

  @Test
  void noPlaceIsOutsideTheChart() {
    Matcher numbers = Pattern.compile("translate\\(([^ ]+) ([^)]+)\\)").matcher(page);
    int found = 0;
    while (numbers.find()) {
      assertThat(Double.parseDouble(numbers.group(1))).isBetween(0.0, 640.0);
      assertThat(Double.parseDouble(numbers.group(2))).isBetween(0.0, 360.0);
      found++;
    }
    assertThat(found).isPositive();
    assertThat(page).doesNotContain("NaN", "Infinity");
  }

  @Test
  void anOperationWithoutDataHasATableAndNoChart() {
    Results results = new Results(Samples.plan("barrier"), 1);
    results.add(Results.OURS, new Message.Started(2, "jccl 1.0.0", "shm", "memory"));
    results.add(Results.OURS, Samples.measured(0, Form.OUT_OF_PLACE, 3, 0, 0));
    String barrier = HtmlReport.of(Samples.MACHINE, Map.of(), List.of(results.section()));
    wellFormed(barrier);
    assertThat(barrier).contains("<table>", "3 \u00b5s").doesNotContain("<figure>");
  }

  @Test
  void oneSizeAloneIsAChartToo() {
    Results results = new Results(Samples.plan("broadcast"), 1);
    results.add(Results.OURS, new Message.Started(1, "jccl 1.0.0", "shm", "memory"));
    results.add(Results.OURS, Samples.measured(8, Form.IN_PLACE, 3, 0, 0));
    String one = HtmlReport.of(Samples.MACHINE, Map.of(), List.of(results.section()));
    wellFormed(one);
    assertThat(one).contains("<figure>").doesNotContain("NaN");
  }

  @Test
  void anAxisGoesFromPowerToPower() {
    LogScale scale = LogScale.over(List.of(0.3, 40.0, 0.0), 10, 0, 300);
    assertThat(scale.ticks(9)).hasSize(4);
    assertThat(scale.place(0.1)).isCloseTo(0, org.assertj.core.api.Assertions.within(1e-9));
    assertThat(scale.place(10)).isCloseTo(200, org.assertj.core.api.Assertions.within(1e-9));
  }

  private static void wellFormed(String page) {
    assertThat(page).startsWith("<!DOCTYPE html>\n");
    String body = page.substring(page.indexOf("<html"));
    Deque<String> open = new ArrayDeque<>();
    Matcher tags =
        Pattern.compile("<(/?)([a-z0-9]+)((?: [a-zA-Z0-9-]+=\"[^\"<>]*\")*)(/?)>|<").matcher(body);
    while (tags.find()) {
      assertThat(tags.group(2)).as("a tag at %s", body.substring(tags.start())).isNotNull();
      if (!tags.group(1).isEmpty()) {
        assertThat(tags.group(2)).isEqualTo(open.pop());
      } else if (tags.group(4).isEmpty()) {
        open.push(tags.group(2));
      }
    }
    assertThat(open).isEmpty();
  }
}
