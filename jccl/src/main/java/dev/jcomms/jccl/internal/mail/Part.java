package dev.jcomms.jccl.internal.mail;

import dev.jcomms.tensor.Tensor;

/** One thing that a {@link Job} needs of one peer. */
interface Part {
  /** The other rank. */
  int peer();

  /** The memory it reads or writes until it is done; null for none. */
  Tensor tensor();

  /** Whether it writes its tensor. */
  boolean writes();

  boolean isDone();

  /** How far it got: {@code recv of 10 x f32, tag 0: nothing has come}. */
  String progress();

  /**
   * Gives it up. Nobody touches its tensor after this has returned. Outside the guard; nothing
   * happens if it is done.
   */
  void cancel();
}
