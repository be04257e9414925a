package dev.jcomms.jccl.internal.exec;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Ranks of trials that are processes, each a {@link TrialRank}, all on this machine. */
public final class TrialProcesses {
  private TrialProcesses() {}

  /**
   * Runs trials of plans for the same number of ranks, one after the other on one communicator.
   *
   * @return the first difference from what should have come out, or what a rank said that failed
   *     otherwise; empty if all is well
   */
  public static Optional<String> run(List<Trial> trials) throws IOException, InterruptedException {
    Trial first = trials.getFirst();
    int ranks = first.plan().ranks().size();
    Path folder = Files.createTempDirectory("jcomms-trial-");
    List<Process> processes = new ArrayList<>();
    try {
      List<String> asked = new ArrayList<>();
      for (int i = 0; i < trials.size(); i++) {
        Trial trial = trials.get(i);
        Path plan = folder.resolve("plan-" + i + ".json");
        Files.writeString(plan, trial.plan().toJson());
        asked.addAll(List.of(plan.toString(), "" + trial.messageBytes(), "" + trial.launches()));
        asked.addAll(List.of(trial.dtype().name(), trial.packets().name()));
      }
      for (int r = 0; r < ranks; r++) {
        List<String> command = new ArrayList<>(java());
        command.addAll(List.of("" + r, "" + ranks, folder.resolve("store").toString()));
        command.addAll(List.of("" + first.timeout().toSeconds(), hints(first.hints())));
        command.addAll(asked);
        processes.add(
            new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("said-" + r).toFile())
                .start());
      }
      return outcome(trials, processes, folder);
    } finally {
      processes.forEach(Process::destroyForcibly);
      clear(folder);
    }
  }

  private static Optional<String> outcome(List<Trial> trials, List<Process> processes, Path folder)
      throws IOException, InterruptedException {
    long launches = trials.stream().mapToLong(Trial::launches).sum();
    long deadline =
        System.nanoTime() + trials.getFirst().timeout().multipliedBy(launches + 2).toNanos();
    Optional<String> failed = Optional.empty();
    for (int r = 0; r < processes.size(); r++) {
      Process process = processes.get(r);
      boolean ended = process.waitFor(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
      if (!ended || process.exitValue() != 0) {
        String said = Files.readString(folder.resolve("said-" + r)).strip();
        String how = ended ? "ended with " + process.exitValue() : "did not end";
        boolean wrong = ended && process.exitValue() == TrialRank.WRONG;
        String text = wrong ? said : "rank " + r + " " + how + ": " + said;
        failed = failed.or(() -> Optional.of(text));
      }
    }
    return failed;
  }

  /** The Java that runs this, with what it has on its paths. */
  private static List<String> java() {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("--add-modules", "jdk.incubator.vector"));
    command.add("-XX:+UseSerialGC");
    Module self = TrialRank.class.getModule();
    if (self.isNamed()) {
      command.addAll(List.of("-p", System.getProperty("jdk.module.path")));
      command.add("--enable-native-access=dev.jcomms,dev.jcomms.tensor," + self.getName());
      command.addAll(List.of("-m", self.getName() + "/" + TrialRank.class.getName()));
    } else {
      command.addAll(List.of("-cp", System.getProperty("java.class.path")));
      command.addAll(List.of("--enable-native-access=ALL-UNNAMED", TrialRank.class.getName()));
    }
    return command;
  }

  private static String hints(Map<String, String> hints) {
    return hints.entrySet().stream()
        .map(hint -> hint.getKey() + "=" + hint.getValue())
        .collect(Collectors.joining(","));
  }

  private static void clear(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.toList()) {
        Files.deleteIfExists(file);
      }
    }
    Files.deleteIfExists(folder);
  }
}
