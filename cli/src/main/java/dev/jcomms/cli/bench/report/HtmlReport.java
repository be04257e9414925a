package dev.jcomms.cli.bench.report;

import dev.jcomms.cli.bench.measure.Plan;
import dev.jcomms.cli.bench.measure.Timing;
import dev.jcomms.cli.bench.op.Form;
import dev.jcomms.cli.info.Machine;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleUnaryOperator;

/** The results as one page that needs nothing else: no network, no script, light and dark. */
public final class HtmlReport {
  private final StringBuilder page = new StringBuilder();

  private HtmlReport() {}

  public static String of(Machine machine, Map<String, String> peers, List<Section> sections) {
    HtmlReport report = new HtmlReport();
    report.head(machine, peers, sections);
    sections.forEach(report::section);
    report.page.append("</main>\n</body>\n</html>\n");
    return report.page.toString();
  }

  private void head(Machine machine, Map<String, String> peers, List<Section> sections) {
    List<String> names = sections.stream().map(s -> s.plan().op().opName()).toList();
    String title = "jcomms bench: " + String.join(", ", names);
    add("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n");
    add("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n");
    add("<title>%s</title>\n<style>\n%s</style>\n</head>\n<body>\n<main>\n", title, style());
    add("<header>\n<h1>%s</h1>\n<dl class=\"facts\">\n", title);
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("JComms", machine.version());
    facts.put("processor", machine.cpu() + ", " + machine.processors() + " usable");
    facts.put("memory", Numbers.bytes(machine.memoryBytes()));
    facts.put("system", machine.system() + " " + machine.architecture());
    facts.put("Java", machine.java() + " (" + machine.vendor() + ")");
    peers.forEach(facts::put);
    facts.forEach(
        (name, value) ->
            add("<div><dt>%s</dt><dd>%s</dd></div>\n", Html.escape(name), Html.escape(value)));
    add("</dl>\n</header>\n");
  }

  private void section(Section section) {
    Plan plan = section.plan();
    add("<section>\n<h2>%s</h2>\n<p class=\"sub\">", plan.op().opName());
    add(
        "%d %s, backend %s%s, %s%s%s; %s",
        section.ranks(),
        plan.threads() > 0 ? "threads" : "processes",
        Html.escape(section.backend()),
        section.transport().isEmpty() ? "" : ", transport " + Html.escape(section.transport()),
        plan.dtype(),
        plan.op().reduces() ? " " + plan.redopName() : "",
        plan.symmetric() ? ", symmetric tensors" : "",
        section.rounds() == 1 ? "one round" : "medians of " + section.rounds() + " rounds");
    add("</p>\n");
    for (Form form : section.forms()) {
      add("<h3>%s</h3>\n", form);
      boolean curves = section.rows().stream().anyMatch(row -> row.bytes() > 0);
      if (curves) charts(section, form);
      HtmlTable.append(page, section, form);
    }
    for (String note : section.notes()) add("<p class=\"note\">%s</p>\n", Html.escape(note));
    add("</section>\n");
  }

  private void charts(Section section, Form form) {
    List<Curve> times = curves(section, form, bytes -> micros -> micros);
    double factor = section.plan().op().busFactor(section.ranks());
    // A factor of 0, as with one rank, has no place on a logarithmic axis.
    double shown = factor > 0 ? factor : 1;
    List<Curve> bandwidths = curves(section, form, bytes -> micros -> shown * bytes / 1e3 / micros);
    List<Chart.Band> band = new ArrayList<>();
    for (Row row : section.rows()) {
      row.cell(form)
          .map(Cell::time)
          .ifPresent(time -> band.add(new Chart.Band(row.bytes(), time.min(), time.p99())));
    }
    legend(times);
    add("<div class=\"charts\">\n<figure>\n<figcaption>time, with min to p99</figcaption>\n");
    page.append(Chart.draw("time by size", times, band, Html::time));
    add(
        "</figure>\n<figure>\n<figcaption>%s bandwidth</figcaption>\n",
        factor > 0 ? "bus" : "algorithm");
    page.append(Chart.draw("bandwidth by size", bandwidths, List.of(), Html::bandwidth));
    add("</figure>\n</div>\n");
  }

  /** Makes a value of a time, for a size. */
  private interface Value {
    DoubleUnaryOperator of(long bytes);
  }

  private static List<Curve> curves(Section section, Form form, Value value) {
    List<Curve> curves = new ArrayList<>();
    Map<String, List<Curve.Point>> points = new LinkedHashMap<>();
    points.put(Results.OURS, new ArrayList<>());
    section.peers().forEach(peer -> points.put(peer, new ArrayList<>()));
    points.put("limit", new ArrayList<>());
    for (Row row : section.rows()) {
      Cell cell = row.cell(form).orElse(null);
      if (cell == null || row.bytes() == 0) continue;
      DoubleUnaryOperator of = value.of(row.bytes());
      Map<String, Timing> all = new LinkedHashMap<>();
      all.put(Results.OURS, cell.time());
      cell.peers().forEach((peer, time) -> all.put(peer, time.time()));
      all.forEach(
          (name, time) ->
              points.get(name).add(new Curve.Point(row.bytes(), of.applyAsDouble(time.avg()))));
      cell.limit()
          .ifPresent(
              time ->
                  points.get("limit").add(new Curve.Point(row.bytes(), of.applyAsDouble(time))));
    }
    points.forEach(
        (name, list) -> {
          boolean limit = name.equals("limit");
          String shown = limit ? "machine's limit (" + section.limit() + ")" : name;
          if (!list.isEmpty()) curves.add(new Curve(shown, name, limit, list));
        });
    return curves;
  }

  private void legend(List<Curve> curves) {
    add("<ul class=\"legend\">\n");
    for (Curve curve : curves) {
      String mark =
          curve.dashed()
              ? ""
              : "<g class=\"mark %s\" transform=\"translate(14 6)\">%s</g>"
                  .formatted(curve.style(), Html.marker(curve.style()));
      add(
          "<li><svg viewBox=\"0 0 28 12\" class=\"key\"><path class=\"line %s%s\" d=\"M1 6H27\"/>%s</svg>%s</li>\n",
          curve.style(), curve.dashed() ? " dashed" : "", mark, Html.escape(curve.name()));
    }
    add("</ul>\n");
  }

  private static String style() {
    try (InputStream in = HtmlReport.class.getResourceAsStream("report.css")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void add(String format, Object... facts) {
    page.append(facts.length == 0 ? format : format.formatted(facts));
  }
}
