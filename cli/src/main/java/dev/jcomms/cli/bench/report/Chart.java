package dev.jcomms.cli.bench.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.DoubleFunction;
import java.util.stream.Stream;

/** Curves over sizes, both axes logarithmic, as inline SVG that the page's style sheet colours. */
final class Chart {
  private static final int WIDTH = 640;
  private static final int HEIGHT = 360;
  private static final int LEFT = 74;
  private static final int RIGHT = 18;
  private static final int TOP = 14;
  private static final int BOTTOM = 46;
  private static final int TICKS = 9;

  private final String title;
  private final DoubleFunction<String> unit;
  private final LogScale x;
  private final LogScale y;
  private final StringBuilder svg = new StringBuilder();

  private Chart(String title, DoubleFunction<String> unit, List<Curve> curves) {
    this.title = title;
    this.unit = unit;
    List<Double> sizes = new ArrayList<>();
    List<Double> values = new ArrayList<>();
    for (Curve curve : curves) {
      curve.points().forEach(point -> sizes.add((double) point.bytes()));
      curve.points().forEach(point -> values.add(point.value()));
    }
    x = LogScale.over(sizes, 2, LEFT, WIDTH - RIGHT);
    y = LogScale.over(values, 10, HEIGHT - BOTTOM, TOP);
  }

  /**
   * The chart as an {@code svg} element.
   *
   * @param band the least and the greatest value of the first curve, size by size; may be empty
   * @param unit how a value is written
   */
  static String draw(
      String title, List<Curve> curves, List<Band> band, DoubleFunction<String> unit) {
    List<Curve> all = new ArrayList<>(curves);
    // So that the axis has room for it; it is drawn as an area, not as a curve.
    all.add(
        new Curve(
            "",
            "",
            false,
            band.stream()
                .flatMap(
                    b ->
                        Stream.of(
                            new Curve.Point(b.bytes(), b.least()),
                            new Curve.Point(b.bytes(), b.most())))
                .toList()));
    Chart chart = new Chart(title, unit, all);
    chart.open();
    chart.axes();
    chart.area(band);
    curves.forEach(chart::curve);
    chart.svg.append("</svg>\n");
    return chart.svg.toString();
  }

  /** A range of values at one size. */
  record Band(long bytes, double least, double most) {}

  private void open() {
    add(
        "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s\">\n",
        WIDTH, HEIGHT, Html.escape(title));
  }

  private void axes() {
    for (double tick : y.ticks(TICKS)) {
      double at = y.place(tick);
      add(
          "<line class=\"grid\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/>",
          LEFT, WIDTH - RIGHT, at, at);
      add(
          "<text class=\"tick\" x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%s</text>\n",
          LEFT - 8, at + 4, unit.apply(tick));
    }
    for (double tick : x.ticks(TICKS)) {
      double at = x.place(tick);
      add(
          "<line class=\"grid\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%d\"/>",
          at, at, TOP, HEIGHT - BOTTOM);
      add(
          "<text class=\"tick\" x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text>\n",
          at, HEIGHT - BOTTOM + 18, Numbers.bytes((long) tick));
    }
    add(
        "<text class=\"axis\" x=\"%d\" y=\"%d\" text-anchor=\"middle\">size</text>\n",
        (LEFT + WIDTH - RIGHT) / 2, HEIGHT - 6);
  }

  private void area(List<Band> band) {
    if (band.size() < 2) return;
    StringBuilder path = new StringBuilder();
    for (Band b : band) path.append(at(path.isEmpty() ? "M" : "L", b.bytes(), b.most()));
    for (Band b : band.reversed()) path.append(at("L", b.bytes(), b.least()));
    add("<path class=\"band\" d=\"%sZ\"/>\n", path);
  }

  private void curve(Curve curve) {
    if (curve.points().isEmpty()) return;
    StringBuilder path = new StringBuilder();
    for (Curve.Point point : curve.points()) {
      path.append(at(path.isEmpty() ? "M" : "L", point.bytes(), point.value()));
    }
    add(
        "<path class=\"line %s%s\" d=\"%s\"/>\n",
        curve.style(), curve.dashed() ? " dashed" : "", path);
    for (Curve.Point point : curve.points()) {
      if (curve.dashed()) continue;
      add(
          "<g class=\"mark %s\" transform=\"translate(%.1f %.1f)\">%s<title>%s, %s: %s</title></g>\n",
          curve.style(),
          x.place(point.bytes()),
          y.place(point.value()),
          Html.marker(curve.style()),
          Html.escape(curve.name()),
          Numbers.bytes(point.bytes()),
          unit.apply(point.value()));
    }
  }

  private String at(String command, long bytes, double value) {
    return String.format(Locale.ROOT, "%s%.1f %.1f", command, x.place(bytes), y.place(value));
  }

  private void add(String format, Object... facts) {
    svg.append(String.format(Locale.ROOT, format, facts));
  }
}
