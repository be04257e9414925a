package dev.jcomms.jccl.internal.pattern;

import java.util.stream.IntStream;

/** The worlds that patterns are proved in. */
final class Sizes {
  private Sizes() {}

  static IntStream all() {
    return IntStream.rangeClosed(1, 33);
  }
}
