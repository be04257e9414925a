package dev.jcomms.cli.launch;

/** How one generation of ranks ended. */
sealed interface Outcome {
  record Succeeded() implements Outcome {}

  /** A rank of this node failed, before any other. */
  record Failed(RankProcess first, int status) implements Outcome {}

  /** A rank of another node failed, or, if {@code stopped}, that node is to end. */
  record FailedElsewhere(int status, String what, boolean stopped) implements Outcome {}

  /** The launcher was told to stop. */
  record Interrupted(int signal) implements Outcome {}
}
