package dev.jcomms.internal;

import dev.jcomms.CommException;
import dev.jcomms.internal.observe.FlightRing;
import java.nio.file.Path;

/** What is said and written when a communicator fails. None of it may fail in turn. */
final class LastWords {
  /** As a process ended by SIGABRT: what torchcomms does by default. */
  private static final int ABORTED = 134;

  private static final System.Logger LOG = System.getLogger("dev.jcomms");

  private LastWords() {}

  static void warn(String message, Throwable cause) {
    LOG.log(System.Logger.Level.WARNING, message, cause);
  }

  static void dump(FlightRing ring, Path folder, Membership self) {
    Path file =
        folder.resolve(
            "flight-"
                + self.name().replaceAll("[^A-Za-z0-9_.-]", "_")
                + "-rank"
                + self.rank()
                + ".json");
    try {
      ring.dump(file);
      LOG.log(
          System.Logger.Level.WARNING,
          "flight record of comm ''{0}'' written to {1}",
          self.name(),
          file);
    } catch (RuntimeException e) {
      warn("flight record of comm '" + self.name() + "' not written", e);
    }
  }

  static void exit(CommException failure) {
    LOG.log(System.Logger.Level.ERROR, "ending the process, as abortProcessOnError asks", failure);
    Runtime.getRuntime().halt(ABORTED);
  }
}
