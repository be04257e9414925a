package dev.jcomms.cli.plan;

import dev.jcomms.cli.CliException;
import dev.jcomms.cli.Text;
import dev.jcomms.jccl.plan.Plan;
import dev.jcomms.jccl.plan.Schedule;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code jcomms plan show}. */
@Command(
    name = "show",
    description = "Say what a plan is for and what its blocks do; draw its schedule.",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "The drawing has a row for each block, and every op as early as what it waits",
      "for allows; arrows are data, packets and signals.",
      "Exit status: 0 shown, 1 it cannot be drawn, 2 no plan or wrong usage.",
    })
final class PlanShowCommand implements Callable<Integer> {
  @Parameters(paramLabel = "FILE", description = "A plan.")
  private Path file;

  @Option(names = "--svg", paramLabel = "FILE", description = "Draw the schedule as an SVG image.")
  private Path svg;

  @Option(
      names = "--html",
      paramLabel = "FILE",
      description = "Write one page with the summary and the drawing.")
  private Path html;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    Plan plan = PlanFile.read(file);
    PrintWriter out = spec.commandLine().getOut();
    Summary summary = new Summary(plan);
    // A name may hold anything, also what a terminal would obey.
    summary.lines().forEach(line -> out.println(Text.of(line)));
    if (svg != null || html != null) {
      Schedule schedule = schedule(plan);
      if (svg != null) {
        Files.writeString(svg, Drawing.image(plan, schedule));
        out.println("drawing: " + svg);
      }
      if (html != null) {
        Files.writeString(html, Drawing.page(plan, summary, schedule));
        out.println("page: " + html);
      }
    }
    out.flush();
    return 0;
  }

  private Schedule schedule(Plan plan) {
    try {
      return plan.schedule();
    } catch (IllegalArgumentException e) {
      throw CliException.failure(Text.of(file + ": " + e.getMessage()));
    }
  }
}
