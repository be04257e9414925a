package dev.jcomms.jccl.internal.transport.tcp;

/**
 * One connection, as one of its two ranks names it.
 *
 * @param peer the other rank, as the communicator counts
 */
record Plug(Purpose purpose, int group, int peer) {
  static Plug mail(int peer) {
    return new Plug(Purpose.MAIL, 0, peer);
  }
}
