package dev.jcomms.cli.bench.report;

import dev.jcomms.cli.bench.measure.Timing;
import dev.jcomms.cli.bench.op.Form;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * One form of one size: ours, the machine's limit and the peers beside it.
 *
 * @param algorithm ours; empty where the backend does not say
 * @param limit microseconds; empty if not measured
 */
public record Cell(
    Form form,
    String algorithm,
    int iterations,
    int group,
    Timing time,
    OptionalLong wrong,
    OptionalDouble limit,
    Map<String, PeerTime> peers) {

  /** Our time over a peer's: below 1 we are faster. */
  public OptionalDouble ratio(String peer) {
    PeerTime other = peers.get(peer);
    return other == null
        ? OptionalDouble.empty()
        : OptionalDouble.of(time.avg() / other.time().avg());
  }

  /** Which part of the machine's own speed is reached. */
  public OptionalDouble ofLimit() {
    return limit.isEmpty()
        ? OptionalDouble.empty()
        : OptionalDouble.of(limit.getAsDouble() / time.avg());
  }
}
