package dev.jcomms.cli.check;

import dev.jcomms.cli.CliException;
import dev.jcomms.cli.PlainNumbers;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;

/** One process of {@code jcomms check}: all do the same, rank 0 leaves the results. */
final class CheckRank {
  private CheckRank() {}

  /** Exits, whatever ends it: threads that a backend has left behind would keep the process. */
  public static void main(String[] args) {
    int status = 1;
    try {
      run(args);
      status = 0;
    } catch (CliException e) {
      System.err.println("jcomms: " + e.getMessage());
      status = e.status();
    } catch (Exception | Error e) {
      e.printStackTrace();
    }
    System.exit(status);
  }

  private static void run(String[] args) throws IOException {
    PlainNumbers.everywhere();
    Path results = Path.of(args[0]);
    boolean processes = Boolean.parseBoolean(args[1]);
    Plan plan = Plan.of(List.of(args).subList(2, args.length));
    PrintWriter out = new PrintWriter(System.out, true);
    Report report = processes ? plan.runAsRank(out, System.getenv()) : plan.runHere(out);
    if (System.getenv().getOrDefault("RANK", "0").equals("0")) report.write(results);
  }
}
