package dev.jcomms.jccl.reliability;

import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * How something that a rank tried has ended: one line between processes.
 *
 * @param label what it tried
 * @param outcome {@code ok}, or the simple name of what was thrown
 * @param missing the ranks that the failure names
 * @param millis how long it took, by the rank's clock
 * @param atNanos when this was heard, by the test's clock; 0 at the sender
 */
record Report(
    int rank,
    String label,
    String outcome,
    Set<Integer> missing,
    long millis,
    String message,
    long atNanos) {
  static final String MARK = "REPORT|";

  String encode() {
    String names = missing.stream().map(String::valueOf).collect(Collectors.joining(","));
    return MARK
        + String.join("|", "" + rank, label, outcome, names, "" + millis)
        + "|"
        + message.replace('\n', ' ');
  }

  static Report decode(String line, long atNanos) {
    String[] parts = line.split("\\|", 7);
    Set<Integer> missing =
        Arrays.stream(parts[4].split(","))
            .filter(text -> !text.isEmpty())
            .map(Integer::valueOf)
            .collect(Collectors.toCollection(TreeSet::new));
    return new Report(
        Integer.parseInt(parts[1]),
        parts[2],
        parts[3],
        missing,
        Long.parseLong(parts[5]),
        parts[6],
        atNanos);
  }

  boolean ok() {
    return outcome.equals("ok");
  }
}
