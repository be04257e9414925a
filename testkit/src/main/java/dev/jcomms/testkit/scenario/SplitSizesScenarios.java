package dev.jcomms.testkit.scenario;

import dev.jcomms.Collective;
import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import dev.jcomms.testkit.Needs;
import dev.jcomms.testkit.Rank;
import dev.jcomms.testkit.Scenario;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** all_to_all_v_single: how many rows go from whom to whom, in patterns. */
final class SplitSizesScenarios {
  /** Rows that one rank sends to another. */
  private interface Rows {
    long between(int sender, int receiver);
  }

  private record Pattern(String name, Rows rows, long columns) {}

  private static final List<Pattern> PATTERNS =
      List.of(
          new Pattern("uniform", (_, _) -> 100, 1),
          new Pattern("variable", (s, r) -> (s + 1) * (r + 1) * 3L, 1),
          new Pattern("some zero", (s, r) -> (s + r) % 3 == 0 ? 0 : 50 + s, 1),
          new Pattern("all zero", (_, _) -> 0, 1),
          new Pattern("odd ranks send nothing", (s, _) -> s % 2 == 0 ? 40 : 0, 1),
          new Pattern("only to the next rank", (s, r) -> r == s + 1 ? 77 : 0, 1),
          new Pattern("rows of three", (s, r) -> s + 2L * r, 3));

  private SplitSizesScenarios() {}

  static Stream<Scenario> all() {
    return Arrays.stream(DType.values())
        .map(
            dtype ->
                new Scenario(
                    "all_to_all_v_single/moves " + dtype + " in every pattern",
                    Needs.ops(Collective.AllToAllVSingle.class).and(dtype),
                    rank -> PATTERNS.forEach(pattern -> run(rank, dtype, pattern))));
  }

  private static void run(Rank rank, DType dtype, Pattern pattern) {
    int me = rank.number();
    int n = rank.size();
    List<Long> out = new ArrayList<>();
    List<Long> in = new ArrayList<>();
    for (int r = 0; r < n; r++) {
      in.add(pattern.rows().between(me, r));
      out.add(pattern.rows().between(r, me));
    }
    long columns = pattern.columns();
    Trial t =
        new Trial(
            rank, "all_to_all_v_single of " + dtype + ", " + pattern.name() + ", splits " + in);
    Tensor input =
        t.input(
            "input",
            dtype,
            shape(in, columns),
            i -> {
              int receiver = owner(in, i / columns);
              return Values.of(dtype, me, receiver, i - start(in, receiver) * columns);
            });
    Tensor output =
        t.output(
            "output",
            dtype,
            shape(out, columns),
            i -> {
              int sender = owner(out, i / columns);
              return Values.of(dtype, sender, me, i - start(out, sender) * columns);
            });
    t.run(new Collective.AllToAllVSingle(output, input, out, in));
  }

  private static Shape shape(List<Long> splits, long columns) {
    long rows = start(splits, splits.size());
    return columns == 1 ? Shape.of(rows) : Shape.of(rows, columns);
  }

  private static int owner(List<Long> splits, long row) {
    int r = 0;
    while (row >= start(splits, r + 1)) {
      r++;
    }
    return r;
  }

  private static long start(List<Long> splits, int rank) {
    return LongStream.range(0, rank).map(r -> splits.get((int) r)).sum();
  }
}
