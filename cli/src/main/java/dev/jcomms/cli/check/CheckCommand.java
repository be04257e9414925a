package dev.jcomms.cli.check;

import dev.jcomms.Codecs;
import dev.jcomms.cli.CliException;
import dev.jcomms.cli.MoreModules;
import dev.jcomms.cli.ResultFile;
import dev.jcomms.testkit.Tier;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code jcomms check}: puts a backend, or a device, through the conformance kit. */
@Command(
    name = "check",
    description = "Check that a backend or a device does what every one must.",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    footer = {
      "",
      "Exit status: 0 nothing failed, 1 something did or nothing ran, 2 wrong usage.",
      "",
      "  jcomms check --backend reference -n 4",
      "  jcomms check --backend jccl -n 2,3,8 --processes --hint transport=tcp",
      "  jcomms check --backend zero -p target/lib --filter 'all_reduce/*'",
      "  jcomms check --device tiny -p target/lib --filter add --block '*f16*'",
    })
public final class CheckCommand implements Callable<Integer> {
  /** What is checked: one of them. */
  private static final class Subject {
    @Option(
        names = {"-b", "--backend"},
        required = true,
        paramLabel = "NAME",
        description = "The backend, or one a device type: cpu:jccl,cuda:nccl.")
    private String backend;

    @Option(
        names = {"-d", "--device"},
        required = true,
        paramLabel = "NAME",
        description = "The device, every operator on it held against the cpu.")
    private String device;
  }

  @ArgGroup(multiplicity = "1")
  private Subject subject;

  @Option(
      names = "-n",
      paramLabel = "N",
      split = ",",
      description = "Ranks; several numbers for several worlds (default: 4).")
  private List<Integer> sizes = new ArrayList<>(List.of(4));

  @Option(names = "--processes", description = "Ranks are processes instead of threads.")
  private boolean processes;

  @Option(
      names = "--tier",
      paramLabel = "TIER",
      description = "quick, or full: all sizes with every dtype (default: quick).")
  private String tier = "quick";

  @Option(
      names = "--filter",
      paramLabel = "PATTERN",
      description = "Only scenarios or operators of this name, * for anything, or a part of it.")
  private String filter = "";

  @Option(
      names = "--hint",
      paramLabel = "NAME=VALUE",
      description = "A hint for every communicator, as transport=tcp.")
  private Map<String, String> hints = new TreeMap<>();

  @Option(
      names = "--block",
      paramLabel = "PATTERN",
      description = "Leave out cases of a device: sort*, *f16*, 'mm(*turned*'; repeatable.")
  private List<String> blocked = new ArrayList<>();

  @Option(names = "--json", paramLabel = "FILE", description = "Write the results there, too.")
  private Path json;

  @Option(
      names = {"-p", "--module-path"},
      paramLabel = "PATH",
      description = "Where the backend's or device's module is, if not among JComms' own.")
  private String modulePath;

  @Option(
      names = {"-v", "--verbose"},
      description = "Show what passed, too.")
  private boolean verbose;

  @Spec private CommandSpec spec;

  /** For picocli. */
  public CheckCommand() {}

  @Override
  public Integer call() throws IOException {
    if (json != null) ResultFile.check(json);
    if (subject.device != null) return checkDevice();
    refuse("--backend", "--block");
    for (int size : sizes) {
      if (size < 1) throw CliException.usage("-n " + size + " is below 1");
    }
    Plan plan = new Plan(subject.backend, sizes, parsedTier(), filter, verbose, hints);
    if (!processes && modulePath == null) {
      PrintWriter out = spec.commandLine().getOut();
      Report report = plan.runHere(out);
      if (json != null) report.write(json);
      return report.status();
    }
    // Better said here, once, than by every rank; a module of the user's is not here.
    if (modulePath == null) plan.requirePossible();
    Path results = Files.createTempFile("jcomms-check-", ".json");
    try {
      List<Map<?, ?>> worlds = new ArrayList<>();
      for (int size : processes ? sizes : List.of(1)) {
        int status = elsewhere(processes ? plan.ofSize(size) : plan, size, results);
        if (status != 0) return status;
        worlds.add(read(results));
      }
      if (json != null) ResultFile.write(json, Codecs.JSON.encode(Report.together(worlds)));
      return Report.status(worlds);
    } finally {
      Files.deleteIfExists(results);
    }
  }

  private int checkDevice() throws IOException {
    refuse("--device", "-n", "--processes", "--hint");
    DevicePlan plan =
        new DevicePlan(subject.device, parsedTier(), filter, verbose, List.copyOf(blocked));
    if (modulePath != null) return MoreModules.become(modulePath, words(plan));
    DeviceReport report = plan.run(spec.commandLine().getOut());
    if (json != null) report.write(json);
    return report.status();
  }

  /** The command without its module path. */
  private List<String> words(DevicePlan plan) {
    List<String> words = new ArrayList<>(List.of("check"));
    words.addAll(plan.words());
    if (json != null) words.addAll(List.of("--json", json.toString()));
    return words;
  }

  /** Refuses options that say nothing about what is checked. */
  private void refuse(String what, String... options) {
    for (String option : options) {
      if (spec.commandLine().getParseResult().hasMatchedOption(option)) {
        throw CliException.usage(option + " has no meaning with " + what);
      }
    }
  }

  private Tier parsedTier() {
    try {
      return Tier.parse(tier);
    } catch (IllegalArgumentException e) {
      throw CliException.usage("--tier: " + e.getMessage());
    }
  }

  /** Runs the plan in so many processes of {@link CheckRank}; the first of them reports. */
  private int elsewhere(Plan plan, int count, Path results) {
    List<String> words = new ArrayList<>(List.of("run", "-n", "" + count));
    words.addAll(List.of("--local-ranks-filter", "0"));
    if (modulePath != null) words.addAll(List.of("-p", modulePath));
    words.addAll(List.of("-m", "dev.jcomms.cli/" + CheckRank.class.getName()));
    words.add(results.toAbsolutePath().toString());
    words.add(Boolean.toString(processes));
    words.addAll(plan.words());
    return spec.root().commandLine().execute(words.toArray(String[]::new));
  }

  private static Map<?, ?> read(Path results) throws IOException {
    if (Codecs.JSON.decode(Files.readAllBytes(results)) instanceof Map<?, ?> document
        && document.get("status") instanceof Long) {
      return document;
    }
    throw CliException.failure("the ranks left no results");
  }
}
