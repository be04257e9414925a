package dev.jcomms.jccl.internal.exec;

/**
 * An op of a plan with all bytes worked out. Never waits: it goes as far as it can, keeps in mind
 * how far that was, and goes on from there when called again. One thread at a time; when it is
 * through, it is ready to be done anew.
 */
abstract class Step {
  /**
   * Goes on with some bytes of its chunks. Until it is through, it is called again with the same.
   *
   * @param from the first of them, from the beginning of each chunk
   * @param most how many, if there are as many
   * @return whether it is through
   */
  abstract boolean advance(Launch launch, Block block, long from, long most);

  /** What it waits for, for a person, and the rank in question. */
  abstract Awaited awaited(Launch launch);

  /** Forgets how far it was: the launch has failed. */
  void reset() {}

  /**
   * What a step waits for.
   *
   * @param rank whose doing it is; may be this one
   */
  record Awaited(String what, int rank) {}
}
