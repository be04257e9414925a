package dev.jcomms.cli.tune;

import dev.jcomms.cli.bench.report.Html;
import dev.jcomms.cli.bench.report.Numbers;
import dev.jcomms.jccl.Tuner;
import dev.jcomms.jccl.TuningTable;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;

/**
 * A page by itself: for each collective a row a way and a column a size, the darker the nearer to
 * the fastest, the one that is taken framed.
 */
final class HeatMap {
  private static final String STYLE =
      """
      body{font:14px/1.5 system-ui,sans-serif;margin:2rem;color:#1c2430;background:#fff}
      table{border-collapse:separate;border-spacing:2px;margin:0 0 2rem}
      th{font-weight:500;text-align:right;padding:0 .5rem;white-space:nowrap}
      td{min-width:3.6rem;padding:.35rem .4rem;text-align:right;font-variant-numeric:tabular-nums}
      td.none{background:#f4f5f7;color:#9aa3af;text-align:center}
      td.taken{outline:2px solid #d9480f;outline-offset:-2px;font-weight:600}
      p{max-width:46rem}
      @media (prefers-color-scheme:dark){body{color:#e6e9ee;background:#12161c}
      td.none{background:#1d232c;color:#5c6673}}
      """;

  private HeatMap() {}

  static String page(TuningTable.Hardware here, List<Tuner.Progress> sizes) {
    StringBuilder page = new StringBuilder();
    page.append("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">")
        .append("<title>jcomms tune</title><style>\n")
        .append(STYLE)
        .append("</style></head><body>\n<h1>Which algorithm, for which size</h1>\n<p>")
        .append(
            Html.escape(
                "jccl %s on %s, %d cores: %d ranks, %d a host, %s%s."
                    .formatted(
                        here.version(),
                        here.sku(),
                        here.cores(),
                        here.scale(),
                        here.ranksPerHost(),
                        here.transport(),
                        sizes.stream().anyMatch(p -> p.entry().symmetric())
                            ? ", symmetric tensors"
                            : "")))
        .append(
            " Times in microseconds, on the slowest rank; the darker, the nearer to the fastest of"
                + " its column. Framed: what the table takes; <i>auto</i> is jccl's own choice"
                + " (point at a time to see which that is), which others must beat by more than the noise.</p>\n");
    Map<String, List<Tuner.Progress>> byCollective = new LinkedHashMap<>();
    sizes.forEach(
        p -> byCollective.computeIfAbsent(p.collective(), _ -> new java.util.ArrayList<>()).add(p));
    byCollective.forEach((collective, columns) -> section(page, collective, columns));
    return page.append("</body></html>\n").toString();
  }

  private static void section(StringBuilder page, String collective, List<Tuner.Progress> columns) {
    TreeSet<String> ways = new TreeSet<>();
    columns.forEach(p -> ways.addAll(p.micros().keySet()));
    ways.remove("auto");
    page.append("<h2>").append(Html.escape(collective)).append("</h2>\n<table><tr><th></th>");
    columns.forEach(
        p -> page.append("<th>").append(Numbers.bytes(p.entry().bytes())).append("</th>"));
    page.append("</tr>\n");
    row(page, "auto", columns);
    ways.forEach(way -> row(page, way, columns));
    page.append("</table>\n");
  }

  private static void row(StringBuilder page, String way, List<Tuner.Progress> columns) {
    page.append("<tr><th>").append(Html.escape(way)).append("</th>");
    for (Tuner.Progress p : columns) {
      Double micros = p.micros().get(way);
      if (micros == null) {
        page.append("<td class=\"none\" title=\"")
            .append(Html.escape(p.skipped().getOrDefault(way, "not tried")))
            .append("\">&ndash;</td>");
        continue;
      }
      double best = p.micros().values().stream().min(Double::compare).orElseThrow();
      double near = Math.clamp(1 - Math.log(micros / best) / Math.log(4), 0, 1);
      page.append(
          String.format(
              Locale.ROOT,
              "<td%s%s style=\"background:hsl(212 %.0f%% %.0f%%);color:%s\">%s</td>",
              p.entry().choice().toString().equals(way) ? " class=\"taken\"" : "",
              way.equals("auto") ? " title=\"" + Html.escape(TuneReport.defaults(p)) + "\"" : "",
              30 + 40 * near,
              96 - 56 * near,
              near > 0.55 ? "#fff" : "#1c2430",
              Numbers.of(micros)));
    }
    page.append("</tr>\n");
  }
}
