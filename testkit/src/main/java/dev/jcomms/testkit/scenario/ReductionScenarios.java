package dev.jcomms.testkit.scenario;

import dev.jcomms.Collective;
import dev.jcomms.ReduceOp;
import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Tensor;
import dev.jcomms.testkit.Needs;
import dev.jcomms.testkit.Rank;
import dev.jcomms.testkit.Scenario;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongFunction;
import java.util.function.LongToDoubleFunction;
import java.util.stream.Stream;

/** The collectives that combine elements: every dtype, every reduce op it has. */
final class ReductionScenarios {
  private static final int ALL = -1;

  private ReductionScenarios() {}

  static Stream<Scenario> all() {
    return Arrays.stream(DType.values())
        .filter(ReduceOp.SUM::accepts)
        .flatMap(
            dtype ->
                Stream.of(
                    of(Collective.AllReduce.class, dtype, ReductionScenarios::allReduce),
                    of(Collective.Reduce.class, dtype, ReductionScenarios::reduce),
                    of(Collective.ReduceScatter.class, dtype, ReductionScenarios::reduceScatter),
                    of(Collective.ReduceScatterV.class, dtype, ReductionScenarios::reduceScatterV),
                    of(
                        Collective.ReduceScatterSingle.class,
                        dtype,
                        ReductionScenarios::reduceScatterSingle)));
  }

  private static Scenario of(Class<? extends Collective> kind, DType dtype, Body body) {
    return new Scenario(
        Collective.nameOf(kind) + "/combines " + dtype,
        Needs.ops(kind).and(dtype),
        rank -> {
          for (ReduceOp op : Terms.ops(dtype)) {
            for (long count : op == ReduceOp.SUM ? Counts.of(rank, dtype) : some(rank)) {
              String what =
                  Collective.nameOf(kind) + " " + op.opName() + " of " + count + " x " + dtype;
              body.run(new Call(rank, dtype, op, count, what));
            }
          }
        });
  }

  /** One reduce op is tried with all counts; for the others a few will do. */
  private static List<Long> some(Rank rank) {
    return List.of(rank.size() + 1L, 257L);
  }

  private interface Body {
    void run(Call call);
  }

  /** One reduction, and what its ranks bring. */
  private record Call(Rank rank, DType dtype, ReduceOp op, long count, String what) {
    int me() {
      return rank.number();
    }

    ReduceOp mine() {
      return Terms.calledBy(me(), op);
    }

    LongToDoubleFunction term(int section) {
      return i -> Terms.of(dtype, op, rank.size(), me(), section, i);
    }

    LongToDoubleFunction result(int section) {
      return i -> Terms.expected(dtype, op, rank.size(), section, i);
    }

    LongToDoubleFunction slack(int section) {
      return i -> Terms.slack(rank, dtype, op, result(section).applyAsDouble(i));
    }

    List<Tensor> inputs(Trial t, LongFunction<Long> counts) {
      List<Tensor> inputs = new ArrayList<>();
      for (int r = 0; r < rank.size(); r++) {
        inputs.add(t.input("inputs[" + r + "]", dtype, counts.apply(r), term(r)));
      }
      return inputs;
    }

    Tensor output(Trial t, long elements) {
      return t.output("output", dtype, elements, result(me()), slack(me()));
    }
  }

  private static void allReduce(Call c) {
    Trial in = new Trial(c.rank(), c.what() + " in place");
    Tensor tensor =
        in.inPlace("tensor", c.dtype(), c.count(), c.term(ALL), c.result(ALL), c.slack(ALL));
    in.run(new Collective.AllReduce(tensor, tensor, c.mine()));
    Trial out = new Trial(c.rank(), c.what() + " into another tensor");
    Tensor input = out.input("input", c.dtype(), c.count(), c.term(ALL));
    Tensor output = out.output("output", c.dtype(), c.count(), c.result(ALL), c.slack(ALL));
    out.run(new Collective.AllReduce(output, input, c.mine()));
  }

  /** The first count with every root; the others with one. Only the root's tensor changes. */
  private static void reduce(Call c) {
    int n = c.rank().size();
    boolean everyRoot = c.count() == n + 1 && (c.op() == ReduceOp.SUM || c.op() == ReduceOp.MAX);
    int first = (int) (c.count() % n);
    for (int k = 0; k < (everyRoot ? n : 1); k++) {
      int root = (first + k) % n;
      Trial t = new Trial(c.rank(), c.what() + " to root " + root);
      Tensor tensor =
          c.me() == root
              ? t.inPlace("tensor", c.dtype(), c.count(), c.term(ALL), c.result(ALL), c.slack(ALL))
              : t.input("tensor", c.dtype(), c.count(), c.term(ALL));
      t.run(new Collective.Reduce(tensor, root, c.mine()));
    }
  }

  private static void reduceScatter(Call c) {
    Trial t = new Trial(c.rank(), c.what());
    List<Tensor> inputs = c.inputs(t, _ -> c.count());
    t.run(new Collective.ReduceScatter(c.output(t, c.count()), inputs, c.mine()));
  }

  /** Sections grow with the rank, and every third rank's is empty. */
  private static void reduceScatterV(Call c) {
    LongFunction<Long> counts = r -> r % 3 == 2 ? 0 : c.count() + r;
    Trial t = new Trial(c.rank(), c.what() + " + rank");
    List<Tensor> inputs = c.inputs(t, counts);
    t.run(new Collective.ReduceScatterV(c.output(t, counts.apply(c.me())), inputs, c.mine()));
  }

  private static void reduceScatterSingle(Call c) {
    Trial t = new Trial(c.rank(), c.what());
    Tensor input =
        t.input(
            "input",
            c.dtype(),
            c.count() * c.rank().size(),
            i -> c.term((int) (i / c.count())).applyAsDouble(i % c.count()));
    t.run(new Collective.ReduceScatterSingle(c.output(t, c.count()), input, c.mine()));
  }
}
