package dev.jcomms.jccl.internal.reduce;

import dev.jcomms.ReduceOp;
import dev.jcomms.tensor.DType;
import java.lang.foreign.MemorySegment;

/**
 * A reduction of one dtype by one operation. Immutable; any thread; {@link Reducers#of} gives them.
 *
 * <p>An algorithm that sees all contributions at once calls {@link #reduce}: one pass, one
 * rounding. One that sees them in stages keeps <em>partial</em> results in {@link #wideType()}, in
 * which nothing is rounded away between stages:
 *
 * <pre>{@code
 * r.fold(mine, at, terms, elements);           // elements of dtype() to a partial result
 * r.wide().fold(mine, at, partials, elements); // partial results to a partial result
 * r.finish(out, at, partial, elements, n);     // a partial result to elements of dtype()
 * }</pre>
 *
 * <p>For most dtypes the two types are the same one, a fold in stages costs nothing extra, and
 * {@code finish} is free where there is nothing to divide and nowhere to copy. They differ for f16
 * and bf16 (f32) and for {@code avg} of integers (i64), where a partial result takes two to eight
 * times the bytes of its elements.
 *
 * <p>Terms are folded from the first to the last. Ranks that fold the same contributions in the
 * same order get the same bits.
 *
 * <p>The result may overwrite a term exactly, element for element, where both have the same type.
 * Any other overlap is undefined. Offsets are in bytes and need no alignment.
 */
public final class Reducer {
  private final DType dtype;
  private final DType wideType;
  private final ReduceOp.Standard op;
  private final RowReducer rows;
  private final Kernel reduce;
  private final Kernel fold;
  private final Kernel finish;

  Reducer(
      DType dtype,
      DType wideType,
      ReduceOp.Standard op,
      RowReducer rows,
      Kernel reduce,
      Kernel fold,
      Kernel finish) {
    this.dtype = dtype;
    this.wideType = wideType;
    this.op = op;
    this.rows = rows;
    this.reduce = reduce;
    this.fold = fold;
    this.finish = finish;
  }

  /** The type of the elements that go in and come out. */
  public DType dtype() {
    return dtype;
  }

  /** The type of partial results. */
  public DType wideType() {
    return wideType;
  }

  /**
   * The reducer whose {@link #fold} joins partial results of this one. Factors have been applied by
   * then, so it has none.
   */
  public Reducer wide() {
    return Reducers.of(wideType, op);
  }

  /** Writes the reduction of all {@code worldSize} contributions, however many terms hold them. */
  public void reduce(MemorySegment out, long at, Terms terms, long elements, int worldSize) {
    check(out, at, dtype, terms, dtype, elements);
    reduce.run(terms, out, at, 0, elements, worldSize);
  }

  /**
   * Writes the reduction of contributions that lie in native memory at equal distances, where that
   * is faster than {@link #reduce}; else does nothing and returns false.
   *
   * @param table the memory of the rows, of which the output is no part
   * @param first where the first row begins
   * @param stride from a row to the next, in bytes
   */
  public boolean reduceRows(
      MemorySegment out,
      long at,
      MemorySegment table,
      long first,
      long stride,
      int count,
      long elements) {
    if (rows == null || !out.isNative() || !out.scope().isAlive() || !table.scope().isAlive()) {
      return false;
    }
    inside("output", out, at, dtype, elements);
    inside("row", table, first + (count - 1) * stride, dtype, elements);
    long start = table.address() + first;
    return reduceRows(start, stride, count, 0, start, out.address() + at, elements);
  }

  /** Whether there is a way for rows. */
  public boolean hasRows() {
    return rows != null;
  }

  /**
   * Reduces rows by their addresses: who calls it has made sure that the memory is there.
   *
   * @param mine the row that lies elsewhere
   * @param own the address of that row, which may be its place among the others
   * @param out the address of the result, which is no row but perhaps that one
   */
  public boolean reduceRows(
      long first, long stride, int count, int mine, long own, long out, long elements) {
    return rows.reduce(first, stride, count, mine, own, out, elements, count);
  }

  /** Writes the partial result of some contributions. */
  public void fold(MemorySegment partial, long at, Terms terms, long elements) {
    check(partial, at, wideType, terms, dtype, elements);
    fold.run(terms, partial, at, 0, elements, 1);
  }

  /** Turns the partial result of all contributions, the only term, into elements. */
  public void finish(MemorySegment out, long at, Terms partial, long elements, int worldSize) {
    if (partial.count() != 1) {
      throw new IllegalArgumentException(
          "finish: partial results=" + partial.count() + "; it takes one");
    }
    check(out, at, dtype, partial, wideType, elements);
    boolean inPlace = out == partial.segment(0) && at == partial.at(0);
    if (inPlace && dtype == wideType && op != ReduceOp.Standard.AVG) {
      return;
    }
    finish.run(partial, out, at, 0, elements, worldSize);
  }

  private static void check(
      MemorySegment out, long at, DType outType, Terms terms, DType inType, long elements) {
    if (terms.count() == 0) {
      throw new IllegalArgumentException("reduce: no terms");
    }
    if (out.isReadOnly()) {
      throw new IllegalArgumentException("reduce: the output is read-only");
    }
    inside("output", out, at, outType, elements);
    for (int k = 0; k < terms.count(); k++) {
      inside("term", terms.segment(k), terms.at(k), inType, elements);
    }
  }

  private static void inside(
      String what, MemorySegment segment, long at, DType type, long elements) {
    long bytes = segment.byteSize();
    // Not by dividing: a few elements are reduced in less time than that takes.
    boolean fits =
        at >= 0
            && at <= bytes
            && elements >= 0
            && elements <= bytes
            && elements * type.bytes() <= bytes - at;
    if (!fits) {
      throw new IndexOutOfBoundsException(
          "reduce: %d x %s at byte %d do not fit the %s's %d bytes"
              .formatted(elements, type, at, what, bytes));
    }
  }

  @Override
  public String toString() {
    return "Reducer[" + op.opName() + " of " + dtype + "]";
  }
}
