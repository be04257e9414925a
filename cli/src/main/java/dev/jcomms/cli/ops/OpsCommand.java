package dev.jcomms.cli.ops;

import dev.jcomms.Codecs;
import dev.jcomms.cli.CliException;
import dev.jcomms.cli.MoreModules;
import dev.jcomms.tensor.Device;
import dev.jcomms.tensor.dispatch.Declarations;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code jcomms ops}: every operator, and what a device must still write. */
@Command(
    name = "ops",
    description = "Show every operator, and what a device must still write.",
    mixinStandardHelpOptions = true)
public final class OpsCommand implements Callable<Integer> {
  @Option(
      names = "--device",
      paramLabel = "DEVICE",
      description = "Show what this device lacks instead: cpu, cuda, privateuse1, or a name given.")
  private String device;

  @Option(names = "--json", description = "As one line of JSON.")
  private boolean json;

  @Option(
      names = {"-p", "--module-path"},
      paramLabel = "PATH",
      description = "Where modules with more operators and devices are.")
  private String modulePath;

  @Spec private CommandSpec spec;

  /** For picocli. */
  public OpsCommand() {}

  @Override
  public Integer call() {
    if (modulePath != null) return MoreModules.become(modulePath, words());
    PrintWriter out = spec.commandLine().getOut();
    if (device == null) {
      OperatorReport report = new OperatorReport(Declarations.list());
      if (json) out.println(json(report.toMap()));
      else report.print(out);
    } else {
      DeviceReport report = DeviceReport.of(parse(device));
      if (json) out.println(json(report.toMap()));
      else report.print(out);
    }
    out.flush();
    return 0;
  }

  /** The command without its module path. */
  private List<String> words() {
    List<String> words = new ArrayList<>(List.of("ops"));
    if (device != null) words.addAll(List.of("--device", device));
    if (json) words.add("--json");
    return words;
  }

  private static Device parse(String name) {
    try {
      return Device.parse(name);
    } catch (IllegalArgumentException e) {
      throw CliException.usage("--device: " + e.getMessage());
    }
  }

  private static String json(Map<String, Object> document) {
    return new String(Codecs.JSON.encode(document), StandardCharsets.UTF_8);
  }
}
