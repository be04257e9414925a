package dev.jcomms.jccl.dsl;

import dev.jcomms.jccl.internal.dsl.Caller;
import dev.jcomms.jccl.internal.dsl.Sync;
import dev.jcomms.jccl.plan.Group;
import dev.jcomms.jccl.plan.Op.Ordering;
import java.util.List;

/**
 * Who does an op, and how: {@code on(0)}, {@code on(group)}, {@code on(0).relaxed().syncAfter()}.
 * Made by its users, for an op of any rank; immutable.
 *
 * <p>The options are for ops that signal, wait or flush. Unless told otherwise, the threads of the
 * block meet before such an op and after it.
 */
public final class On {
  /** More than any device has; a typing error should not make millions. */
  static final int MAX_BLOCKS = 1 << 16;

  private final List<Integer> blocks;
  private final boolean isGroup;
  private final Ordering ordering;
  private final Sync sync;

  private On(List<Integer> blocks, boolean isGroup, Ordering ordering, Sync sync) {
    this.blocks = blocks;
    this.isGroup = isGroup;
    this.ordering = ordering;
    this.sync = sync;
  }

  /**
   * One thread block of the rank; blocks are numbered from 0 on, and idle if nothing is on them.
   */
  public static On on(int block) {
    if (block < 0 || block >= MAX_BLOCKS) {
      throw new ProgramException(
          "%s: on: block=%d is no block; they are numbered from 0 to %d"
              .formatted(Caller.current(), block, MAX_BLOCKS - 1));
    }
    return new On(List.of(block), false, Ordering.ORDERED, null);
  }

  /** Several blocks, each doing its slice. */
  public static On on(ThreadBlockGroup group) {
    return new On(group.blocks(), true, Ordering.ORDERED, null);
  }

  /** Without ordering data: what was written before the signal need not be seen after the wait. */
  public On relaxed() {
    return new On(blocks, isGroup, Ordering.RELAXED, sync);
  }

  /** Threads meet before the op; after it too only if asked for as well. */
  public On syncBefore() {
    return with(new Sync(true, sync != null && sync.after()));
  }

  /** Threads meet after the op; before it too only if asked for as well. */
  public On syncAfter() {
    return with(new Sync(sync != null && sync.before(), true));
  }

  /** Threads meet neither before the op nor after it. */
  public On noSync() {
    return with(Sync.NONE);
  }

  private On with(Sync other) {
    return new On(blocks, isGroup, ordering, other);
  }

  List<Integer> blocks() {
    return blocks;
  }

  boolean isGroup() {
    return isGroup;
  }

  Group share(int member) {
    return isGroup ? new Group(member, blocks.size()) : Group.NONE;
  }

  Ordering ordering() {
    return ordering;
  }

  Sync sync() {
    return sync == null ? Sync.BOTH : sync;
  }

  boolean hasOptions() {
    return sync != null || ordering == Ordering.RELAXED;
  }

  @Override
  public String toString() {
    return isGroup ? "blocks " + blocks : "block " + blocks.getFirst();
  }
}
