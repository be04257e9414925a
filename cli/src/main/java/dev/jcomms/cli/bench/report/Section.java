package dev.jcomms.cli.bench.report;

import dev.jcomms.cli.bench.measure.Plan;
import dev.jcomms.cli.bench.op.Form;
import java.util.List;

/**
 * One operation's results.
 *
 * @param backend its name and version
 * @param transport how its ranks reached each other; empty if it does not say
 * @param limit what the machine's limit is made of
 * @param peers those that took part, in order
 * @param notes what was left out, and why
 */
public record Section(
    Plan plan,
    int ranks,
    String backend,
    String transport,
    String limit,
    int rounds,
    List<String> peers,
    List<Row> rows,
    List<String> notes) {

  /** Elements that were not what they must be, over all rows. */
  public long wrong() {
    return rows.stream()
        .flatMap(row -> row.cells().stream())
        .mapToLong(cell -> cell.wrong().orElse(0))
        .sum();
  }

  /** Something was measured, and nothing was wrong. */
  public boolean isGood() {
    return !rows.isEmpty() && wrong() == 0;
  }

  /** Over all rows and forms, as nccl-tests has it. */
  public double averageBusBandwidth() {
    return rows.stream()
        .flatMap(row -> row.cells().stream().map(cell -> row.bandwidth(cell.time().avg())))
        .mapToDouble(bandwidth -> bandwidth * plan.op().busFactor(ranks))
        .average()
        .orElse(0);
  }

  /** The forms that at least one size was measured in. */
  public List<Form> forms() {
    return plan.op().forms().stream()
        .filter(form -> rows.stream().anyMatch(row -> row.cell(form).isPresent()))
        .toList();
  }
}
