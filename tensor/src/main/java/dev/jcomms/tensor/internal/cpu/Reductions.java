package dev.jcomms.tensor.internal.cpu;

import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Scalar;
import dev.jcomms.tensor.Tensor;
import java.lang.ref.Reference;
import java.util.function.DoubleUnaryOperator;

/**
 * Reductions to one number: sums, products, extremes, and what is made of them by a function before
 * (norms) or after (means).
 *
 * <p>Blocks of floats are folded in float, and their results in double, with what a sum rounds off
 * carried along; whole numbers in {@code long}. Results do not depend on the number of threads.
 */
public final class Reductions {
  /** Rows that columns are folded over in float before they are added up in double. */
  private static final int ROWS_AT_ONCE = 64;

  /** Elements of one result that one thread folds at a time. */
  private static final long PIECE = Parallel.GRAIN;

  private Reductions() {}

  /**
   * What is to be computed.
   *
   * @param before applied to each element, with its parameter; null for none
   * @param after applied to each result that is not a whole number
   */
  public record Recipe(Fold fold, Function before, Scalar parameter, DoubleUnaryOperator after) {
    public Recipe(Fold fold) {
      this(fold, null, Scalar.ZERO, DoubleUnaryOperator.identity());
    }
  }

  /**
   * Reduces the dimensions that {@code reduce} marks.
   *
   * @param compute the dtype of the arithmetic
   * @param out with the shape of what is kept; reduced dimensions may be there with size 1
   */
  public static void run(Recipe recipe, DType compute, Tensor in, boolean[] reduce, Tensor out) {
    if (out.elements() == 0) {
      return;
    }
    Overlap.refuseInside(out);
    Tensor from = Overlap.isHarmful(out, in) ? in.copy() : Memory.addressable(in);
    Tensor to = Memory.isAddressable(out) ? out : Tensor.empty(out.dtype(), out.shape());
    new Task(recipe, Carrier.of(compute), new ReductionPlan(from, reduce, to)).run();
    if (to != out) {
      out.copyFrom(to);
    }
    Reference.reachabilityFence(from);
    Reference.reachabilityFence(in);
    Reference.reachabilityFence(out);
  }

  private static final class Task {
    private final Recipe recipe;
    private final Fold fold;
    private final Carrier carrier;
    private final Kernel before;
    private final long parameter;
    private final ReductionPlan plan;
    private final long length;

    Task(Recipe recipe, Carrier carrier, ReductionPlan plan) {
      this.recipe = recipe;
      this.fold = recipe.fold();
      this.carrier = carrier;
      this.before = recipe.before() == null ? null : recipe.before().kernel(carrier);
      this.parameter = carrier.bits(recipe.parameter());
      this.plan = plan;
      this.length = plan.reduced.elements;
    }

    void run() {
      long results = plan.kept.elements;
      if (length == 0) {
        fillWithNothing(results);
      } else if (plan.isByColumns()) {
        long grain = Math.max(Scratch.BLOCK, PIECE / length / Scratch.BLOCK * Scratch.BLOCK);
        Parallel.run(results, grain, this::columns);
      } else if (results == 1 && length > PIECE) {
        pieces();
      } else {
        Parallel.run(results, Math.max(1, PIECE / length), this::rows);
      }
    }

    private void fillWithNothing(long results) {
      Total total = new Total(fold);
      Cursor cursor = plan.results(0);
      for (long number = 0; number < results; number++) {
        store(total, cursor, number);
      }
    }

    private void store(Total total, Cursor cursor, long number) {
      long block = Scratch.mine().block(0);
      if (carrier == Carrier.LONG) {
        Memory.put(block, total.whole());
        cursor.store(Carrier.LONG, block, number, 1);
      } else {
        Memory.put(block, recipe.after().applyAsDouble(total.value()));
        cursor.store(Carrier.DOUBLE, block, number, 1);
      }
    }

    private void rows(long from, long to) {
      Cursor results = plan.results(0);
      for (long number = from; number < to; number++) {
        Total total = new Total(fold);
        foldRow(number, 0, length, total);
        store(total, results, number);
      }
    }

    /** One long row, in pieces that threads share; each piece's result has its place. */
    private void pieces() {
      int count = (int) ((length + PIECE - 1) / PIECE);
      Total[] totals = new Total[count];
      Parallel.run(
          length,
          PIECE,
          (from, to) -> {
            for (long at = from; at < to; at += PIECE) {
              Total total = new Total(fold);
              foldRow(0, at, Math.min(to, at + PIECE), total);
              totals[(int) (at / PIECE)] = total;
            }
          });
      Total all = new Total(fold);
      for (Total total : totals) {
        all.add(total);
      }
      store(all, plan.results(0), 0);
    }

    private void foldRow(long number, long from, long to, Total total) {
      Scratch scratch = Scratch.mine();
      long direct = plan.flatRow(number, carrier);
      Cursor cursor = direct == 0 ? plan.row(number) : null;
      int most = direct == 0 || before != null ? Scratch.BLOCK : 8 * Scratch.BLOCK;
      for (long at = from; at < to; ) {
        int n = (int) Math.min(most, to - at);
        long block = direct + at * carrier.bytes;
        if (direct == 0) {
          block = scratch.block(1);
          cursor.load(at, n, carrier, block);
        }
        if (before != null) {
          before.run(scratch.block(2), block, 0, 0, n, parameter, 0);
          block = scratch.block(2);
        }
        if (carrier == Carrier.LONG) {
          total.add(fold.runWhole(block, n));
        } else {
          total.add(fold.run(carrier, block, n));
        }
        at += n;
      }
      Reference.reachabilityFence(scratch);
    }

    /** A block of results at a time: their first inputs, then the second ones, and so on. */
    private void columns(long from, long to) {
      Scratch scratch = Scratch.mine();
      Kernel combine = fold.combine.kernel(carrier);
      long one = carrier.bits(Scalar.ONE);
      Cursor results = plan.results(0);
      long row = plan.kept.sizes[0];
      boolean byRow = plan.kept.sizes.length > 1 && row >= 256;
      for (long at = from; at < to; ) {
        int n = (int) Math.min(Scratch.BLOCK, to - at);
        if (byRow) {
          n = (int) Math.min(n, row - at % row);
        }
        boolean direct =
            plan.in.dtype() == carrier.dtype
                && (plan.kept.isFlat(0) || byRow && plan.kept.steps[0][0] == carrier.bytes);
        double[] totals = carrier == Carrier.LONG ? null : new double[n];
        long acc = scratch.block(0);
        long kept = direct ? plan.kept.offset(0, at) : 0;
        for (long r = 0; r < length; r++) {
          long base = plan.address + plan.reduced.offset(0, r);
          long block = base + kept;
          if (!direct) {
            block = scratch.block(1);
            new Cursor(plan.kept, 0, plan.in.dtype(), base).load(at, n, carrier, block);
          }
          if (before != null) {
            before.run(scratch.block(2), block, 0, 0, n, parameter, 0);
            block = scratch.block(2);
          }
          if (r % ROWS_AT_ONCE == 0) {
            if (r > 0) {
              flush(totals, acc, n, r == ROWS_AT_ONCE);
            }
            if (totals == null && r > 0) {
              combine.run(acc, acc, block, 0, n, one, 0);
            } else {
              Memory.copy(block, acc, (long) n * carrier.bytes);
            }
          } else {
            combine.run(acc, acc, block, 0, n, one, 0);
          }
        }
        if (totals == null) {
          results.store(Carrier.LONG, acc, at, n);
        } else {
          flush(totals, acc, n, length <= ROWS_AT_ONCE);
          for (int i = 0; i < n; i++) {
            Memory.put(acc + i * 8L, recipe.after().applyAsDouble(totals[i]));
          }
          results.store(Carrier.DOUBLE, acc, at, n);
        }
        at += n;
      }
      Reference.reachabilityFence(scratch);
    }

    private void flush(double[] totals, long acc, int n, boolean first) {
      if (totals == null) {
        return; // whole numbers lose nothing
      }
      for (int i = 0; i < n; i++) {
        double value =
            carrier == Carrier.FLOAT
                ? Memory.getFloat(acc + i * 4L)
                : Memory.getDouble(acc + i * 8L);
        totals[i] = first ? value : fold.apply(totals[i], value);
      }
    }
  }
}
