package dev.jcomms.testkit.scenario;

import dev.jcomms.Collective;
import dev.jcomms.CommException;
import dev.jcomms.CommMismatchException;
import dev.jcomms.CommTimeoutException;
import dev.jcomms.OpOptions;
import dev.jcomms.ReduceOp;
import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import dev.jcomms.testkit.ConformanceError;
import dev.jcomms.testkit.Needs;
import dev.jcomms.testkit.Rank;
import dev.jcomms.testkit.Scenario;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;

/**
 * One rank calls something else than the others: they are told, at once and not by a timeout. Where
 * the first to find out aborts the others, the reason they get must tell of the disagreement.
 */
final class MismatchScenarios {
  private static final Duration TIMEOUT = Duration.ofSeconds(3);

  /** Operations in a row after which a backend may have given up asking whether ranks agree. */
  private static final int ALIKE = 40;

  private MismatchScenarios() {}

  private interface Calls {
    Collective of(Rank rank, boolean odd);
  }

  /** Who must be told; others have nothing to do with the odd one, and may succeed. */
  private enum Told {
    EVERYBODY,
    ODD_ONE,
    ROOT,
    OTHERS;

    boolean is(Rank rank, boolean odd) {
      return switch (this) {
        case EVERYBODY -> true;
        case ODD_ONE -> odd;
        case ROOT -> rank.number() == 0;
        case OTHERS -> !odd;
      };
    }
  }

  /** What the ranks of an operation agree on; the root is rank 0 but for the odd one. */
  private record Form(
      Class<? extends Collective> kind, DType dtype, long count, ReduceOp op, int root) {
    Form(Class<? extends Collective> kind) {
      this(kind, DType.F32, 10, ReduceOp.SUM, 0);
    }

    Form dtype(DType other) {
      return new Form(kind, other, count, op, root);
    }

    Form count(long other) {
      return new Form(kind, dtype, other, op, root);
    }

    Form op(ReduceOp other) {
      return new Form(kind, dtype, count, other, root);
    }

    Form root(int other) {
      return new Form(kind, dtype, count, op, other);
    }

    Collective on(Rank rank) {
      int n = rank.size();
      return switch (kind.getSimpleName()) {
        case "AllReduce" -> new Collective.AllReduce(tensor(rank, 1), tensor(rank, 1), op);
        case "Reduce" -> new Collective.Reduce(tensor(rank, 1), root, op);
        case "Broadcast" -> new Collective.Broadcast(tensor(rank, 1), root);
        case "AllGather" -> new Collective.AllGather(tensors(rank), tensor(rank, 1));
        case "AllGatherV" -> new Collective.AllGatherV(tensors(rank), tensor(rank, 1));
        case "AllGatherSingle" -> new Collective.AllGatherSingle(tensor(rank, n), tensor(rank, 1));
        case "ReduceScatter" -> new Collective.ReduceScatter(tensor(rank, 1), tensors(rank), op);
        case "ReduceScatterV" -> new Collective.ReduceScatterV(tensor(rank, 1), tensors(rank), op);
        case "ReduceScatterSingle" ->
            new Collective.ReduceScatterSingle(tensor(rank, 1), tensor(rank, n), op);
        case "AllToAll" -> new Collective.AllToAll(tensors(rank), tensors(rank));
        case "AllToAllSingle" -> new Collective.AllToAllSingle(tensor(rank, n), tensor(rank, n));
        case "AllToAllVSingle" -> {
          List<Long> splits = Collections.nCopies(n, count);
          yield new Collective.AllToAllVSingle(tensor(rank, n), tensor(rank, n), splits, splits);
        }
        case "Gather" -> new Collective.Gather(tensors(rank), tensor(rank, 1), root);
        case "GatherSingle" -> new Collective.GatherSingle(tensor(rank, n), tensor(rank, 1), root);
        case "Scatter" -> new Collective.Scatter(tensor(rank, 1), tensors(rank), root);
        case "Barrier" -> new Collective.Barrier();
        default -> throw new AssertionError(kind);
      };
    }

    private Tensor tensor(Rank rank, int sections) {
      return MismatchScenarios.tensor(rank, dtype, count * sections);
    }

    private List<Tensor> tensors(Rank rank) {
      return Stream.generate(() -> tensor(rank, 1)).limit(rank.size()).toList();
    }
  }

  static Stream<Scenario> all() {
    return Stream.of(
            Collective.kinds().stream()
                .filter(MismatchScenarios::hasForm)
                .flatMap(MismatchScenarios::of),
            Stream.of(
                against(
                    Collective.AllReduce.class, Collective.AllGatherSingle.class, Told.EVERYBODY),
                against(Collective.AllReduce.class, Collective.Barrier.class, Told.EVERYBODY),
                against(
                    Collective.AllGather.class, Collective.AllGatherSingle.class, Told.EVERYBODY),
                against(
                    Collective.ReduceScatterSingle.class,
                    Collective.AllToAllSingle.class,
                    Told.EVERYBODY),
                against(Collective.Reduce.class, Collective.AllReduce.class, Told.ODD_ONE),
                against(Collective.Reduce.class, Collective.Broadcast.class, Told.ODD_ONE),
                against(Collective.Gather.class, Collective.Scatter.class, Told.ODD_ONE),
                against(Collective.Broadcast.class, Collective.Barrier.class, Told.ODD_ONE)),
            pointToPoint())
        .flatMap(scenarios -> scenarios);
  }

  private static boolean hasForm(Class<? extends Collective> kind) {
    return !Collective.PointToPoint.class.isAssignableFrom(kind)
        && kind != Collective.SendRecvBatch.class
        && kind != Collective.Barrier.class
        && kind != Collective.MonitoredBarrier.class;
  }

  /** One kind of operation, with a difference in each of the things that ranks must agree on. */
  private static Stream<Scenario> of(Class<? extends Collective> kind) {
    String name = Collective.nameOf(kind);
    Form form = new Form(kind);
    Needs needs = Needs.ops(kind).and(DType.F32).ranks(2);
    boolean rooted = Collective.Rooted.class.isAssignableFrom(kind);
    boolean fromRoot = kind == Collective.Broadcast.class || kind == Collective.Scatter.class;
    Told told = !rooted ? Told.EVERYBODY : fromRoot ? Told.ODD_ONE : Told.ROOT;
    List<Scenario> scenarios = new ArrayList<>();
    scenarios.add(last(name + " of different sizes", needs, told, form, form.count(11)));
    scenarios.add(last(name + " of few elements and many", needs, told, form, form.count(300_000)));
    scenarios.add(
        last(
            name + " of as many bytes in different dtypes",
            needs.and(DType.I32),
            told,
            form,
            form.dtype(DType.I32)));
    scenarios.add(
        scenario(
            name + " of different sizes after many alike",
            needs,
            told,
            (rank, odd) -> {
              for (int k = 0; k < ALIKE; k++) {
                rank.comm().run(form.on(rank), OpOptions.timeout(rank.patience()));
              }
              // One that is behind would be told in the midst of those.
              rank.meet();
              return (odd ? form.count(11) : form).on(rank);
            }));
    if (Collective.Reduction.class.isAssignableFrom(kind)) {
      scenarios.add(
          last(name + " with different reduce ops", needs, told, form, form.op(ReduceOp.MAX)));
    }
    if (rooted) {
      scenarios.add(
          scenario(
              name + " with different roots",
              needs,
              Told.ODD_ONE,
              (rank, odd) -> form.root(odd ? rank.number() : 0).on(rank)));
      scenarios.add(
          scenario(
              name + " of a size that only the root has",
              needs,
              fromRoot ? Told.OTHERS : Told.ODD_ONE,
              0,
              (rank, odd) -> (odd ? form.count(11) : form).on(rank)));
    }
    return scenarios.stream();
  }

  private static Scenario against(
      Class<? extends Collective> kind, Class<? extends Collective> odd, Told told) {
    return last(
        Collective.nameOf(kind) + " against " + Collective.nameOf(odd),
        Needs.ops(kind).and(odd).and(DType.F32).ranks(2),
        told,
        new Form(kind),
        new Form(odd));
  }

  private static Stream<Scenario> pointToPoint() {
    Needs needs =
        Needs.ops(Collective.Send.class, Collective.Recv.class)
            .and(Collective.Barrier.class)
            .and(DType.F32)
            .ranks(2);
    return Stream.of(
        scenario(
            "send and recv of different sizes",
            needs,
            Told.ODD_ONE,
            (rank, odd) -> letter(rank, odd, DType.F32, 11)),
        scenario(
            "send and recv of as many bytes in different dtypes",
            needs.and(DType.I32),
            Told.ODD_ONE,
            (rank, odd) -> letter(rank, odd, DType.I32, 10)));
  }

  /** From rank 0 to the odd one, which expects 10 x f32. */
  private static Collective letter(Rank rank, boolean odd, DType dtype, long count) {
    return odd
        ? new Collective.Recv(tensor(rank, DType.F32, 10), 0, 0)
        : rank.number() == 0
            ? new Collective.Send(tensor(rank, dtype, count), rank.size() - 1, 0)
            : null;
  }

  private static Tensor tensor(Rank rank, DType dtype, long count) {
    return rank.onDevice(Tensor.ones(dtype, Shape.of(count)));
  }

  /** The last rank is the odd one. */
  private static Scenario last(String what, Needs needs, Told told, Form form, Form odd) {
    return scenario(what, needs, told, (rank, isOdd) -> (isOdd ? odd : form).on(rank));
  }

  private static Scenario scenario(String what, Needs needs, Told told, Calls calls) {
    return scenario(what, needs, told, -1, calls);
  }

  /** The odd one may be counted from the last. */
  private static Scenario scenario(String what, Needs needs, Told told, int oddOne, Calls calls) {
    return new Scenario(
        "mismatch/" + what + " is told",
        needs,
        rank -> run(rank, what, calls, told, rank.number() == Math.floorMod(oddOne, rank.size())));
  }

  private static void run(Rank rank, String what, Calls calls, Told told, boolean odd) {
    Collective op = calls.of(rank, odd);
    rank.meet(); // who came late would make it a timeout
    CommException failure = null;
    try {
      if (op != null) {
        rank.comm().run(op, OpOptions.timeout(TIMEOUT));
      }
    } catch (CommException e) {
      failure = e;
    }
    if (failure == null && told.is(rank, odd)) {
      throw new ConformanceError(
          rank
              + ": "
              + what
              + ": "
              + op.opName()
              + " must fail with CommMismatchException; it returned");
    }
    // A sender that waits for its receiver cannot know why it does not come.
    boolean mayTimeOut = op instanceof Collective.Send;
    if (failure != null
        && !(failure instanceof CommMismatchException)
        && !(mayTimeOut && failure instanceof CommTimeoutException)
        && !String.valueOf(failure.getMessage()).contains("disagree")) {
      throw new ConformanceError(
          rank
              + ": "
              + what
              + ": "
              + op.opName()
              + " must fail with CommMismatchException; it failed with "
              + failure,
          failure);
    }
    List<String> all =
        rank.exchange(failure instanceof CommMismatchException ? failure.getMessage() : "");
    Expect.that(
        rank,
        all.stream().anyMatch(message -> message.contains("rank")),
        what + ": no rank got a CommMismatchException that says who has what");
  }
}
