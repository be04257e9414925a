package dev.jcomms.cli.info;

import dev.jcomms.Codecs;
import dev.jcomms.Setting;
import dev.jcomms.spi.BackendProvider;
import dev.jcomms.spi.Backends;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code jcomms info}: what this machine, this build and this environment have. */
@Command(
    name = "info",
    description = "Show the machine, the backends and every setting.",
    mixinStandardHelpOptions = true)
public final class InfoCommand implements Callable<Integer> {
  @Option(names = "--json", description = "As one line of JSON.")
  private boolean json;

  @Option(
      names = "--algorithms",
      description = "Show the algorithms of jccl instead, and what it takes for what.")
  private boolean algorithms;

  @Spec private CommandSpec spec;

  /** For picocli. */
  public InfoCommand() {}

  @Override
  public Integer call() {
    if (algorithms) {
      AlgorithmReport.print(spec.commandLine().getOut(), json);
      return 0;
    }
    Machine machine = Machine.current();
    List<BackendReport> backends = backends(System.getenv());
    List<SettingReport> settings = settings(System.getenv());
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      out.println(json(machine, backends, settings));
    } else {
      InfoText.print(out, machine, backends, settings);
    }
    out.flush();
    return 0;
  }

  static List<BackendReport> backends(Map<String, String> environment) {
    List<BackendReport> reports = new ArrayList<>();
    for (Map.Entry<String, BackendProvider> entry : Backends.all().entrySet()) {
      reports.add(BackendReport.of(entry.getKey(), entry.getValue(), environment));
    }
    return reports;
  }

  static List<SettingReport> settings(Map<String, String> environment) {
    List<SettingReport> reports = new ArrayList<>();
    for (Setting setting : Setting.values()) {
      reports.add(SettingReport.of(setting, environment));
    }
    return reports;
  }

  static String json(Machine machine, List<BackendReport> backends, List<SettingReport> settings) {
    Map<String, Object> document = new LinkedHashMap<>(machine.toMap());
    List<Object> backendMaps = new ArrayList<>();
    for (BackendReport backend : backends) backendMaps.add(backend.toMap());
    List<Object> settingMaps = new ArrayList<>();
    for (SettingReport setting : settings) settingMaps.add(setting.toMap());
    document.put("backends", backendMaps);
    document.put("settings", settingMaps);
    return new String(Codecs.JSON.encode(document), StandardCharsets.UTF_8);
  }
}
