package dev.jcomms.cli.bench.report;

import java.util.ArrayList;
import java.util.List;

/** Numbers to places on a logarithmic axis, and where its ticks are. */
record LogScale(double least, double most, double base, double from, double to) {

  /** An axis over these values, from one power of the base to another. */
  static LogScale over(List<Double> values, double base, double from, double to) {
    double least = Double.POSITIVE_INFINITY;
    double most = 0;
    for (double value : values) {
      if (value <= 0) continue;
      least = Math.min(least, value);
      most = Math.max(most, value);
    }
    if (most == 0) return new LogScale(1, base, base, from, to);
    double low = Math.pow(base, Math.floor(log(least, base) + 1e-9));
    double high = Math.pow(base, Math.ceil(log(most, base) - 1e-9));
    return new LogScale(low, Math.max(high, low * base), base, from, to);
  }

  double place(double value) {
    double part = log(value / least, base) / log(most / least, base);
    return from + part * (to - from);
  }

  /** At most so many powers of the base, evenly spaced. */
  List<Double> ticks(int count) {
    int powers = (int) Math.round(log(most / least, base));
    int step = Math.max(1, Math.ceilDiv(powers, count - 1));
    List<Double> ticks = new ArrayList<>();
    for (int p = 0; p <= powers; p += step) ticks.add(least * Math.pow(base, p));
    return ticks;
  }

  private static double log(double value, double base) {
    return Math.log(value) / Math.log(base);
  }
}
