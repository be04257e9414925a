/**
 * Who talks to whom about what, at which step: rank arithmetic without I/O.
 *
 * <p>A pattern is a record of a rank's place in a world; every rank makes its own and all of them
 * agree without a word. Costs are in steps (each a latency) and in bytes sent per rank, for a
 * buffer of {@code B} bytes and {@code n} ranks.
 */
package dev.jcomms.jccl.internal.pattern;
