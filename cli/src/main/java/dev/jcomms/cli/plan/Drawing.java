package dev.jcomms.cli.plan;

import dev.jcomms.jccl.plan.Op;
import dev.jcomms.jccl.plan.Place;
import dev.jcomms.jccl.plan.Plan;
import dev.jcomms.jccl.plan.RankPlan;
import dev.jcomms.jccl.plan.Schedule;
import dev.jcomms.jccl.plan.Schedule.Link;
import dev.jcomms.jccl.plan.Schedule.Step;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A schedule as a picture: a row for each block, grouped by rank; time to the right; arrows for
 * what goes from one block to another. Needs nothing else: no network, no script, light and dark.
 */
final class Drawing {
  private static final int LABELS = 92;
  private static final int TOP = 46;
  private static final int GAP = 14;
  private static final int MARGIN = 16;

  /** Beyond so many arrows a picture says less, not more. */
  private static final int MOST_LINKS = 4000;

  private final Plan plan;
  private final Schedule schedule;
  private final StringBuilder svg = new StringBuilder();
  private final int row;
  private final double unit;

  /** The upper edge of each block's row, by rank and block. */
  private final Map<Place, Integer> rows = new HashMap<>();

  private int height = TOP;

  private Drawing(Plan plan, Schedule schedule) {
    this.plan = plan;
    this.schedule = schedule;
    int blocks = plan.ranks().stream().mapToInt(rank -> rank.blocks().size()).sum();
    row = blocks <= 40 ? 26 : blocks <= 120 ? 18 : 12;
    int end = Math.max(1, schedule.end());
    unit = Math.clamp(1400.0 / end, 6, 30);
    for (RankPlan rank : plan.ranks()) {
      for (int block = 0; block < rank.blocks().size(); block++) {
        rows.put(Place.block(rank.rank(), block), height);
        height += row;
      }
      height += rank.blocks().isEmpty() ? row + GAP : GAP;
    }
    height += MARGIN - GAP;
  }

  /** An SVG image. */
  static String image(Plan plan, Schedule schedule) {
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + new Drawing(plan, schedule).draw(true);
  }

  /** An HTML page with the image in it. */
  static String page(Plan plan, Summary summary, Schedule schedule) {
    StringBuilder page = new StringBuilder();
    String title = escape(plan.name());
    page.append("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n")
        .append("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n")
        .append("<title>jcomms plan: ")
        .append(title)
        .append("</title>\n<style>\n")
        .append(resource("plan.css"))
        .append("</style>\n</head>\n<body>\n<main>\n<header>\n<h1>")
        .append(title)
        .append("</h1>\n<p class=\"sub\">")
        .append(escape(plan.collective()))
        .append("</p>\n<dl class=\"facts\">\n");
    summary
        .facts()
        .forEach(
            (name, value) ->
                page.append("<div><dt>")
                    .append(name)
                    .append("</dt><dd>")
                    .append(escape(value))
                    .append("</dd></div>\n"));
    page.append("</dl>\n</header>\n<figure>\n")
        .append(new Drawing(plan, schedule).draw(false))
        .append(
            "</figure>\n<p class=\"note\">Every op of one launch, as early as what it waits for"
                + " allows. Time is in steps, not in seconds. Point at an op to read it.</p>\n"
                + "</main>\n</body>\n</html>\n");
    return page.toString();
  }

  private String draw(boolean alone) {
    double width = LABELS + schedule.end() * unit + 2 * MARGIN + 20;
    width = Math.max(width, 640);
    add(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %d\" width=\"%.0f\" height=\"%d\""
            + " role=\"img\" aria-label=\"schedule of %s\">\n",
        width, height, width, height, escape(plan.name()));
    if (alone) {
      svg.append("<style>\n").append(resource("plan.css")).append("</style>\n");
      add("<rect class=\"paper\" width=\"%.0f\" height=\"%d\"/>\n", width, height);
    }
    markers();
    legend();
    lanes(width);
    for (Step step : schedule.steps()) {
      step(step, "");
    }
    links();
    for (Place place : schedule.stuck()) {
      stuck(place);
    }
    svg.append("</svg>\n");
    return svg.toString();
  }

  private void markers() {
    svg.append("<defs>\n");
    for (Link.Kind kind : Link.Kind.values()) {
      String name = lower(kind.name());
      add(
          "<marker id=\"to-%s\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"6\""
              + " markerHeight=\"6\" orient=\"auto\"><path class=\"head %s\" d=\"M0 0.8L8 4L0 7.2Z\"/></marker>\n",
          name, name);
    }
    svg.append("</defs>\n");
  }

  private void legend() {
    String[][] entries = {
      {"move", "move"},
      {"reduce", "reduce"},
      {"signal", "signal"},
      {"wait", "wait"},
      {"meet", "barrier"}
    };
    double x = LABELS;
    for (String[] entry : entries) {
      add(
          "<rect class=\"op %s\" x=\"%.0f\" y=\"14\" width=\"14\" height=\"12\" rx=\"3\"/>",
          entry[0], x);
      add("<text class=\"key\" x=\"%.0f\" y=\"24\">%s</text>\n", x + 19, entry[1]);
      x += 78;
    }
    for (Link.Kind kind : Link.Kind.values()) {
      String name = lower(kind.name());
      add("<path class=\"link %s\" marker-end=\"url(#to-%s)\" d=\"M%.0f 20h22\"/>", name, name, x);
      add("<text class=\"key\" x=\"%.0f\" y=\"24\">%s</text>\n", x + 28, name);
      x += 92;
    }
  }

  private void lanes(double width) {
    for (RankPlan rank : plan.ranks()) {
      int blocks = rank.blocks().size();
      if (blocks == 0) {
        continue;
      }
      int top = rows.get(Place.block(rank.rank(), 0));
      add(
          "<rect class=\"rank\" x=\"%d\" y=\"%d\" width=\"%.0f\" height=\"%d\" rx=\"6\"/>\n",
          MARGIN / 2, top - 3, width - MARGIN, blocks * row + 6);
      add(
          "<text class=\"name\" x=\"%d\" y=\"%.1f\">rank %d</text>\n",
          MARGIN, top + row / 2.0 + 4, rank.rank());
      for (int block = 0; block < blocks; block++) {
        double middle = top + block * row + row / 2.0;
        add("<path class=\"lane\" d=\"M%d %.1fH%.0f\"/>", LABELS, middle, width - MARGIN);
        add(
            "<text class=\"block\" x=\"%d\" y=\"%.1f\">%d</text>\n",
            LABELS - 10, middle + 3.5, block);
      }
    }
  }

  private void step(Step step, String extra) {
    if (step.op() instanceof Op.Nop) {
      return;
    }
    Place place = step.place();
    double x = x(step.start());
    double w = Math.max(4, (step.end() - step.start()) * unit - 1.5);
    int y = rows.get(Place.block(place.rank(), place.block())) + 3;
    int h = row - 6;
    add(
        "<g><title>%s</title><rect class=\"op %s%s\" x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\" rx=\"3\"/>",
        escape(Words.of(plan, step)), style(step.op()), extra, x, y, w, h);
    String name = step.op().name();
    if (row >= 18 && w > name.length() * 6.2 + 4) {
      add(
          "<text class=\"in\" x=\"%.1f\" y=\"%.1f\">%s</text>",
          x + w / 2, y + h / 2.0 + 3.6, escape(name));
    }
    svg.append("</g>\n");
  }

  /** Only what leaves a block: the rest is plain from the row. */
  private void links() {
    svg.append("<g>\n");
    List<Link> shown =
        schedule.links().stream()
            .filter(link -> block(link.from()) != block(link.to()))
            .limit(MOST_LINKS)
            .toList();
    boolean faint = shown.size() > 300;
    for (Link link : shown) {
      Step from = schedule.steps().get(link.from());
      Step to = schedule.steps().get(link.to());
      double x1 = x(from.end()) - 2;
      double x2 = x(to.start()) + 1;
      double y1 = middle(from.place());
      double y2 = middle(to.place());
      double bend = Math.max(10, Math.abs(x2 - x1) * 0.45);
      String name = lower(link.kind().name());
      add(
          "<path class=\"link %s%s\" marker-end=\"url(#to-%s)\" d=\"M%.1f %.1fC%.1f %.1f %.1f %.1f %.1f %.1f\"/>\n",
          name, faint ? " faint" : "", name, x1, y1, x1 + bend, y1, x2 - bend, y2, x2, y2);
    }
    svg.append("</g>\n");
  }

  private int block(int step) {
    Place place = schedule.steps().get(step).place();
    return rows.get(Place.block(place.rank(), place.block()));
  }

  private void stuck(Place place) {
    int last =
        schedule.steps().stream()
            .filter(
                step ->
                    step.place().rank() == place.rank() && step.place().block() == place.block())
            .mapToInt(Step::end)
            .max()
            .orElse(0);
    add(
        "<g><title>%s waits for ever</title><text class=\"stuck\" x=\"%.1f\" y=\"%.1f\">&#10005; op %d waits"
            + " for ever</text></g>\n",
        place, x(last) + 6, middle(place) + 4, place.op());
  }

  private double x(int time) {
    return LABELS + MARGIN / 2.0 + time * unit;
  }

  private double middle(Place place) {
    return rows.get(Place.block(place.rank(), place.block())) + row / 2.0;
  }

  private static String style(Op op) {
    return switch (op) {
      case Op.Signal _, Op.Release _ -> "signal";
      case Op.Wait _, Op.Acquire _, Op.Flush _ -> "wait";
      case Op.Reduce _, Op.ReducePackets _, Op.SwitchReduce _, Op.SwitchReduceStore _ -> "reduce";
      case Op.Data _ -> "move";
      case Op.Barrier _, Op.Nop _, Op.Pipeline _ -> "meet";
    };
  }

  private static String lower(String name) {
    return name.toLowerCase(Locale.ROOT);
  }

  private void add(String format, Object... values) {
    svg.append(String.format(Locale.ROOT, format, values));
  }

  /** Text as it is to be read; what XML cannot hold is left out. */
  static String escape(String text) {
    StringBuilder out = new StringBuilder(text.length());
    text.codePoints()
        .forEach(
            c -> {
              switch (c) {
                case '&' -> out.append("&amp;");
                case '<' -> out.append("&lt;");
                case '>' -> out.append("&gt;");
                case '"' -> out.append("&quot;");
                default -> {
                  boolean held =
                      c >= 0x20 && (c < 0xd800 || c > 0xdfff) && c != 0xfffe && c != 0xffff;
                  out.append(held ? Character.toString(c) : "");
                }
              }
            });
    return out.toString();
  }

  private static String resource(String name) {
    try (InputStream in = Drawing.class.getResourceAsStream(name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
