package dev.jcomms.jccl.dsl;

import dev.jcomms.jccl.internal.dsl.Caller;
import java.util.HashSet;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Thread blocks that do an op together, each on its own slice of every chunk: the first member the
 * first slice. Made by its users; immutable.
 *
 * @param blocks distinct numbers of blocks
 */
public record ThreadBlockGroup(List<Integer> blocks) {
  public ThreadBlockGroup {
    blocks = List.copyOf(blocks);
    if (blocks.isEmpty()
        || blocks.stream().anyMatch(block -> block < 0 || block >= On.MAX_BLOCKS)
        || new HashSet<>(blocks).size() < blocks.size()) {
      throw new ProgramException(
          Caller.current()
              + ": a group cannot be of blocks "
              + blocks
              + "; it has at least one, all different, from 0 on");
    }
  }

  public static ThreadBlockGroup of(int... blocks) {
    return new ThreadBlockGroup(IntStream.of(blocks).boxed().toList());
  }

  /** The group of {@code count} blocks from {@code first} on. */
  public static ThreadBlockGroup range(int first, int count) {
    return new ThreadBlockGroup(IntStream.range(first, first + count).boxed().toList());
  }
}
