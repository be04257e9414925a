package dev.jcomms.jccl.internal.algo.message;

/**
 * Every rank has a block for every other.
 *
 * @param equalSizes whether all blocks of all ranks are of one size, and all know it
 */
public record AllToAllTask(Blocks outputs, Blocks inputs, boolean equalSizes)
    implements Task<AllToAllTask> {
  @Override
  public AllToAllTask part(int part, int parts) {
    return new AllToAllTask(outputs.part(part, parts, 1), inputs.part(part, parts, 1), equalSizes);
  }
}
