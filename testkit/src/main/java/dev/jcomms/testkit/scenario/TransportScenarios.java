package dev.jcomms.testkit.scenario;

import dev.jcomms.Collective;
import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Tensor;
import dev.jcomms.testkit.Needs;
import dev.jcomms.testkit.Rank;
import dev.jcomms.testkit.Scenario;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongFunction;
import java.util.stream.Stream;

/**
 * The collectives that only move elements, with every dtype. What a rank has for another is {@code
 * Values.of(dtype, sender, receiver, position)}; what it has for all is meant for {@link #ALL}.
 */
final class TransportScenarios {
  static final int ALL = -1;

  private TransportScenarios() {}

  static Stream<Scenario> all() {
    return Arrays.stream(DType.values())
        .flatMap(
            dtype ->
                Stream.of(
                    of(Collective.Broadcast.class, dtype, TransportScenarios::broadcast),
                    of(Collective.AllGather.class, dtype, TransportScenarios::allGather),
                    of(Collective.AllGatherV.class, dtype, TransportScenarios::allGatherV),
                    of(
                        Collective.AllGatherSingle.class,
                        dtype,
                        TransportScenarios::allGatherSingle),
                    of(Collective.AllToAll.class, dtype, TransportScenarios::allToAll),
                    of(Collective.AllToAllSingle.class, dtype, TransportScenarios::allToAllSingle),
                    of(Collective.Scatter.class, dtype, TransportScenarios::scatter),
                    of(Collective.Gather.class, dtype, TransportScenarios::gather),
                    of(Collective.GatherSingle.class, dtype, TransportScenarios::gatherSingle)));
  }

  private interface Body {
    void run(Rank rank, DType dtype);
  }

  private static Scenario of(Class<? extends Collective> kind, DType dtype, Body body) {
    return new Scenario(
        Collective.nameOf(kind) + "/moves " + dtype,
        Needs.ops(kind).and(dtype),
        rank -> body.run(rank, dtype));
  }

  /** {@code broadcast of 7 x f32 from root 2}. */
  private static String what(Class<? extends Collective> kind, long count, DType dtype) {
    return Collective.nameOf(kind) + " of " + count + " x " + dtype;
  }

  /** Every root with few elements; the other counts with some root. */
  private static void rooted(Rank rank, DType dtype, Rooted body) {
    for (int root = 0; root < rank.size(); root++) {
      body.run(rank.size() + 1L, root);
    }
    int root = 0;
    for (long count : Counts.of(rank, dtype)) {
      body.run(count, ++root % rank.size());
    }
  }

  private interface Rooted {
    void run(long count, int root);
  }

  private static List<Tensor> perRank(Rank rank, LongFunction<Tensor> tensor) {
    List<Tensor> tensors = new ArrayList<>();
    for (int r = 0; r < rank.size(); r++) {
      tensors.add(tensor.apply(r));
    }
    return tensors;
  }

  private static void broadcast(Rank rank, DType dtype) {
    rooted(
        rank,
        dtype,
        (count, root) -> {
          Trial t =
              new Trial(
                  rank, what(Collective.Broadcast.class, count, dtype) + " from root " + root);
          Tensor tensor =
              t.inPlace(
                  "tensor",
                  dtype,
                  count,
                  i -> Values.of(dtype, rank.number(), ALL, i),
                  i -> Values.of(dtype, root, ALL, i),
                  _ -> 0);
          t.run(new Collective.Broadcast(tensor, root));
        });
  }

  private static void allGather(Rank rank, DType dtype) {
    for (long count : Counts.of(rank, dtype)) {
      Trial t = new Trial(rank, what(Collective.AllGather.class, count, dtype));
      Tensor input = t.input("input", dtype, count, i -> Values.of(dtype, rank.number(), ALL, i));
      List<Tensor> outputs =
          perRank(
              rank,
              r ->
                  t.output(
                      "outputs[" + r + "]", dtype, count, i -> Values.of(dtype, (int) r, ALL, i)));
      t.run(new Collective.AllGather(outputs, input));
    }
  }

  private static void allGatherV(Rank rank, DType dtype) {
    for (long count : Counts.small(rank)) {
      // Sizes grow with the rank, and every third rank has nothing.
      LongFunction<Long> sizes = r -> r % 3 == 2 ? 0 : count + r;
      Trial t = new Trial(rank, "all_gather_v of " + count + " + rank x " + dtype);
      Tensor input =
          t.input(
              "input",
              dtype,
              sizes.apply(rank.number()),
              i -> Values.of(dtype, rank.number(), ALL, i));
      List<Tensor> outputs =
          perRank(
              rank,
              r ->
                  t.output(
                      "outputs[" + r + "]",
                      dtype,
                      sizes.apply(r),
                      i -> Values.of(dtype, (int) r, ALL, i)));
      t.run(new Collective.AllGatherV(outputs, input));
    }
  }

  private static void allGatherSingle(Rank rank, DType dtype) {
    for (long count : Counts.of(rank, dtype)) {
      Trial t = new Trial(rank, what(Collective.AllGatherSingle.class, count, dtype));
      Tensor input = t.input("input", dtype, count, i -> Values.of(dtype, rank.number(), ALL, i));
      Tensor output =
          t.output(
              "output",
              dtype,
              count * rank.size(),
              i -> Values.of(dtype, (int) (i / count), ALL, i % count));
      t.run(new Collective.AllGatherSingle(output, input));
    }
  }

  private static void allToAll(Rank rank, DType dtype) {
    int me = rank.number();
    for (long count : Counts.small(rank)) {
      // Each pair of ranks has a size of its own.
      Trial t = new Trial(rank, "all_to_all of " + count + " + sender + receiver x " + dtype);
      List<Tensor> inputs =
          perRank(
              rank,
              r ->
                  t.input(
                      "inputs[" + r + "]",
                      dtype,
                      count + me + r,
                      i -> Values.of(dtype, me, (int) r, i)));
      List<Tensor> outputs =
          perRank(
              rank,
              r ->
                  t.output(
                      "outputs[" + r + "]",
                      dtype,
                      count + me + r,
                      i -> Values.of(dtype, (int) r, me, i)));
      t.run(new Collective.AllToAll(outputs, inputs));
    }
  }

  private static void allToAllSingle(Rank rank, DType dtype) {
    int me = rank.number();
    for (long count : Counts.of(rank, dtype)) {
      Trial t = new Trial(rank, what(Collective.AllToAllSingle.class, count, dtype) + " a rank");
      Tensor input =
          t.input(
              "input",
              dtype,
              count * rank.size(),
              i -> Values.of(dtype, me, (int) (i / count), i % count));
      Tensor output =
          t.output(
              "output",
              dtype,
              count * rank.size(),
              i -> Values.of(dtype, (int) (i / count), me, i % count));
      t.run(new Collective.AllToAllSingle(output, input));
    }
  }

  private static void scatter(Rank rank, DType dtype) {
    int me = rank.number();
    rooted(
        rank,
        dtype,
        (count, root) -> {
          Trial t =
              new Trial(rank, what(Collective.Scatter.class, count, dtype) + " from root " + root);
          List<Tensor> inputs =
              me == root
                  ? perRank(
                      rank,
                      r ->
                          t.input(
                              "inputs[" + r + "]",
                              dtype,
                              count,
                              i -> Values.of(dtype, root, (int) r, i)))
                  : List.of();
          Tensor output = t.output("output", dtype, count, i -> Values.of(dtype, root, me, i));
          t.run(new Collective.Scatter(output, inputs, root));
        });
  }

  private static void gather(Rank rank, DType dtype) {
    int me = rank.number();
    rooted(
        rank,
        dtype,
        (count, root) -> {
          Trial t =
              new Trial(rank, what(Collective.Gather.class, count, dtype) + " to root " + root);
          Tensor input = t.input("input", dtype, count, i -> Values.of(dtype, me, root, i));
          List<Tensor> outputs =
              me == root
                  ? perRank(
                      rank,
                      r ->
                          t.output(
                              "outputs[" + r + "]",
                              dtype,
                              count,
                              i -> Values.of(dtype, (int) r, root, i)))
                  : List.of();
          t.run(new Collective.Gather(outputs, input, root));
        });
  }

  /** Elsewhere than on the root, the output is left alone, or not there. */
  private static void gatherSingle(Rank rank, DType dtype) {
    int me = rank.number();
    rooted(
        rank,
        dtype,
        (count, root) -> {
          Trial t =
              new Trial(
                  rank, what(Collective.GatherSingle.class, count, dtype) + " to root " + root);
          Tensor input = t.input("input", dtype, count, i -> Values.of(dtype, me, root, i));
          long all = count * rank.size();
          Tensor output =
              me == root
                  ? t.output(
                      "output",
                      dtype,
                      all,
                      i -> Values.of(dtype, (int) (i / count), root, i % count))
                  : me % 2 == 0
                      ? t.input("output", dtype, all, i -> Values.of(dtype, me, me, i))
                      : null;
          t.run(new Collective.GatherSingle(output, input, root));
        });
  }
}
