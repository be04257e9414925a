package dev.jcomms.cli.launch;

import java.io.IOException;

/** Gets what the ranks of a job write to stdout, line by line; one call at a time, any thread. */
@FunctionalInterface
public interface Listener {
  /**
   * One line of one rank.
   *
   * @throws IOException if nobody wants to hear more: the job ends
   */
  void line(String line) throws IOException;
}
