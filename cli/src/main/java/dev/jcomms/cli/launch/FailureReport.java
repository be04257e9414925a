package dev.jcomms.cli.launch;

import java.util.List;
import java.util.Locale;

/** Tells the user which rank failed first, how, and what it said last. */
final class FailureReport {
  private FailureReport() {}

  static void print(
      Console console, Outcome.Failed failure, LaunchSpec spec, JobFolder folder, int attempt) {
    RankProcess rank = failure.first();
    Placement at = rank.placement();
    console.say(
        "rank %d of %d failed first: %s after %s (pid %d)%s"
            .formatted(
                at.rank(),
                at.worldSize(),
                ExitStatus.describe(failure.status()),
                String.format(Locale.ROOT, "%.1f s", rank.age().toMillis() / 1000.0),
                rank.pid(),
                at.worldSize() > 1 ? "; the others were stopped" : ""));
    List<String> reason = rank.stderr().reason();
    if (!reason.isEmpty()) {
      console.say("the end of its stderr:");
      reason.forEach(console::quote);
    }
    if (spec.redirects().stderr(at.localRank()) || spec.tee().stderr(at.localRank())) {
      console.say(
          "all of it: " + folder.errorFile(attempt, at.localRank()).resolveSibling("stderr.log"));
    }
  }
}
