package dev.jcomms.jccl.internal.algo.tcp;

import dev.jcomms.jccl.internal.algo.allreduce.DirectAllReduce;
import dev.jcomms.jccl.internal.algo.allreduce.RecursiveDoublingAllReduce;
import java.util.List;

/** Which algorithm for what: all limits in one place. */
final class Menus {
  private static final long KIB = 1 << 10;

  static final Menu<Reduction> ALL_REDUCE =
      new Menu<>(
          "all_reduce",
          List.of(
              new Menu.Rule<>(32 * KIB, Integer.MAX_VALUE, new RecursiveDoublingAllReduce()),
              Menu.Rule.otherwise(new DirectAllReduce())),
          List.of());

  private Menus() {}
}
