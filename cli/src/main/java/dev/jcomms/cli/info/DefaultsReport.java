package dev.jcomms.cli.info;

import dev.jcomms.Codecs;
import dev.jcomms.cli.bench.report.Numbers;
import dev.jcomms.jccl.Selector.Transport;
import dev.jcomms.jccl.TuningRule;
import dev.jcomms.jccl.TuningRule.Memory;
import dev.jcomms.jccl.TuningTable;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** What jccl takes by itself: the table that it is shipped with. */
final class DefaultsReport {
  private DefaultsReport() {}

  static void print(PrintWriter out) {
    out.println("Taken unless a hint, a selector or a tuning table says otherwise:");
    for (TuningRule rule : TuningTable.defaults().rules()) {
      out.println();
      out.println(
          String.join(", ", rule.collectives())
              + " ("
              + rule.transports().stream()
                  .map(Transport::toString)
                  .collect(Collectors.joining(", "))
              + ")");
      String rest = rule.rows().size() == 1 ? "always" : "otherwise";
      for (TuningRule.Row row : rule.rows()) {
        out.printf("  %-19s %s%n", row.choice(), row.isUnlimited() ? rest : limits(row));
      }
    }
  }

  static String limits(TuningRule.Row row) {
    List<String> limits = new ArrayList<>();
    if (row.memory() != Memory.ANY) {
      limits.add("tensors " + row.memory());
    }
    if (!row.arch().isEmpty()) limits.add("on " + row.arch());
    if (!row.isForAllSizes()) {
      String what =
          switch (row.measure()) {
            case BUFFER -> "";
            case SECTION -> " a section";
            case WORLD -> " of all ranks together";
          };
      limits.add(range(row.minBytes(), row.maxBytes(), 0, Long.MAX_VALUE, true) + what);
    }
    if (!row.isForAllRanks()) {
      limits.add(range(row.minRanks(), row.maxRanks(), 1, Integer.MAX_VALUE, false) + " ranks");
    }
    return String.join(", ", limits);
  }

  private static String range(long from, long to, long least, long most, boolean bytes) {
    String first = bytes ? Numbers.bytes(from) : Long.toString(from);
    String last = bytes ? Numbers.bytes(to) : Long.toString(to);
    if (from == least) return "up to " + last;
    return to == most ? "from " + first : first + " to " + last;
  }

  /** The rules as the table's file has them. */
  static Object json() {
    byte[] text = TuningTable.defaults().toJson().getBytes(StandardCharsets.UTF_8);
    return ((Map<?, ?>) Codecs.JSON.decode(text)).get("rules");
  }
}
