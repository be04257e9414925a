package dev.jcomms.cli.launch;

/** What the thread that watches over a job hears of. */
sealed interface Event {
  /** A rank of this node ended. */
  record Exited(RankProcess rank, int status) implements Event {}

  /** This process was sent a signal. */
  record Signalled(int number) implements Event {}

  /** Nobody reads our output any more. */
  record ConsoleLost() implements Event {}

  /** A rank failed on another node, or, if {@code stopped}, that node is to end. */
  record NodeFailed(int generation, int status, String what, boolean stopped) implements Event {}

  /** The ranks of all nodes ended well. */
  record AllDone(int generation) implements Event {}
}
