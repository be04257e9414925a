package dev.jcomms.cli.bench.peer;

import dev.jcomms.cli.bench.measure.Plan;
import dev.jcomms.cli.launch.LaunchSpec;
import dev.jcomms.cli.launch.Listener;
import java.util.Map;
import java.util.Optional;

/** Another library that does the same operations, to be measured beside ours. */
public sealed interface Peer permits Gloo, OpenMpi {
  /** The name in commands and tables. */
  String name();

  /**
   * Looks for it on this machine and makes it ready.
   *
   * @return its version
   * @throws Missing saying what is not there
   */
  String prepare(Map<String, String> environment) throws Missing;

  /** Whether its ranks can be started on several nodes, by the launcher of each. */
  boolean spansNodes();

  /** Why it cannot run this plan; empty if it can. */
  Optional<String> refuses(Plan plan);

  /**
   * Runs a plan to its end; {@code listener} hears its messages.
   *
   * @param launch ours; the peer gets as many ranks
   * @return the exit status
   */
  int run(Plan plan, LaunchSpec launch, Map<String, String> environment, Listener listener)
      throws InterruptedException;

  /** It is not on this machine. */
  final class Missing extends Exception {
    private static final long serialVersionUID = 1L;

    Missing(String message) {
      super(message);
    }
  }
}
