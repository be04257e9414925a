package dev.jcomms.cli.tune;

import dev.jcomms.cli.bench.report.Numbers;
import dev.jcomms.jccl.Selector.Choice;
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
        "# jccl %s on %s, %d cores: %d ranks, %d a host, %s%s%n",
        here.version(),
        here.sku(),
        here.cores(),
        here.scale(),
        here.ranksPerHost(),
        here.transport(),
        sizes.stream().anyMatch(p -> p.entry().symmetric()) ? ", symmetric tensors" : "");
    out.printf(
        Locale.ROOT,
        "#%n# %-14s %10s  %-20s %10s  %-20s %10s %8s  %s%n",
        "collective",
        "bytes",
        "taken",
        "time(us)",
        "auto: the default",
        "time(us)",
        "speed-up",
        "tried, in us");
    for (Tuner.Progress p : sizes) {
      TuningTable.Entry entry = p.entry();
      out.printf(
          Locale.ROOT,
          "  %-14s %10s  %-20s %10s  %-20s %10s %8s  %s%n",
          p.collective(),
          Numbers.bytes(entry.bytes()),
          entry.choice(),
          Numbers.of(entry.micros()),
          defaults(p),
          Numbers.of(entry.autoMicros()),
          String.format(Locale.ROOT, "%.2f", entry.autoMicros() / entry.micros()),
          p.micros().entrySet().stream()
              .map(way -> way.getKey() + " " + Numbers.of(way.getValue()))
              .collect(Collectors.joining(", ")));
    }
    wrong(sizes).forEach((way, reason) -> out.println("# WRONG: " + way + ": " + reason));
  }

  /** What {@code auto} stands for; more than one where it depends on where the tensors are. */
  static String defaults(Tuner.Progress p) {
    return p.defaults().stream().map(Choice::toString).collect(Collectors.joining(" or "));
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
