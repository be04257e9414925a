package dev.jcomms.cli.bench.report;

import dev.jcomms.cli.bench.op.Form;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/** The numbers of one form, as a table of a page. */
final class HtmlTable {
  private HtmlTable() {}

  static void append(StringBuilder page, Section section, Form form) {
    page.append("<div class=\"scroll\"><table>\n<thead><tr>");
    for (String title : titles(section)) page.append("<th>").append(title).append("</th>");
    page.append("</tr></thead>\n<tbody>\n");
    double factor = section.plan().op().busFactor(section.ranks());
    for (Row row : section.rows()) {
      row.cell(form).ifPresent(cell -> line(page, section.peers(), row, cell, factor));
    }
    page.append("</tbody></table></div>\n");
  }

  private static List<String> titles(Section section) {
    List<String> titles = new ArrayList<>();
    titles.addAll(List.of("size", "elements", "time", "min", "p50", "p99"));
    titles.addAll(List.of("algbw", "busbw", "#wrong", "iterations", "of limit", "algorithm"));
    for (String peer : section.peers()) titles.addAll(List.of(peer, "ours/" + peer));
    return titles;
  }

  private static void line(
      StringBuilder page, List<String> peers, Row row, Cell cell, double factor) {
    double bandwidth = row.bandwidth(cell.time().avg());
    page.append("<tr>");
    number(page, Numbers.bytes(row.bytes()));
    number(page, "" + row.count());
    number(page, Html.time(cell.time().avg()));
    number(page, Html.time(cell.time().min()));
    number(page, Html.time(cell.time().p50()));
    number(page, Html.time(cell.time().p99()));
    number(page, Html.bandwidth(bandwidth));
    number(page, Html.bandwidth(bandwidth * factor));
    String wrong = cell.wrong().isPresent() ? "" + cell.wrong().getAsLong() : "not checked";
    coloured(page, wrong, cell.wrong().orElse(0) > 0 ? "bad" : "");
    number(page, "" + cell.iterations());
    number(page, cell.limit().isEmpty() ? "-" : Numbers.percent(cell.ofLimit()) + " %");
    number(page, cell.algorithm().isEmpty() ? "-" : cell.algorithm());
    for (String peer : peers) {
      OptionalDouble ratio = cell.ratio(peer);
      boolean there = ratio.isPresent();
      number(page, there ? Html.time(cell.peers().get(peer).time().avg()) : "-");
      coloured(page, Numbers.of(ratio), !there ? "" : ratio.getAsDouble() <= 1 ? "good" : "bad");
    }
    page.append("</tr>\n");
  }

  private static void number(StringBuilder page, String text) {
    page.append("<td>").append(Html.escape(text)).append("</td>");
  }

  private static void coloured(StringBuilder page, String text, String style) {
    if (style.isEmpty()) {
      number(page, text);
    } else {
      page.append("<td class=\"").append(style).append("\">").append(text).append("</td>");
    }
  }
}
