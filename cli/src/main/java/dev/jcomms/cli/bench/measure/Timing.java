package dev.jcomms.cli.bench.measure;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * How long one iteration takes, in microseconds.
 *
 * @param avg of a batch; on the rank where it was longest, as are the others
 * @param min of the samples
 * @param p50 half of the samples are not longer
 * @param p99 99 of 100 samples are not longer
 */
public record Timing(double avg, double min, double p50, double p99) {

  /** Of a batch's average and samples that each took so many nanoseconds for {@code group}. */
  static Timing of(double avg, long[] nanos, int count, int group) {
    long[] sorted = Arrays.copyOf(nanos, count);
    Arrays.sort(sorted);
    double unit = 1e3 * group;
    return new Timing(
        avg, sorted[0] / unit, percentile(sorted, 50) / unit, percentile(sorted, 99) / unit);
  }

  /** The smallest value that so many percent are not above (the nearest rank). */
  static long percentile(long[] sorted, int percent) {
    int rank = (int) Math.ceilDiv((long) sorted.length * percent, 100L);
    return sorted[Math.max(0, rank - 1)];
  }

  /** Each part the median of those of several. */
  public static Timing median(Iterable<Timing> timings) {
    return new Timing(
        median(timings, Timing::avg),
        median(timings, Timing::min),
        median(timings, Timing::p50),
        median(timings, Timing::p99));
  }

  /** The middle one, or the mean of the two in the middle. */
  public static <T> double median(Iterable<T> items, ToDoubleFunction<T> part) {
    double[] values = new double[16];
    int count = 0;
    for (T item : items) {
      if (count == values.length) values = Arrays.copyOf(values, 2 * count);
      values[count++] = part.applyAsDouble(item);
    }
    Arrays.sort(values, 0, count);
    return (values[(count - 1) / 2] + values[count / 2]) / 2;
  }

  public Map<String, Object> toMap() {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("avg", avg);
    map.put("min", min);
    map.put("p50", p50);
    map.put("p99", p99);
    return map;
  }

  static Timing of(Map<?, ?> map) {
    return new Timing(
        number(map.get("avg")),
        number(map.get("min")),
        number(map.get("p50")),
        number(map.get("p99")));
  }

  static double number(Object value) {
    return ((Number) value).doubleValue();
  }
}
