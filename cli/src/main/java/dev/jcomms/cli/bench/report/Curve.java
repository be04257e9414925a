package dev.jcomms.cli.bench.report;

import java.util.List;

/**
 * One line of a chart.
 *
 * @param style the name of its colour and marker in the style sheet
 * @param dashed whether it is no measurement of a library
 */
record Curve(String name, String style, boolean dashed, List<Point> points) {
  /** A size and its value. */
  record Point(long bytes, double value) {}
}
