package dev.jcomms.cli.bench;

import dev.jcomms.cli.CliException;
import dev.jcomms.cli.bench.measure.Message;
import dev.jcomms.cli.bench.measure.Plan;
import dev.jcomms.cli.bench.peer.Peer;
import dev.jcomms.cli.bench.report.Results;
import dev.jcomms.cli.bench.report.Row;
import dev.jcomms.cli.bench.report.Section;
import dev.jcomms.cli.bench.report.Table;
import dev.jcomms.cli.info.Machine;
import dev.jcomms.cli.launch.JavaOptions;
import dev.jcomms.cli.launch.Job;
import dev.jcomms.cli.launch.LaunchSpec;
import dev.jcomms.cli.launch.Listener;
import dev.jcomms.cli.launch.Program;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * One call of the command: for each operation so many rounds, in each round ours and then every
 * peer, never two at once, each in processes of its own.
 */
final class Session {
  /** How a job ends that was told to, by HUP, INT, PIPE or TERM. */
  private static final Set<Integer> TOLD = Set.of(129, 130, 141, 143);

  private final PrintWriter out;
  private final LaunchSpec launch;
  private final JavaOptions java;
  private final List<Peer> wanted;
  private final int rounds;
  private final Outputs files;
  private final Map<String, String> environment = System.getenv();
  private final Map<Peer, String> peers = new LinkedHashMap<>();
  private final Machine machine = Machine.current();

  Session(
      PrintWriter out,
      LaunchSpec launch,
      JavaOptions java,
      List<Peer> wanted,
      int rounds,
      Outputs files) {
    this.out = out;
    this.launch = launch;
    this.java = java;
    this.wanted = wanted;
    this.rounds = rounds;
    this.files = files;
  }

  int run(List<Plan> plans) throws IOException, InterruptedException {
    List<String> lines = new ArrayList<>();
    for (Peer peer : wanted) lines.add(prepare(peer));
    if (rounds > 1) {
      lines.add("rounds    %d, in each ours, then the peers; medians".formatted(rounds));
    }
    if (launch.nodeRank() == 0) Table.facts(out, machine, lines);
    List<Section> sections = new ArrayList<>();
    for (Plan plan : plans) {
      int status = measure(plan, sections);
      if (status != 0) return status;
      if (launch.nodeRank() == 0) {
        files.write(machine, versions(), sections, plan == plans.getLast());
      }
    }
    return sections.stream().allMatch(Section::isGood) ? 0 : 1;
  }

  private Map<String, String> versions() {
    Map<String, String> versions = new LinkedHashMap<>();
    peers.forEach((peer, version) -> versions.put(peer.name(), version));
    return versions;
  }

  /** Finds a peer; says what was found, or what is missing. */
  private String prepare(Peer peer) {
    boolean alone = launch.nodes() == 1;
    if (!alone && !peer.spansNodes()) {
      return "peer      %s is left out: it is measured on one node only".formatted(peer.name());
    }
    try {
      String version = peer.prepare(environment);
      peers.put(peer, version);
      return "peer      %s: %s".formatted(peer.name(), version);
    } catch (Peer.Missing e) {
      // The other nodes would start it, and wait for this one.
      if (!alone) {
        throw CliException.failure(
            "%s is needed on every node: %s".formatted(peer.name(), e.getMessage()));
      }
      return "peer      %s is left out: %s".formatted(peer.name(), e.getMessage());
    }
  }

  private int measure(Plan plan, List<Section> sections) throws InterruptedException {
    boolean showing = rounds == 1 && peers.isEmpty();
    if (showing) {
      Live live = new Live(out, plan);
      int status = ours(plan, live::accept);
      if (status == 0 && launch.nodeRank() == 0) sections.add(live.end());
      return status;
    }
    Results results = new Results(plan, rounds);
    for (int round = 1; round <= rounds; round++) {
      progress(plan, round, Results.OURS);
      int status = ours(plan, message -> results.add(Results.OURS, message));
      for (Peer peer : peers.keySet()) {
        if (status != 0) return status;
        status = theirs(peer, plan, round, results);
      }
      if (status != 0) return status;
    }
    if (launch.nodeRank() > 0) return 0;
    Section section = results.section();
    Table table = new Table(out, plan, section.peers());
    table.head(section.ranks(), section.backend(), section.transport(), section.limit());
    for (Row row : section.rows()) table.row(row, section.ranks());
    table.foot(section);
    sections.add(section);
    return 0;
  }

  private int ours(Plan plan, Consumer<Message> results) throws InterruptedException {
    LaunchSpec spec = plan.threads() > 0 ? launch.withRanks(1) : launch;
    Program program =
        Program.java(
            List.of(BenchRank.MODULE_AND_CLASS, BenchRank.MESSAGES, BenchCommand.text(plan)), true);
    return new Job(spec, program, java, environment, listener(results)).run();
  }

  /** A peer that fails is left out; only being told to stop ends the session. */
  private int theirs(Peer peer, Plan plan, int round, Results results) throws InterruptedException {
    Optional<String> refusal = peer.refuses(plan);
    if (refusal.isPresent()) {
      results.note(peer.name() + " is left out: " + refusal.get());
      return 0;
    }
    progress(plan, round, peer.name());
    int status =
        peer.run(plan, launch, environment, listener(message -> results.add(peer.name(), message)));
    if (TOLD.contains(status)) return status;
    if (status != 0) {
      results.note("%s failed in round %d, exit status %d".formatted(peer.name(), round, status));
    }
    return 0;
  }

  private Listener listener(Consumer<Message> results) {
    return line -> {
      Optional<Message> message = Message.parse(line);
      if (message.isPresent()) {
        results.accept(message.get());
      } else {
        out.println(line);
      }
      // A writer over stdout does not hear of stdout's own trouble.
      if (out.checkError() || System.out.checkError()) {
        throw new IOException("nobody reads the results");
      }
    };
  }

  private void progress(Plan plan, int round, String library) {
    System.err.println(
        "jcomms: %s, round %d of %d: %s".formatted(plan.op().opName(), round, rounds, library));
  }
}
