package dev.jcomms.cli.bench.report;

import dev.jcomms.cli.bench.op.Form;
import java.util.List;
import java.util.Optional;

/** One size of one operation, in the forms that were measured. */
public record Row(long bytes, long count, List<Cell> cells) {
  public Optional<Cell> cell(Form form) {
    return cells.stream().filter(cell -> cell.form() == form).findFirst();
  }

  /** Gigabytes (of 1e9 bytes) a second that so long a time for this size is. */
  public double bandwidth(double micros) {
    return bytes / 1e3 / micros;
  }
}
