package dev.jcomms.cli.launch;

import dev.jcomms.cli.CliException;
import dev.jcomms.cli.GivenSecret;
import dev.jcomms.store.StoreSecret;
import java.util.Map;
import java.util.Optional;

/** The secret of a job: its users', or a new one. Never on a command line. */
final class Secret {
  private Secret() {}

  /** For one node a new one will do; several must have been told the same. */
  static StoreSecret of(LaunchSpec spec, Map<String, String> env) {
    Optional<StoreSecret> given = GivenSecret.in(env);
    if (given.isPresent()) return given.get();
    if (spec.nodes() == 1) return StoreSecret.generate();
    throw CliException.usage(
        ("--nnodes=%d needs a secret that all nodes share: set JCOMMS_SECRET, or JCOMMS_SECRET_FILE to"
                + " a file, for the launcher of each node; one is made by: openssl rand -hex 32")
            .formatted(spec.nodes()));
  }
}
