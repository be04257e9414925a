package dev.jcomms.cli.launch;

/** Whether somebody looks at what is written. */
public final class Terminal {
  private Terminal() {}

  /** Whether stderr is a terminal that can be written over. */
  public static boolean isLive() {
    return Posix.isTerminal(2) && !"dumb".equals(System.getenv("TERM"));
  }
}
