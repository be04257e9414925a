package dev.jcomms.cli.launch;

import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadLocalRandom;

/** One call of {@code jcomms run}: the ranks of this node, restarted together as often as asked. */
public final class Job {
  private final LaunchSpec spec;
  private final Program program;
  private final JavaOptions java;
  private final Map<String, String> inherited;
  private final Optional<Listener> listener;

  public Job(LaunchSpec spec, Program program, JavaOptions java, Map<String, String> inherited) {
    this(spec, program, java, inherited, Optional.empty());
  }

  /** A job whose ranks' stdout is not shown but heard by {@code listener}. */
  public Job(
      LaunchSpec spec,
      Program program,
      JavaOptions java,
      Map<String, String> inherited,
      Listener listener) {
    this(spec, program, java, inherited, Optional.of(listener));
  }

  private Job(
      LaunchSpec spec,
      Program program,
      JavaOptions java,
      Map<String, String> inherited,
      Optional<Listener> listener) {
    this.spec = spec;
    this.program = program;
    this.java = java;
    this.inherited = inherited;
    this.listener = listener;
  }

  /** Runs to the end; returns the exit status of the command. */
  public int run() throws InterruptedException {
    JavaRuntime runtime = JavaRuntime.current();
    List<String> words =
        new CommandLines(runtime, SourceCompiler.forUser(runtime), spec.ranks()).of(program, java);
    String name = HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong());
    Console console = Console.ofProcess(inherited, listener);
    BlockingQueue<Event> events = new LinkedBlockingQueue<>();
    try (Signals _ = new Signals(number -> events.add(new Event.Signalled(number)));
        SharedFiles _ = new SharedFiles(name);
        JobFolder folder = JobFolder.create(spec.logs(), spec.runId());
        Guard guard = new Guard(name, folder);
        Rendezvous meeting = Rendezvous.open(spec, inherited, events, console)) {
      var common =
          new RankEnvironment.Common(
              name,
              spec.runId(),
              spec.role(),
              spec.masterAddress(),
              meeting.port(),
              spec.maxRestarts(),
              meeting.secret().reveal());
      for (int attempt = 0; ; attempt++) {
        int number = attempt;
        Nodes nodes = meeting.nodes();
        Optional<List<Integer>> ranks = nodes.meet(number, spec.ranks());
        if (ranks.isEmpty()) return ExitStatus.ofSignal(Signals.ending(events).orElseThrow());
        List<Placement> here = Placement.onNode(spec.nodeRank(), ranks.get());
        Outcome outcome =
            new Generation(number, spec, nodes, guard, events)
                .run(
                    here,
                    at ->
                        RankProcess.start(
                            at,
                            words,
                            RankEnvironment.of(
                                at,
                                common,
                                number,
                                folder.errorFile(number, at.localRank()),
                                inherited,
                                spec.environment()),
                            spec.streams(folder, console, number, at),
                            events));
        boolean last = attempt == spec.maxRestarts();
        switch (outcome) {
          case Outcome.Succeeded() -> {
            return 0;
          }
          case Outcome.Interrupted(int signal) -> {
            return ExitStatus.ofSignal(signal);
          }
          case Outcome.Failed failed -> {
            FailureReport.print(console, failed, spec, folder, attempt);
            if (last) return failed.status();
          }
          case Outcome.FailedElsewhere(int status, String what, boolean stopped) -> {
            console.say("another node ended the job: " + what);
            if (last || stopped) return status;
          }
        }
        console.say("restart %d of %d".formatted(attempt + 1, spec.maxRestarts()));
      }
    }
  }
}
