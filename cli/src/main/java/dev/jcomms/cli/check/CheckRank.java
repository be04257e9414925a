package dev.jcomms.cli.check;

import dev.jcomms.cli.CliException;
import dev.jcomms.cli.PlainNumbers;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;

/** One process of {@code jcomms check}: all do the same, rank 0 leaves the results. */
final class CheckRank {
  private CheckRank() {}

  public static void main(String[] args) throws Exception {
    PlainNumbers.everywhere();
    Path results = Path.of(args[0]);
    boolean processes = Boolean.parseBoolean(args[1]);
    Plan plan = Plan.of(List.of(args).subList(2, args.length));
    PrintWriter out = new PrintWriter(System.out, true);
    try {
      Report report = processes ? plan.runAsRank(out, System.getenv()) : plan.runHere(out);
      if (System.getenv().getOrDefault("RANK", "0").equals("0")) report.write(results);
    } catch (CliException e) {
      System.err.println("jcomms: " + e.getMessage());
      System.exit(e.status());
    }
  }
}
