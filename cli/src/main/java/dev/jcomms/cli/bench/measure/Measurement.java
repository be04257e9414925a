package dev.jcomms.cli.bench.measure;

import dev.jcomms.cli.bench.op.Form;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * What one form of one size took, on whatever library.
 *
 * @param bytes the size, as nccl-tests counts it
 * @param count elements of one section
 * @param algorithm what it was done by; empty where the library does not say
 * @param iterations in the batch
 * @param group iterations in one sample
 * @param wrong elements over all ranks that were not what they must be; empty if not checked
 * @param limit microseconds that the machine's own limit takes; empty if not measured
 */
public record Measurement(
    long bytes,
    long count,
    Form form,
    String algorithm,
    int iterations,
    int group,
    Timing time,
    OptionalLong wrong,
    OptionalDouble limit) {

  Map<String, Object> toMap() {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("bytes", bytes);
    map.put("count", count);
    map.put("in_place", form.inPlace());
    map.put("algorithm", algorithm);
    map.put("iterations", iterations);
    map.put("group", group);
    map.put("time_us", time.toMap());
    wrong.ifPresent(value -> map.put("wrong", value));
    limit.ifPresent(value -> map.put("limit_us", value));
    return map;
  }

  static Measurement of(Map<?, ?> map) {
    return new Measurement(
        (Long) map.get("bytes"),
        (Long) map.get("count"),
        (Boolean) map.get("in_place") ? Form.IN_PLACE : Form.OUT_OF_PLACE,
        map.get("algorithm") instanceof String algorithm ? algorithm : "",
        Math.toIntExact((Long) map.get("iterations")),
        Math.toIntExact((Long) map.get("group")),
        Timing.of((Map<?, ?>) map.get("time_us")),
        map.get("wrong") instanceof Long wrong ? OptionalLong.of(wrong) : OptionalLong.empty(),
        map.get("limit_us") instanceof Number limit
            ? OptionalDouble.of(limit.doubleValue())
            : OptionalDouble.empty());
  }
}
