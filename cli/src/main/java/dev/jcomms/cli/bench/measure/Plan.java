package dev.jcomms.cli.bench.measure;

import dev.jcomms.ReduceOp;
import dev.jcomms.cli.bench.op.Operation;
import dev.jcomms.cli.bench.op.Operations;
import dev.jcomms.tensor.DType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What every rank is to measure. Travels to other processes as JSON. Immutable.
 *
 * @param bytes the sizes as they were asked for; what an operation makes of them is {@link #counts}
 * @param backend empty for the default one
 * @param transport {@code shm}, {@code tcp} or {@code local}; {@code auto} leaves it to the backend
 * @param hints for the backend, but for those that have options of their own
 * @param algorithm empty for the backend's own choice
 * @param threads how many ranks are threads of one JVM; 0 if ranks are processes
 * @param check whether results are compared with what they must be
 * @param limit whether the machine's own limit is measured beside
 */
public record Plan(
    Operation op,
    List<Long> bytes,
    DType dtype,
    ReduceOp redop,
    int root,
    String backend,
    String transport,
    boolean symmetric,
    Map<String, String> hints,
    String algorithm,
    int threads,
    Pace pace,
    boolean check,
    boolean limit) {
  /** A transport that is not asked for. */
  public static final String AUTO = "auto";

  public Plan {
    bytes = List.copyOf(bytes);
    hints = Collections.unmodifiableMap(new TreeMap<>(hints));
  }

  /** The elements of a section for each size, smallest first, each once. */
  public List<Long> counts(int ranks) {
    var counts = new LinkedHashSet<Long>();
    for (long size : bytes) counts.add(op.elements(size, dtype, ranks));
    return List.copyOf(counts);
  }

  /** The size that so many elements a section are, as nccl-tests counts it. */
  public long bytesOf(long count, int ranks) {
    return count * op.sections(ranks) * dtype.bytes();
  }

  /** {@code sum}, or {@code none} where nothing is combined. */
  public String redopName() {
    return op.reduces() ? redop.opName() : "none";
  }

  /** The root, or -1 where there is none. */
  public int shownRoot() {
    return op.isRooted() ? root : -1;
  }

  public Map<String, Object> toMap() {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("op", op.opName());
    map.put("bytes", bytes);
    map.put("dtype", dtype.shortName());
    map.put("redop", redop.opName());
    map.put("root", root);
    map.put("backend", backend);
    map.put("transport", transport);
    map.put("symmetric", symmetric);
    map.put("hints", hints);
    map.put("algorithm", algorithm);
    map.put("threads", threads);
    map.put("warmup", pace.warmup());
    map.put("iterations", pace.iterations());
    map.put("nanos", pace.time().toNanos());
    map.put("check", check);
    map.put("limit", limit);
    return map;
  }

  public static Plan of(Map<?, ?> map) {
    List<Long> sizes = new ArrayList<>();
    for (Object size : (List<?>) map.get("bytes")) sizes.add((Long) size);
    Map<String, String> hints = new TreeMap<>();
    ((Map<?, ?>) map.get("hints")).forEach((name, value) -> hints.put("" + name, "" + value));
    return new Plan(
        Operations.of((String) map.get("op")),
        sizes,
        DType.parse((String) map.get("dtype")),
        ReduceOp.parse((String) map.get("redop")),
        number(map, "root"),
        (String) map.get("backend"),
        (String) map.get("transport"),
        (Boolean) map.get("symmetric"),
        hints,
        (String) map.get("algorithm"),
        number(map, "threads"),
        new Pace(
            number(map, "warmup"),
            number(map, "iterations"),
            Duration.ofNanos((Long) map.get("nanos"))),
        (Boolean) map.get("check"),
        (Boolean) map.get("limit"));
  }

  private static int number(Map<?, ?> map, String key) {
    return Math.toIntExact((Long) map.get(key));
  }
}
