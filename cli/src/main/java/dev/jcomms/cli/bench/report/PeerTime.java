package dev.jcomms.cli.bench.report;

import dev.jcomms.cli.bench.measure.Timing;
import dev.jcomms.cli.bench.op.Form;

/**
 * What a peer took for the same.
 *
 * @param form the peer's, which is the other one where it has no such form
 */
public record PeerTime(Timing time, int iterations, Form form) {}
