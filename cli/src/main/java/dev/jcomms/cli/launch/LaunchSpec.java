package dev.jcomms.cli.launch;

import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * A job as the user asked for it, checked.
 *
 * @param ranks how many ranks this node runs
 * @param masterPort empty for any free one
 * @param shown the local ranks whose output is shown; empty for all
 * @param shutdown how long ranks may take to end after they were asked to; empty for {@link
 *     #AFTER_FAILURE} or {@link #AFTER_SIGNAL}
 */
public record LaunchSpec(
    int ranks,
    int nodes,
    int nodeRank,
    String masterAddress,
    OptionalInt masterPort,
    String runId,
    String role,
    int maxRestarts,
    Optional<Path> logs,
    Streams redirects,
    Streams tee,
    Set<Integer> shown,
    Map<String, String> environment,
    Optional<Duration> shutdown,
    boolean openStore) {

  /** The others of a failed rank are stopped within a second, all told. */
  static final Duration AFTER_FAILURE = Duration.ofMillis(700);

  /** A program that is told to end may have something to save. */
  static final Duration AFTER_SIGNAL = Duration.ofSeconds(10);

  /** The same job with so many ranks on this node. */
  public LaunchSpec withRanks(int count) {
    return with(count, environment, openStore);
  }

  /** The same job with a store that plain PyTorch can use. */
  public LaunchSpec withOpenStore() {
    return with(ranks, environment, true);
  }

  /** The same job, run once, with all that its ranks say going where a listener hears it. */
  public LaunchSpec heard() {
    return new LaunchSpec(
        ranks,
        nodes,
        nodeRank,
        masterAddress,
        masterPort,
        runId,
        role,
        0,
        logs,
        Streams.NONE,
        tee,
        Set.of(),
        environment,
        shutdown,
        openStore);
  }

  /** The same job with a variable more for its ranks, unless it is set already. */
  public LaunchSpec withVariable(String name, String value) {
    Map<String, String> more = new LinkedHashMap<>(environment);
    more.putIfAbsent(name, value);
    return with(ranks, more, openStore);
  }

  private LaunchSpec with(int count, Map<String, String> variables, boolean open) {
    return new LaunchSpec(
        count,
        nodes,
        nodeRank,
        masterAddress,
        masterPort,
        runId,
        role,
        maxRestarts,
        logs,
        redirects,
        tee,
        shown,
        variables,
        shutdown,
        open);
  }

  RankStreams streams(JobFolder folder, Console console, int attempt, Placement at) {
    int local = at.localRank();
    boolean show = shown.isEmpty() || shown.contains(local);
    boolean outFile = redirects.stdout(local) || tee.stdout(local);
    boolean errFile = redirects.stderr(local) || tee.stderr(local);
    return new RankStreams(
        console,
        at.rank(),
        show && (!redirects.stdout(local) || tee.stdout(local)),
        show && (!redirects.stderr(local) || tee.stderr(local)),
        outFile ? Optional.of(folder.open(attempt, local, "stdout.log")) : Optional.empty(),
        errFile ? Optional.of(folder.open(attempt, local, "stderr.log")) : Optional.empty(),
        new Tail());
  }
}
