package dev.jcomms.cli.bench.op;

import java.util.List;
import java.util.stream.Collectors;

/** The operations that can be measured. */
public final class Operations {
  private static final List<Operation> ALL =
      List.of(
          new AllReduce(),
          new Broadcast(),
          new AllGather(),
          new ReduceScatter(),
          new AllToAll(),
          new Reduce(),
          new Gather(),
          new Scatter(),
          new SendRecv(),
          new Barrier());

  private Operations() {}

  public static List<Operation> all() {
    return ALL;
  }

  /** {@code all_reduce, broadcast, …}. */
  public static String names() {
    return ALL.stream().map(Operation::opName).collect(Collectors.joining(", "));
  }

  /**
   * The operation of a name.
   *
   * @throws IllegalArgumentException listing those there are
   */
  public static Operation of(String name) {
    return ALL.stream()
        .filter(op -> op.opName().equals(name.replace('-', '_')))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "no operation named '" + name + "'; there are " + names() + ", or all"));
  }
}
