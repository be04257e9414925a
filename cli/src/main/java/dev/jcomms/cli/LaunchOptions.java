package dev.jcomms.cli;

import dev.jcomms.cli.launch.LaunchSpec;
import dev.jcomms.cli.launch.Streams;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import picocli.CommandLine.Option;

/** torchrun's options, and what they add up to. */
public final class LaunchOptions {
  @Option(
      names = {"-n", "--nproc-per-node"},
      paramLabel = "N",
      description = "Ranks on this node: a number, or 'auto' or 'cpu' for one a processor.")
  private String ranks = "1";

  @Option(names = "--nnodes", paramLabel = "N", description = "Nodes in the job.")
  private String nodes = "1";

  @Option(names = "--node-rank", paramLabel = "I", description = "Which of them this is, from 0.")
  private int nodeRank;

  @Option(
      names = "--master-addr",
      paramLabel = "HOST",
      description = "Where node 0 is; needed for more than one node.")
  private String masterAddress;

  @Option(
      names = "--master-port",
      paramLabel = "PORT",
      description = "Port of its store (default: any free one).")
  private Integer masterPort;

  @Option(names = "--rdzv-endpoint", paramLabel = "HOST:PORT", description = "The last two in one.")
  private String endpoint;

  @Option(names = "--standalone", description = "One node, any free port: the default here.")
  private boolean standalone;

  @Option(
      names = {"--run-id", "--rdzv-id"},
      paramLabel = "ID",
      description = "Name of the job (default: a random one).")
  private String runId;

  @Option(names = "--role", paramLabel = "NAME", description = "Role of the ranks.")
  private String role = "default";

  @Option(
      names = "--max-restarts",
      paramLabel = "N",
      description = "How often all ranks are started anew after a failure.")
  private int maxRestarts;

  @Option(
      names = "--shutdown-timeout",
      paramLabel = "SECONDS",
      description =
          "How long ranks may take to stop before SIGKILL (default: under 1 after a failure, 10"
              + " after a signal).")
  private Double shutdown;

  @Option(names = "--log-dir", paramLabel = "DIR", description = "Folder for log files.")
  private Path logs;

  @Option(
      names = {"-r", "--redirects"},
      paramLabel = "S",
      description = "To files only: 1 stdout, 2 stderr, 3 both; or LOCAL_RANK:S,...")
  private String redirects = "0";

  @Option(
      names = {"-t", "--tee"},
      paramLabel = "S",
      description = "To files and console, in the same form.")
  private String tee = "0";

  @Option(
      names = "--local-ranks-filter",
      paramLabel = "I",
      split = ",",
      description = "Show the output of these local ranks only.")
  private Set<Integer> shown = new TreeSet<>();

  @Option(
      names = "--env",
      paramLabel = "K=V",
      description = "Set a variable for all ranks; repeatable.")
  private Map<String, String> environment = new LinkedHashMap<>();

  @Option(
      names = "--open-store",
      description = "Let clients without the job's secret use the store, as plain PyTorch must.")
  private boolean openStore;

  @Option(names = "--no-python", hidden = true)
  private boolean command;

  /** torchrun takes these; there is nothing here for them to change. */
  @Option(
      names = {"--rdzv-backend", "--monitor-interval", "--start-method"},
      hidden = true)
  private List<String> ignored = new ArrayList<>();

  LaunchOptions() {}

  /** Options of a command that starts so many ranks unless told otherwise. */
  public LaunchOptions(int ranks) {
    this.ranks = Integer.toString(ranks);
  }

  /** Whether torchrun's way to say "a command, not a script" was used. */
  boolean asCommand() {
    return command;
  }

  /** The job they describe; a usage error if there is none. */
  public LaunchSpec checked() {
    int rankCount = rankCount();
    int nodeCount = nodeCount();
    check(maxRestarts >= 0, "--max-restarts=" + maxRestarts + " is negative");
    check(
        nodeRank >= 0 && nodeRank < nodeCount,
        "--node-rank=%d is not a node of --nnodes=%d".formatted(nodeRank, nodeCount));
    check(
        shutdown == null || (shutdown >= 0 && shutdown < 1e9),
        "--shutdown-timeout=" + shutdown + " is not a number of seconds");
    // It becomes a part of a folder's name.
    check(
        runId == null || runId.matches("[A-Za-z0-9._-]+"),
        "--run-id=%s: only letters, digits and . _ - are allowed".formatted(runId));
    check(!environment.containsKey(""), "--env: no name before the '='");
    for (int local : shown) {
      check(
          local >= 0 && local < rankCount,
          "--local-ranks-filter=%d is not a local rank of %d".formatted(local, rankCount));
    }
    splitEndpoint();
    if (standalone) {
      check(nodeCount == 1, "--standalone is one node, --nnodes=" + nodeCount + " is not");
    }
    if (nodeCount > 1) {
      check(
          masterAddress != null, "--nnodes=" + nodeCount + " needs --master-addr, where node 0 is");
      check(
          masterPort != null,
          "--nnodes=" + nodeCount + " needs --master-port, the same on all nodes");
    }
    check(
        masterPort == null || (masterPort >= 0 && masterPort < 65536),
        "--master-port=" + masterPort + " is not a port");
    check(
        nodeCount == 1 || masterPort > 0,
        "--master-port=0 is any free port: --nnodes="
            + nodeCount
            + " needs one that all nodes know");
    Streams redirected = Streams.parse("--redirects", redirects);
    Streams teed = Streams.parse("--tee", tee);
    check(
        logs != null || (redirected.none() && teed.none()),
        "--redirects and --tee write files: say where by --log-dir");
    return new LaunchSpec(
        rankCount,
        nodeCount,
        nodeRank,
        masterAddress == null ? "127.0.0.1" : withoutBrackets(masterAddress),
        masterPort == null ? OptionalInt.empty() : OptionalInt.of(masterPort),
        runId == null ? UUID.randomUUID().toString() : runId,
        role,
        maxRestarts,
        Optional.ofNullable(logs),
        redirected,
        teed,
        shown,
        environment,
        Optional.ofNullable(shutdown).map(s -> Duration.ofMillis(Math.round(s * 1000))),
        openStore);
  }

  private int rankCount() {
    if (ranks.equals("auto") || ranks.equals("cpu")) {
      return Runtime.getRuntime().availableProcessors();
    }
    check(
        ranks.matches("[1-9][0-9]{0,5}"),
        "--nproc-per-node=%s is neither a positive number, 'auto' nor 'cpu'".formatted(ranks));
    return Integer.parseInt(ranks);
  }

  private int nodeCount() {
    String text = nodes;
    if (text.matches("[0-9]+:[0-9]+")) {
      String[] range = text.split(":");
      check(
          range[0].equals(range[1]),
          "--nnodes=%s: the number of nodes is fixed here; give one number".formatted(nodes));
      text = range[0];
    }
    check(text.matches("[1-9][0-9]{0,5}"), "--nnodes=%s is not a positive number".formatted(nodes));
    return Integer.parseInt(text);
  }

  private void splitEndpoint() {
    if (endpoint == null) return;
    int colon = endpoint.lastIndexOf(':');
    check(
        colon > 0 && endpoint.substring(colon + 1).matches("[0-9]{1,5}"),
        "--rdzv-endpoint=%s is not HOST:PORT".formatted(endpoint));
    masterAddress = endpoint.substring(0, colon);
    masterPort = Integer.parseInt(endpoint.substring(colon + 1));
  }

  /** {@code [::1]} is {@code ::1}: brackets keep a port apart, and ranks get theirs apart. */
  private static String withoutBrackets(String address) {
    return address.matches("\\[.+]") ? address.substring(1, address.length() - 1) : address;
  }

  private static void check(boolean holds, String otherwise) {
    if (!holds) throw CliException.usage(otherwise);
  }
}
