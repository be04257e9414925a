package dev.jcomms.cli.bench.report;

import dev.jcomms.cli.bench.measure.Plan;
import dev.jcomms.cli.bench.op.Form;
import dev.jcomms.cli.info.Machine;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The text that people see, in the manner of nccl-tests: facts and headings after {@code #}, one
 * line a size. Used by one thread at a time.
 */
public final class Table {
  private static final List<String> TITLES =
      List.of("time", "algbw", "busbw", "#wrong", "min", "p50", "p99", "iters", "of limit");
  private static final List<String> UNITS =
      List.of("(us)", "(GB/s)", "(GB/s)", "", "(us)", "(us)", "(us)", "", "(%)");
  private static final int[] WIDTHS = {10, 8, 8, 8, 10, 10, 10, 8, 9};

  /** What stands before the first form: the mark and the columns of {@link #start}. */
  private static final int SIZE_WIDTH = 1 + 11 + 13 + 7 + 9 + 6;

  private final PrintWriter out;
  private final Plan plan;
  private final List<String> peers;

  /**
   * @param peers those that get a column
   */
  public Table(PrintWriter out, Plan plan, List<String> peers) {
    this.out = out;
    this.plan = plan;
    this.peers = peers;
  }

  /** What was measured, and where. */
  public static void facts(PrintWriter out, Machine machine, List<String> more) {
    out.println("# jcomms bench " + machine.version());
    out.println(
        "# machine   %s, %d %s, %s; %s %s"
            .formatted(
                machine.cpu(),
                machine.processors(),
                machine.processors() == 1 ? "processor" : "processors",
                Numbers.bytes(machine.memoryBytes()),
                machine.system(),
                machine.architecture()));
    double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
    if (load >= 0) {
      out.println(String.format(Locale.ROOT, "# load      %.2f before, average of a minute", load));
    }
    out.println("# java      %s (%s)".formatted(machine.java(), machine.vendor()));
    more.forEach(line -> out.println("# " + line));
    out.println(
        "# time      average of one batch of iters; min, p50, p99 of samples; all on the slowest"
            + " rank");
    out.flush();
  }

  /** The operation, its ranks, and the columns' names. */
  public void head(int ranks, String backend, String transport, String limit) {
    String kind = plan.threads() > 0 ? "threads" : "processes";
    out.println("#");
    out.println(
        "# %s: %d %s (%s), backend %s%s%s%s%s"
            .formatted(
                plan.op().opName(),
                ranks,
                ranks == 1 ? "rank" : "ranks",
                kind,
                backend,
                transport.isEmpty() ? "" : ", transport " + transport,
                plan.symmetric() ? ", symmetric tensors" : "",
                plan.algorithm().isEmpty() ? "" : ", algorithm " + plan.algorithm(),
                hints()));
    if (!limit.equals("none")) {
      out.println(
          "# limit: %d %s with nothing but %s"
              .formatted(ranks, kind, limit.equals("socket") ? "plain sockets" : "plain memory"));
    }
    StringBuilder forms = new StringBuilder("#" + " ".repeat(SIZE_WIDTH - 1));
    for (Form form : plan.op().forms()) forms.append(centred(form.toString(), formWidth()));
    out.println(forms.toString().stripTrailing());
    out.println(line("size", "count", "type", "redop", "root", TITLES, peerTitles()));
    out.println(line("(B)", "(elements)", "", "", "", UNITS, peers.stream().map(_ -> "").toList()));
    out.flush();
  }

  private String hints() {
    return plan.hints().entrySet().stream()
        .map(hint -> ", hint " + hint)
        .collect(Collectors.joining());
  }

  public void row(Row row, int ranks) {
    StringBuilder text = new StringBuilder(" ");
    text.append(
        start(
            "" + row.bytes(),
            "" + row.count(),
            plan.dtype().shortName(),
            plan.redopName(),
            "" + plan.shownRoot()));
    for (Form form : plan.op().forms()) {
      Optional<Cell> cell = row.cell(form);
      text.append(cells(cell.map(one -> values(row, one, ranks)).orElse(blanks())));
    }
    out.println(text.toString().stripTrailing());
    out.flush();
  }

  /** What it all adds up to. */
  public void foot(Section section) {
    section.notes().forEach(note -> out.println("# note: " + note));
    if (section.rows().isEmpty()) {
      out.println("# Out of bounds values : nothing was measured");
      out.flush();
      return;
    }
    if (plan.check()) {
      long wrong = section.wrong();
      out.println("# Out of bounds values : %d %s".formatted(wrong, wrong == 0 ? "OK" : "FAILED"));
    } else {
      out.println("# Out of bounds values : not checked");
    }
    out.println(
        String.format(
            Locale.ROOT, "# Avg bus bandwidth    : %.4f GB/s", section.averageBusBandwidth()));
    out.flush();
  }

  private List<String> values(Row row, Cell cell, int ranks) {
    double bandwidth = row.bandwidth(cell.time().avg());
    List<String> values =
        new ArrayList<>(
            List.of(
                Numbers.of(cell.time().avg()),
                Numbers.of(bandwidth),
                Numbers.of(bandwidth * plan.op().busFactor(ranks)),
                cell.wrong().isPresent() ? "" + cell.wrong().getAsLong() : "N/A",
                Numbers.of(cell.time().min()),
                Numbers.of(cell.time().p50()),
                Numbers.of(cell.time().p99()),
                "" + cell.iterations(),
                Numbers.percent(cell.ofLimit())));
    for (String peer : peers) values.add(Numbers.of(cell.ratio(peer)));
    return values;
  }

  private List<String> blanks() {
    List<String> blanks = new ArrayList<>();
    for (int i = 0; i < TITLES.size() + peers.size(); i++) blanks.add("-");
    return blanks;
  }

  private List<String> peerTitles() {
    return peers.stream().map(Table::title).toList();
  }

  private static String title(String peer) {
    return "ours/" + peer;
  }

  private String line(
      String size,
      String count,
      String type,
      String redop,
      String root,
      List<String> columns,
      List<String> more) {
    List<String> all = new ArrayList<>(columns);
    all.addAll(more);
    StringBuilder text = new StringBuilder("#");
    text.append(start(size, count, type, redop, root));
    for (Form _ : plan.op().forms()) text.append(cells(all));
    return text.toString().stripTrailing();
  }

  private static String start(String size, String count, String type, String redop, String root) {
    return "%11s%13s%7s%9s%6s".formatted(size, count, type, redop, root);
  }

  /** The columns of one form. */
  private String cells(List<String> values) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < values.size(); i++) {
      text.append(" ".repeat(Math.max(1, width(i) - values.get(i).length())));
      text.append(values.get(i));
    }
    return text.toString();
  }

  private int width(int column) {
    return column < WIDTHS.length
        ? WIDTHS[column]
        : title(peers.get(column - WIDTHS.length)).length() + 2;
  }

  private int formWidth() {
    int width = 0;
    for (int i = 0; i < TITLES.size() + peers.size(); i++) width += width(i);
    return width;
  }

  private static String centred(String text, int width) {
    int left = (width - text.length()) / 2;
    return " ".repeat(left) + text + " ".repeat(width - text.length() - left);
  }
}
