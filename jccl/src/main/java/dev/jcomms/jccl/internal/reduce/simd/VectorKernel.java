package dev.jcomms.jccl.internal.reduce.simd;

import dev.jcomms.jccl.internal.reduce.Kernel;
import dev.jcomms.jccl.internal.reduce.Scratch;
import dev.jcomms.jccl.internal.reduce.Terms;
import java.lang.foreign.MemorySegment;

/**
 * Drives vector loops over native memory, a block at a time; leaves to the scalar twin what is less
 * than a vector, heap memory, and memory confined to a thread: a loop compiled for memory that is
 * anyone's is thrown away when it meets some that is not, and then again, and again.
 *
 * <p>Up to four terms go from their memory through registers to the result. With more, a block is
 * folded four, then three more, then three more, in the accumulating type, in scratch memory that
 * stays in the first-level cache; only the last step writes the result, so it may replace any term.
 */
final class VectorKernel implements Kernel {
  /** Elements of a block that needs no scratch: long enough for a machine's prefetching to pay. */
  private static final int LONG_BLOCK = 1 << 18;

  /** Owns no memory, so what it may access is confined to no thread. */
  private static final Thread NOBODY = Thread.ofPlatform().unstarted(() -> {});

  private final Class<?> template;
  private final Recipe recipe;
  private final Kernel scalar;
  private final Loops whole;
  private final int lanes;

  /** First, middle and last steps of reductions of many terms. Benign race: copies are equal. */
  private volatile Loops[] stages;

  VectorKernel(Class<?> template, Recipe recipe, Kernel scalar) {
    this.template = template;
    this.recipe = recipe;
    this.scalar = scalar;
    this.whole = Specialised.of(template, recipe);
    this.lanes = VectorKernels.bits() / Byte.SIZE / recipe.accumulator().bytes();
  }

  @Override
  public void run(Terms terms, MemorySegment out, long outAt, long from, long to, int divisor) {
    long end = from;
    if (worthwhile(terms, out)) {
      end = to - (to - from) % lanes;
      Step step = new Step(divisor);
      int block = terms.count() <= Step.OPERANDS ? LONG_BLOCK : Scratch.MEMORY_ELEMENTS;
      for (long start = from; start < end; start += block) {
        int count = (int) Math.min(block, end - start);
        block(step, terms, out, outAt + start * recipe.out().bytes(), start, count);
      }
    }
    if (end < to) {
      scalar.run(terms, out, outAt, end, to, divisor);
    }
  }

  private boolean worthwhile(Terms terms, MemorySegment out) {
    boolean all = fit(out) && whole.has(Math.min(terms.count(), Step.OPERANDS));
    for (int k = 0; all && k < terms.count(); k++) {
      all = fit(terms.segment(k));
    }
    return all;
  }

  private static boolean fit(MemorySegment segment) {
    return segment.isNative() && segment.isAccessibleBy(NOBODY);
  }

  private void block(Step step, Terms terms, MemorySegment out, long outAt, long start, int count) {
    int n = terms.count();
    if (n <= Step.OPERANDS) {
      step.into(out, outAt);
      add(step, terms, 0, n, start);
      whole.run(step, count);
      return;
    }
    Loops[] stages = stages();
    MemorySegment folded = terms.scratch().memory();
    step.into(folded, 0);
    add(step, terms, 0, Step.OPERANDS, start);
    stages[0].run(step, count);
    int done = Step.OPERANDS;
    while (done < n) {
      int next = Math.min(n, done + Step.OPERANDS - 1);
      boolean last = next == n;
      step.into(last ? out : folded, last ? outAt : 0);
      step.add(folded, 0, 1);
      add(step, terms, done, next, start);
      stages[last ? 2 : 1].run(step, count);
      done = next;
    }
  }

  private void add(Step step, Terms terms, int from, int to, long start) {
    for (int k = from; k < to; k++) {
      step.add(terms.segment(k), terms.at(k) + start * recipe.in().bytes(), terms.factor(k));
    }
  }

  private Loops[] stages() {
    Loops[] made = stages;
    if (made == null) {
      made =
          new Loops[] {
            loops(recipe.opening()), loops(recipe.opening().continued()), loops(recipe.continued())
          };
      stages = made;
    }
    return made;
  }

  private Loops loops(Recipe stage) {
    return stage.equals(recipe) ? whole : Specialised.of(template, stage);
  }
}
