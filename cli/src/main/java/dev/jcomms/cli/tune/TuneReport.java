package dev.jcomms.cli.tune;

import dev.jcomms.cli.bench.report.Numbers;
import dev.jcomms.jccl.Tuner;
import dev.jcomms.jccl.TuningTable;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The results for people. */
final class TuneReport {
  private TuneReport() {}

  static void print(PrintWriter out, TuningTable.Hardware here, List<Tuner.Progress> sizes) {
    out.printf(
        "# jccl %s on %s, %d cores: %d ranks, %d a host, %s%n",
        here.version(),
        here.sku(),
        here.cores(),
        here.scale(),
        here.ranksPerHost(),
        here.transport());
    out.printf(
        Locale.ROOT,
        "#%n# %-14s %10s  %-20s %10s %10s %8s  %s%n",
        "collective",
        "bytes",
        "taken",
        "time(us)",
        "auto(us)",
        "speed-up",
        "tried, in us");
    for (Tuner.Progress p : sizes) {
      TuningTable.Entry entry = p.entry();
      out.printf(
          Locale.ROOT,
          "  %-14s %10s  %-20s %10s %10s %8s  %s%n",
          p.collective(),
          Numbers.bytes(entry.bytes()),
          entry.choice(),
          Numbers.of(entry.micros()),
          Numbers.of(entry.autoMicros()),
          String.format(Locale.ROOT, "%.2f", entry.autoMicros() / entry.micros()),
          p.micros().entrySet().stream()
              .map(way -> way.getKey() + " " + Numbers.of(way.getValue()))
              .collect(Collectors.joining(", ")));
    }
    wrong(sizes).forEach((way, reason) -> out.println("# WRONG: " + way + ": " + reason));
  }

  /** Algorithms that gave wrong results. */
  static Map<String, String> wrong(List<Tuner.Progress> sizes) {
    Map<String, String> wrong = new TreeMap<>();
    for (Tuner.Progress p : sizes) {
      p.skipped()
          .forEach(
              (way, reason) -> {
                if (reason.startsWith("wrong results")) {
                  wrong.put(p.collective() + " " + way, reason);
                }
              });
    }
    return wrong;
  }
}
