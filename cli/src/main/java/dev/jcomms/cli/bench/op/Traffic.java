package dev.jcomms.cli.bench.op;

/**
 * The least that passes one rank's network in an operation, laid around a ring: what it sends to
 * the next rank and what it receives from the one before.
 */
public record Traffic(long sends, long receives) {
  static Traffic both(long bytes) {
    return new Traffic(bytes, bytes);
  }
}
