package dev.jcomms.cli.check;

import dev.jcomms.Codecs;
import dev.jcomms.cli.ResultFile;
import dev.jcomms.testkit.Result;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/** The results of a check: told as they come, summed up by area at the end. Used by one thread. */
final class Report implements Consumer<Result> {
  private final PrintWriter out;
  private final Plan plan;
  private final String version;
  private final String ranks;
  private final List<Result> results = new ArrayList<>();

  Report(PrintWriter out, Plan plan, String version, String ranks) {
    this.out = out;
    this.plan = plan;
    this.version = version;
    this.ranks = ranks;
    out.println(
        "backend %s%s, ranks are %s, n=%s, tier %s"
            .formatted(
                plan.backend(),
                version.isEmpty() ? "" : " " + version,
                ranks,
                plan.sizes().toString().replaceAll("[\\[\\] ]", ""),
                plan.tier()));
    out.flush();
  }

  @Override
  public void accept(Result result) {
    results.add(result);
    if (plan.verbose() || result.outcome() != Result.Outcome.PASSED) {
      out.println(result);
      out.flush();
    }
  }

  /** Sums up. */
  Report end() {
    if (results.isEmpty()) {
      out.println("no scenario has '" + plan.filter() + "' in its name");
      out.flush();
      return this;
    }
    Map<String, List<Result>> areas = new TreeMap<>();
    for (Result result : results) {
      String name = result.scenario();
      int slash = name.indexOf('/');
      areas
          .computeIfAbsent(slash < 0 ? name : name.substring(0, slash), _ -> new ArrayList<>())
          .add(result);
    }
    areas.forEach((area, some) -> out.println("  %-24s %s".formatted(area, sum(some))));
    out.println("%-26s %s, %s".formatted("all", sum(results), seconds()));
    out.flush();
    return this;
  }

  /** Nothing failed: 0. Something did, or nothing was run: 1. */
  int status() {
    return results.isEmpty() || count(results, Result.Outcome.FAILED) > 0 ? 1 : 0;
  }

  void write(Path file) throws IOException {
    List<Object> list = new ArrayList<>();
    for (Result result : results) {
      Map<String, Object> map = new LinkedHashMap<>();
      map.put("scenario", result.scenario());
      map.put("size", result.size());
      map.put("outcome", result.outcome().toString());
      map.put("message", result.message());
      map.put("seconds", result.time().toNanos() / 1e9);
      list.add(map);
    }
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("backend", plan.backend());
    document.put("version", version);
    document.put("ranks", ranks);
    document.put("tier", plan.tier().toString());
    document.put("status", status());
    for (Result.Outcome outcome : Result.Outcome.values()) {
      document.put(outcome.toString(), count(results, outcome));
    }
    document.put("results", list);
    ResultFile.write(file, Codecs.JSON.encode(document));
  }

  /** The documents of several worlds as one: results in a row, counts added, the worst status. */
  static Map<String, Object> together(List<Map<?, ?>> worlds) {
    Map<String, Object> all = new LinkedHashMap<>();
    for (Map<?, ?> world : worlds) {
      world.forEach(
          (key, value) -> {
            Object before = all.putIfAbsent((String) key, value);
            if (before instanceof List<?> list) {
              List<Object> longer = new ArrayList<>(list);
              longer.addAll((List<?>) value);
              all.put((String) key, longer);
            } else if (before instanceof Long count) {
              all.put((String) key, count + (Long) value);
            }
          });
    }
    all.put("status", status(worlds));
    return all;
  }

  /** The worst of several worlds. */
  static int status(List<Map<?, ?>> worlds) {
    return worlds.stream().anyMatch(world -> !Long.valueOf(0).equals(world.get("status"))) ? 1 : 0;
  }

  private static String sum(List<Result> results) {
    List<String> parts = new ArrayList<>();
    for (Result.Outcome outcome : Result.Outcome.values()) {
      long count = count(results, outcome);
      if (count > 0) parts.add(count + " " + outcome);
    }
    return String.join(", ", parts);
  }

  private static long count(List<Result> results, Result.Outcome outcome) {
    return results.stream().filter(result -> result.outcome() == outcome).count();
  }

  private String seconds() {
    double seconds = results.stream().mapToLong(result -> result.time().toNanos()).sum() / 1e9;
    return String.format(Locale.ROOT, "%.1f s", seconds);
  }
}
