package dev.jcomms.jccl.internal.algo.message;

import dev.jcomms.jccl.internal.transport.tcp.Lines;

/**
 * One way to do one collective with messages alone. Stateless; any thread.
 *
 * @param <T> what it is asked to do
 */
public interface MessageAlgorithm<T extends Task<T>> {
  /** As hints and records name it: {@code ring}. */
  String name();

  /** Whether it can do this at all, among so many ranks. All ranks must come to the same answer. */
  default boolean fits(T task, int size) {
    return true;
  }

  /** Does it; returns when this rank is done, or with messages under way that end by themselves. */
  void run(T task, Lines lines, Workspace space);
}
