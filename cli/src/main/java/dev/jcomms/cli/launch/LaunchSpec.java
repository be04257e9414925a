package dev.jcomms.cli.launch;

import java.nio.file.Path;
import java.time.Duration;
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
