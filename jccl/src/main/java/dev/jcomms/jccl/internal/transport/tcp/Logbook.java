package dev.jcomms.jccl.internal.transport.tcp;

/**
 * The last operations of an engine on this rank, for peers that wonder why they wait. Any thread.
 */
final class Logbook {
  private static final int KEPT = 256;

  private final long[] heads = new long[KEPT];
  private final long[] counts = new long[KEPT];
  private long last = -1;

  /** Notes that this rank has come to an operation; they are numbered without gaps. */
  synchronized void note(long sequence, long head, long count) {
    heads[(int) (sequence % KEPT)] = head;
    counts[(int) (sequence % KEPT)] = count;
    last = sequence;
  }

  /**
   * The operation of a number. If this rank has not come to it, or has forgotten it, the notice has
   * the number of this rank's last one instead.
   */
  synchronized Notice find(long sequence) {
    if (sequence < 0 || sequence > last || sequence <= last - KEPT) {
      return new Notice(last, 0, 0);
    }
    int at = (int) (sequence % KEPT);
    return new Notice(sequence, heads[at], counts[at]);
  }
}
