package dev.jcomms.jccl.internal.transport.shm;

/**
 * Whether speakers make remarks instead of writing notes, how long those are, and what all know
 * they are about. One thread.
 */
final class Remarks {
  private boolean made;
  private long bytes;
  private long head;
  private long count;

  /** From now on they are made, of so many bytes, about these facts. */
  void begin(long bytes, long head, long count) {
    this.made = true;
    this.bytes = bytes;
    this.head = head;
    this.count = count;
  }

  void end() {
    made = false;
  }

  boolean areMade() {
    return made;
  }

  /** Where a rank's remark of a phase is, if it makes one as the latest were. */
  long of(int rank, long phase) {
    return Boards.remark(rank, phase, bytes);
  }

  /** What the latest were about. */
  long head() {
    return head;
  }

  /** What the latest were about. */
  long count() {
    return count;
  }
}
