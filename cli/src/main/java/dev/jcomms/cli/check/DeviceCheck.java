package dev.jcomms.cli.check;

import dev.jcomms.cli.CliException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;

/** The process of {@code jcomms check --device} that has more modules than the command itself. */
final class DeviceCheck {
  private DeviceCheck() {}

  public static void main(String[] args) throws Exception {
    DevicePlan plan = DevicePlan.of(List.of(args).subList(1, args.length));
    try {
      plan.run(new PrintWriter(System.out, true)).write(Path.of(args[0]));
    } catch (CliException e) {
      System.err.println("jcomms: " + e.getMessage());
      System.exit(e.status());
    }
  }
}
