package dev.jcomms.cli.bench;

import dev.jcomms.cli.bench.measure.Measurement;
import dev.jcomms.cli.bench.measure.Message;
import dev.jcomms.cli.bench.measure.Plan;
import dev.jcomms.cli.bench.report.Results;
import dev.jcomms.cli.bench.report.Section;
import dev.jcomms.cli.bench.report.Table;
import java.io.PrintWriter;
import java.util.List;

/** Shows the rows of one round as they come. Any thread may call it. */
final class Live {
  private static final long NONE = -1;

  private final Table table;
  private final Plan plan;
  private final Results results;
  private long pending = NONE;

  Live(PrintWriter out, Plan plan) {
    this.table = new Table(out, plan, List.of());
    this.plan = plan;
    this.results = new Results(plan, 1);
  }

  synchronized void accept(Message message) {
    results.add(Results.OURS, message);
    switch (message) {
      case Message.Started(int ranks, String library, String transport, String limit) ->
          table.head(ranks, library, transport, limit);
      case Message.Measured(Measurement one) -> {
        if (pending != one.bytes()) show();
        pending = one.bytes();
        if (one.form() == plan.op().forms().getLast()) show();
      }
      case Message.Note _ -> {}
    }
  }

  private void show() {
    if (pending != NONE) table.row(results.row(pending), results.started().ranks());
    pending = NONE;
  }

  /** The rest, and what it adds up to. */
  synchronized Section end() {
    show();
    Section section = results.section();
    table.foot(section);
    return section;
  }
}
