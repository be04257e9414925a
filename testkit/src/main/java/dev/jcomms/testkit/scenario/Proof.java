package dev.jcomms.testkit.scenario;

import dev.jcomms.Collective;
import dev.jcomms.Comm;
import dev.jcomms.OpOptions;
import dev.jcomms.ReduceOp;
import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import dev.jcomms.testkit.Rank;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Shows that a communicator works, with an operation that its backend has and in which every rank
 * hears of every other.
 */
final class Proof {
  /** The operations of use here, the best first. */
  static final List<Class<? extends Collective>> KINDS =
      List.of(
          Collective.AllReduce.class,
          Collective.AllGatherSingle.class,
          Collective.AllGather.class,
          Collective.AllToAllSingle.class,
          Collective.Barrier.class);

  private Proof() {}

  /** The dtype to use where any will do. */
  static DType dtype(Rank rank) {
    Set<DType> dtypes = rank.abilities().dtypes();
    return Stream.of(DType.F32, DType.I32, DType.F64, DType.I64, DType.BF16, DType.F16, DType.U8)
        .filter(dtypes::contains)
        .findFirst()
        .orElseGet(() -> dtypes.iterator().next());
  }

  /** Whether there is anything to show it with. */
  static Optional<Class<? extends Collective>> kind(Rank rank) {
    return KINDS.stream()
        .<Class<? extends Collective>>filter(rank.abilities().kinds()::contains)
        .findFirst();
  }

  /** Runs an operation and looks at the result; without any operation of use, does nothing. */
  static void works(Rank rank, Comm comm, String what) {
    kind(rank).ifPresent(kind -> run(rank, comm, kind, what));
  }

  private static void run(Rank rank, Comm comm, Class<? extends Collective> kind, String what) {
    DType dtype = dtype(rank);
    int n = comm.size();
    String call = Collective.nameOf(kind) + " on " + what + " as rank " + comm.rank() + " of " + n;
    Trial t = new Trial(rank, call);
    double mine = comm.rank() % 5 + 1;
    Collective op =
        switch (kind.getSimpleName()) {
          case "AllReduce" -> {
            double sum = 0;
            for (int r = 0; r < n; r++) {
              sum += r % 5 + 1;
            }
            double all = sum;
            Tensor tensor = t.inPlace("tensor", dtype, 7, _ -> mine, _ -> all, _ -> 0);
            yield new Collective.AllReduce(tensor, tensor, ReduceOp.SUM);
          }
          case "AllGatherSingle" ->
              new Collective.AllGatherSingle(
                  t.output("output", dtype, 3L * n, i -> i / 3 % 5 + 1),
                  t.input("input", dtype, 3, _ -> mine));
          case "AllGather" -> {
            List<Tensor> outputs = new ArrayList<>();
            for (int r = 0; r < n; r++) {
              int from = r;
              outputs.add(t.output("outputs[" + r + "]", dtype, 3, _ -> from % 5 + 1));
            }
            yield new Collective.AllGather(outputs, t.input("input", dtype, 3, _ -> mine));
          }
          case "AllToAllSingle" ->
              new Collective.AllToAllSingle(
                  t.output("output", dtype, n, i -> i % 5 + 1),
                  t.input("input", dtype, n, _ -> mine));
          default -> new Collective.Barrier();
        };
    comm.run(op, OpOptions.DEFAULT);
    t.verify();
  }

  /** An operation that cannot end before all ranks have called it, on tensors of no interest. */
  static Collective waiting(Rank rank) {
    Tensor one = rank.onDevice(Tensor.zeros(dtype(rank), Shape.of(rank.size())));
    Tensor host = Tensor.zeros(dtype(rank), Shape.of(rank.size()));
    Tensor other = rank.onDevice(host);
    return switch (kind(rank).orElseThrow().getSimpleName()) {
      case "AllReduce" -> new Collective.AllReduce(one, one, ReduceOp.SUM);
      case "AllGatherSingle" -> new Collective.AllGatherSingle(one, other.narrow(0, 0, 1));
      case "AllGather" ->
          new Collective.AllGather(
              Stream.generate(host::copy).limit(rank.size()).map(rank::onDevice).toList(), one);
      case "AllToAllSingle" -> new Collective.AllToAllSingle(one, other);
      default -> new Collective.Barrier();
    };
  }
}
