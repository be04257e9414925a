package dev.jcomms.testkit.scenario;

import dev.jcomms.Collective;
import dev.jcomms.ReduceOp;
import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Tensor;
import dev.jcomms.testkit.Needs;
import dev.jcomms.testkit.Rank;
import dev.jcomms.testkit.Scenario;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongToDoubleFunction;
import java.util.stream.Stream;

/** What is particular about the arithmetic of reductions: rounding, NaN, truncation. */
final class ArithmeticScenarios {
  private ArithmeticScenarios() {}

  static Stream<Scenario> all() {
    return Stream.of(
            Collective.AllReduce.class,
            Collective.Reduce.class,
            Collective.ReduceScatterSingle.class)
        .flatMap(ArithmeticScenarios::of);
  }

  /** The rules of every reduction; one may be made otherwise than the next. */
  private static Stream<Scenario> of(Class<? extends Collective> kind) {
    return Stream.of(
            Stream.of(DType.F64, DType.F32, DType.F16, DType.BF16)
                .map(
                    dtype ->
                        of(
                            kind,
                            "min and max of " + dtype + " propagate NaN",
                            dtype,
                            1,
                            ArithmeticScenarios::nan)),
            Stream.of(DType.F16, DType.BF16)
                .map(
                    dtype ->
                        of(
                            kind,
                            dtype + " accumulates in f32",
                            dtype,
                            3,
                            ArithmeticScenarios::accumulatesWide)),
            Stream.of(DType.I64, DType.I32, DType.I16, DType.I8)
                .map(
                    dtype ->
                        of(
                            kind,
                            "avg of " + dtype + " truncates toward zero",
                            dtype,
                            1,
                            ArithmeticScenarios::truncates)),
            Stream.of(
                of(
                    kind,
                    "premul_sum takes its factor from a tensor",
                    DType.BF16,
                    1,
                    ArithmeticScenarios::tensorFactor)))
        .flatMap(s -> s);
  }

  private static Scenario of(
      Class<? extends Collective> kind, String name, DType dtype, int ranks, Consumer<Call> body) {
    return new Scenario(
        Collective.nameOf(kind) + "/" + name,
        Needs.ops(kind).and(dtype).ranks(ranks),
        rank -> body.accept(new Call(kind, rank, dtype)));
  }

  /** One kind of reduction on one rank. */
  private record Call(Class<? extends Collective> kind, Rank rank, DType dtype) {
    /** Of a reduce_scatter every section is the same. */
    void run(
        String what,
        ReduceOp op,
        long count,
        LongToDoubleFunction mine,
        LongToDoubleFunction expected) {
      Trial t =
          new Trial(
              rank,
              "%s %s of %d x %s%s"
                  .formatted(Collective.nameOf(kind), op.opName(), count, dtype, what));
      int root = rank.size() - 1;
      if (kind == Collective.ReduceScatterSingle.class) {
        Tensor input =
            t.input("input", dtype, count * rank.size(), i -> mine.applyAsDouble(i % count));
        Tensor output = t.output("output", dtype, count, expected);
        t.run(new Collective.ReduceScatterSingle(output, input, op));
      } else if (kind == Collective.Reduce.class && rank.number() != root) {
        t.run(new Collective.Reduce(t.input("tensor", dtype, count, mine), root, op));
      } else {
        Tensor tensor = t.inPlace("tensor", dtype, count, mine, expected, _ -> 0);
        t.run(
            kind == Collective.Reduce.class
                ? new Collective.Reduce(tensor, root, op)
                : new Collective.AllReduce(tensor, tensor, op));
      }
    }
  }

  /** Position i is NaN on rank i alone, and position n on none. */
  private static void nan(Call call) {
    int n = call.rank().size();
    int me = call.rank().number();
    for (ReduceOp op : List.of(ReduceOp.MIN, ReduceOp.MAX)) {
      call.run(
          " with NaN on one rank each",
          op,
          n + 1L,
          i -> i == me ? Double.NaN : me + 1,
          i -> i < n ? Double.NaN : op == ReduceOp.MIN ? 1 : n);
    }
  }

  /**
   * One rank has a number at which the dtype counts by twos, the others have 1: who rounds after
   * each addition loses them. Every rank has the large one somewhere, so no order hides it.
   */
  private static void accumulatesWide(Call call) {
    int n = call.rank().size();
    double large = call.dtype() == DType.F16 ? 2048 : 256;
    double exact = large + (n - 1);
    double rounded = Tensor.scalar(call.dtype(), exact).to(DType.F64).getDouble();
    call.run(
        ", one large and the others 1",
        ReduceOp.SUM,
        40L * n,
        i -> i % n == call.rank().number() ? large : 1,
        _ -> rounded);
  }

  /** Sums that are no multiple of n, on both sides of zero. */
  private static void truncates(Call call) {
    int n = call.rank().size();
    call.run(
        " that does not divide",
        ReduceOp.AVG,
        21,
        i -> call.rank().number() == 0 ? i - 10 : 0,
        i -> (i - 10) / n);
  }

  private static void tensorFactor(Call call) {
    int n = call.rank().size();
    call.run(
        " with factor 2",
        ReduceOp.premulSum(Tensor.scalar(DType.BF16, 2.0)),
        100,
        _ -> call.rank().number() % 4,
        _ -> 2.0 * java.util.stream.IntStream.range(0, n).map(r -> r % 4).sum());
  }
}
