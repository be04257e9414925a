package dev.jcomms.cli.trace;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Who was where: the last completed operation of every rank, the collective at which the ranks
 * part, and the collectives they do not agree on.
 *
 * <p>Collectives are matched by their order, since sends and receives give ranks different numbers.
 * Where a ring has overwritten its beginning, they are compared from the first number on of which
 * all ranks still have all operations (a graph's replay has many of one number); with sends and
 * receives among what was lost the orders cannot be matched, and that is said.
 */
final class Diagnosis {
  /** Operations whose ranks may move different amounts. */
  private static final Set<String> UNEVEN =
      Set.of(
          "all_gather_v",
          "all_to_all",
          "all_to_all_v_single",
          "scatter",
          "gather",
          "gather_single");

  private static final int DISAGREEMENTS_SHOWN = 5;

  private final Group group;
  private final TreeMap<Integer, List<Dump.Entry>> collectives = new TreeMap<>();
  private final boolean comparable;

  Diagnosis(Group group) {
    this.group = group;
    long lost = -1;
    boolean betweenTwo = false;
    for (Dump dump : group.dumps().values()) {
      if (!dump.entries().isEmpty() && dump.entries().getFirst().number() > 0) {
        lost = Math.max(lost, dump.entries().getFirst().number());
      }
      betweenTwo |= dump.entries().stream().anyMatch(entry -> !entry.collective());
    }
    comparable = lost < 0 || !betweenTwo;
    for (Map.Entry<Integer, Dump> rank : group.dumps().entrySet()) {
      List<Dump.Entry> seen = new ArrayList<>();
      for (Dump.Entry entry : rank.getValue().entries()) {
        if (entry.collective() && entry.number() > lost) seen.add(entry);
      }
      collectives.put(rank.getKey(), seen);
    }
  }

  List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add("comm '%s' (%s, size %d)".formatted(group.comm(), group.backend(), group.size()));
    group.dumps().forEach((rank, dump) -> lines.add("  rank " + rank + ": " + position(dump)));
    if (!group.missing().isEmpty()) {
      lines.add("  no record of " + ranks(group.missing()));
    }
    if (!comparable) {
      lines.add("  the records begin after sends and receives were lost: ranks cannot be compared");
      return lines;
    }
    lines.addAll(disagreements());
    lines.addAll(parting());
    return lines;
  }

  private static String position(Dump dump) {
    Dump.Entry last = null;
    Dump.Entry next = null;
    for (Dump.Entry entry : dump.entries()) {
      if (entry.completed()) {
        last = entry;
      } else if (next == null) {
        next = entry;
      }
    }
    StringBuilder text = new StringBuilder();
    text.append(last == null ? "completed nothing" : "completed " + last.name());
    if (next != null) {
      text.append("; ").append(next.name()).append(' ').append(next.state());
      long from = next.startedNs() >= 0 ? next.startedNs() : next.createdNs();
      long to = next.endedNs() >= 0 ? next.endedNs() : dump.dumpedNs();
      text.append(next.endedNs() >= 0 ? " after " : " for ").append(seconds(to - from));
      if (!next.failure().isEmpty()) text.append(": ").append(reason(next.failure()));
    }
    return text.toString();
  }

  /** A failure without what its line says already: operation, communicator and rank. */
  private static String reason(String failure) {
    int message = failure.indexOf(": ");
    int detail = failure.indexOf("): ", Math.max(0, message));
    String type = message < 0 ? failure : failure.substring(0, message);
    type = type.substring(type.lastIndexOf('.') + 1);
    if (message < 0) return type;
    return type + ": " + failure.substring(detail < 0 ? message + 2 : detail + 3);
  }

  /** The collectives that ranks called differently: each with who called what. */
  private List<String> disagreements() {
    List<String> lines = new ArrayList<>();
    int found = 0;
    for (int i = 0; i < longest(); i++) {
      Map<String, List<Integer>> callers = new LinkedHashMap<>();
      String number = "";
      for (int rank : collectives.keySet()) {
        Dump.Entry entry = at(rank, i);
        if (entry == null) continue;
        if (number.isEmpty()) number = "#" + entry.number();
        callers.computeIfAbsent(what(entry), _ -> new ArrayList<>()).add(rank);
      }
      if (callers.size() > 1 && ++found <= DISAGREEMENTS_SHOWN) {
        List<String> parts = new ArrayList<>();
        callers.forEach((what, ranks) -> parts.add(ranks(ranks) + " called " + what));
        lines.add("  ranks disagree on " + number + ": " + String.join("; ", parts));
      }
    }
    if (found > DISAGREEMENTS_SHOWN) {
      lines.add("  ... and on " + (found - DISAGREEMENTS_SHOWN) + " more");
    }
    return lines;
  }

  private static String what(Dump.Entry entry) {
    String size = UNEVEN.contains(entry.op()) ? "" : entry.bytes() + " bytes";
    String of = entry.dtype().isEmpty() ? "" : " of " + size + " " + entry.dtype();
    return entry.op() + of.replace("  ", " ");
  }

  /** The first collective that not all ranks completed, and who is to be asked about it. */
  private List<String> parting() {
    for (int i = 0; i < longest(); i++) {
      List<Integer> completed = new ArrayList<>();
      List<Integer> inside = new ArrayList<>();
      List<Integer> absent = new ArrayList<>();
      String name = "";
      for (int rank : collectives.keySet()) {
        Dump.Entry entry = at(rank, i);
        if (entry == null) {
          absent.add(rank);
        } else {
          if (name.isEmpty()) name = entry.name();
          (entry.completed() ? completed : inside).add(rank);
        }
      }
      if (inside.isEmpty() && absent.isEmpty()) continue;
      List<String> parts = new ArrayList<>();
      if (!completed.isEmpty()) parts.add(ranks(completed) + " completed it");
      if (!inside.isEmpty()) parts.add(ranks(inside) + " came but did not complete it");
      if (!absent.isEmpty()) parts.add(ranks(absent) + " did not call it");
      List<String> lines = new ArrayList<>();
      lines.add("  ranks part at " + name + ": " + String.join(", ", parts));
      List<Integer> behind = new ArrayList<>(absent);
      if (absent.isEmpty()) behind.addAll(completed.isEmpty() ? group.missing() : inside);
      if (!behind.isEmpty()) {
        lines.add("  fell behind: " + ranks(behind));
      } else {
        lines.add(lastToCome(i));
      }
      return lines;
    }
    return List.of("  all these ranks completed the same collectives");
  }

  /** All came: the clock tells who kept the others waiting. */
  private String lastToCome(int index) {
    int last = -1;
    long latest = Long.MIN_VALUE;
    long earliest = Long.MAX_VALUE;
    for (int rank : collectives.keySet()) {
      long came = at(rank, index).createdNs();
      earliest = Math.min(earliest, came);
      if (came > latest) {
        latest = came;
        last = rank;
      }
    }
    return "  last to come: rank %d, %s after the first, by the clocks of their hosts"
        .formatted(last, seconds(latest - earliest));
  }

  private static String seconds(long nanos) {
    return String.format(Locale.ROOT, "%.3f s", Math.max(0, nanos) / 1e9);
  }

  private int longest() {
    return collectives.values().stream().mapToInt(List::size).max().orElse(0);
  }

  private Dump.Entry at(int rank, int index) {
    List<Dump.Entry> list = collectives.get(rank);
    return index < list.size() ? list.get(index) : null;
  }

  /** {@code rank 3}, {@code ranks 0-2, 5}. */
  static String ranks(List<Integer> ranks) {
    StringBuilder text = new StringBuilder(ranks.size() == 1 ? "rank " : "ranks ");
    for (int i = 0; i < ranks.size(); ) {
      int end = i;
      while (end + 1 < ranks.size() && ranks.get(end + 1) == ranks.get(end) + 1) end++;
      if (i > 0) text.append(", ");
      text.append(ranks.get(i));
      if (end > i) text.append(end == i + 1 ? ", " : "-").append(ranks.get(end));
      i = end + 1;
    }
    return text.toString();
  }
}
