package dev.jcomms.jccl.dsl;

/** What the instances of a program work on; see {@link ProgramSpec#instances(int)}. */
public enum Replication {
  /**
   * Every buffer has as many times more chunks, and each instance its own: for a chunk of the
   * program, the instances' chunks lie side by side.
   */
  INTERLEAVED,

  /**
   * Buffers stay as they are, and each instance does its slice of every chunk, as in a {@link
   * ThreadBlockGroup}. Slices only match if all chunks of the program are equally long and begin at
   * multiples of their length.
   */
  NONE
}
