package dev.jcomms.jccl.internal.algo.message;

import dev.jcomms.jccl.internal.pattern.Shards;

/**
 * What an engine is asked to do, in a form that can be cut into parts which are done side by side.
 * Immutable.
 *
 * @param <T> the kind of task
 */
public interface Task<T extends Task<T>> {
  /** One of so many parts, which together are the whole. All ranks cut alike. */
  T part(int part, int parts);

  /** How a buffer is cut: parts begin at cache lines, if the buffer does. */
  static Shards cut(long elements, int elementBytes, int parts) {
    return new Shards(elements, parts, 64 / elementBytes);
  }
}
