package dev.jcomms.jccl.internal.reduce.simd;

import java.lang.invoke.MethodHandle;

/**
 * The inner loops of one {@link Recipe}, one for each number of operands.
 *
 * <p>The loops of a lane type are static methods {@code two}, {@code three} and {@code four} of a
 * class ({@code one} too, where there is something to convert), written out because operands are to
 * stay in registers. They are called through handles that are no constants, which the compiler
 * cannot see through: each loop is compiled by itself. Where it was free to inline a loop in its
 * callers, it now and then ran out of budget half way down a vector operation, and the loop was
 * twenty times slower for the rest of the run.
 */
final class Loops {
  private final MethodHandle[] byOperands;

  /**
   * @param byOperands {@code void (Step, int)}; at index k, what takes k operands, or null
   */
  Loops(MethodHandle[] byOperands) {
    this.byOperands = byOperands;
  }

  /** Whether there is a loop for this many operands. */
  boolean has(int operands) {
    return byOperands[operands] != null;
  }

  /** Folds {@code count} elements of each operand, a multiple of the lanes of a vector. */
  void run(Step step, int count) {
    try {
      byOperands[step.operands()].invokeExact(step, count);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new AssertionError(e); // a loop declares nothing
    }
  }
}
