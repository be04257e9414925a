package dev.jcomms.cli.plan;

import dev.jcomms.cli.CliException;
import dev.jcomms.cli.Text;
import dev.jcomms.jccl.plan.Plan;
import dev.jcomms.jccl.plan.PlanException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** A file that should hold a plan. */
final class PlanFile {
  private PlanFile() {}

  /**
   * The plan.
   *
   * @throws CliException of status 2 if there is none: the file's name and the reason, in one line
   */
  static Plan read(Path file) {
    try {
      return Plan.read(file);
    } catch (NoSuchFileException _) {
      throw unreadable(file, "no such file");
    } catch (IOException e) {
      throw unreadable(file, "cannot be read: " + e.getMessage());
    } catch (PlanException e) {
      throw unreadable(file, e.getMessage());
    }
  }

  /** Writes a plan to a file and tells so, or to where it would be told if there is no file. */
  static void write(Plan plan, Path file, PrintWriter out) throws IOException {
    if (file == null) {
      out.print(plan.toJson());
    } else {
      Files.writeString(file, plan.toJson());
      out.println(file);
    }
    out.flush();
  }

  private static CliException unreadable(Path file, String reason) {
    return CliException.usage(Text.of(file + ": " + reason));
  }
}
