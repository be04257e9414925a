package dev.jcomms.cli.tune;

import dev.jcomms.Codecs;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What every rank is to tune. Travels to other processes as JSON. Immutable.
 *
 * @param bytes the sizes
 * @param transport {@code auto}, {@code shm}, {@code tcp} or {@code local}
 * @param threads how many ranks are threads of one JVM; 0 if ranks are processes
 * @param turnNanos how long each way is measured at a time
 * @param plans files of plans to try beside
 * @param sources files of algorithms to compile and try beside
 */
record TunePlan(
    List<String> collectives,
    List<Long> bytes,
    String dtype,
    String redop,
    String transport,
    boolean symmetric,
    int threads,
    long turnNanos,
    int rounds,
    List<String> plans,
    List<String> sources) {

  String text() {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("collectives", collectives);
    map.put("bytes", bytes);
    map.put("dtype", dtype);
    map.put("redop", redop);
    map.put("transport", transport);
    map.put("symmetric", symmetric);
    map.put("threads", threads);
    map.put("turn", turnNanos);
    map.put("rounds", rounds);
    map.put("plans", plans);
    map.put("sources", sources);
    return new String(Codecs.JSON.encode(map), StandardCharsets.UTF_8);
  }

  static TunePlan of(String text) {
    Map<?, ?> map = (Map<?, ?>) Codecs.JSON.decode(text.getBytes(StandardCharsets.UTF_8));
    return new TunePlan(
        texts(map, "collectives"),
        ((List<?>) map.get("bytes")).stream().map(size -> (Long) size).toList(),
        (String) map.get("dtype"),
        (String) map.get("redop"),
        (String) map.get("transport"),
        (Boolean) map.get("symmetric"),
        Math.toIntExact((Long) map.get("threads")),
        (Long) map.get("turn"),
        Math.toIntExact((Long) map.get("rounds")),
        texts(map, "plans"),
        texts(map, "sources"));
  }

  private static List<String> texts(Map<?, ?> map, String key) {
    return ((List<?>) map.get(key)).stream().map(text -> (String) text).toList();
  }
}
