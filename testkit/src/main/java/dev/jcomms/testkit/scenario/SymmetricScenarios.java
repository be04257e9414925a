package dev.jcomms.testkit.scenario;

import dev.jcomms.Collective;
import dev.jcomms.Comm;
import dev.jcomms.CommException;
import dev.jcomms.CommMismatchException;
import dev.jcomms.CommTimeoutException;
import dev.jcomms.OpOptions;
import dev.jcomms.ReduceOp;
import dev.jcomms.Work;
import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import dev.jcomms.testkit.Capability;
import dev.jcomms.testkit.ConformanceError;
import dev.jcomms.testkit.Needs;
import dev.jcomms.testkit.Rank;
import dev.jcomms.testkit.Scenario;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.LongToDoubleFunction;
import java.util.stream.Stream;

/** Symmetric memory: what it is, and that operations do not care where a tensor is. */
final class SymmetricScenarios {
  private static final Needs SYMMETRIC = Needs.capability(Capability.SYMMETRIC).onHost();
  private static final List<Long> COUNTS = List.of(0L, 1L, 7L, 1000L, 65_537L);

  private SymmetricScenarios() {}

  /**
   * Where the tensors of an operation are. Collective: every rank asks for as much as the others.
   */
  private enum Place {
    WHOLE("symmetric tensors"),
    EQUAL("views of symmetric tensors at equal offsets"),
    UNEQUAL("views of symmetric tensors at unequal offsets"),
    INPUTS("symmetric inputs and ordinary outputs"),
    OUTPUTS("ordinary inputs and symmetric outputs"),
    SOME("symmetric tensors of some ranks and ordinary ones of others");

    private final String text;

    Place(String text) {
      this.text = text;
    }
  }

  /** The tensors of one operation, each with room around it that nobody may write to. */
  private record Site(Rank rank, Place place, DType dtype, List<Tensor> around) {
    Tensor input(long count) {
      return tensor(count, false);
    }

    Tensor output(long count) {
      return tensor(count, true);
    }

    Tensor tensor(long count, boolean output) {
      long more = rank.size() + 5;
      Tensor room = rank.comm().symmetric(dtype, Shape.of(count + more));
      Tensor whole = rank.comm().symmetric(dtype, Shape.of(count));
      Tensor ordinary = Tensor.zeros(dtype, Shape.of(count));
      long start = place == Place.UNEQUAL ? rank.number() : 5;
      around.add(room.narrow(0, 0, start));
      around.add(room.narrow(0, start + count, more - start));
      return switch (place) {
        case WHOLE -> whole;
        case EQUAL, UNEQUAL -> room.narrow(0, start, count);
        case INPUTS -> output ? ordinary : whole;
        case OUTPUTS -> output ? whole : ordinary;
        case SOME -> rank.number() % 2 == 0 ? whole : ordinary;
      };
    }
  }

  /** An operation on tensors that are somewhere. */
  private interface Call {
    void run(Rank rank, Site at, DType dtype, long count);
  }

  static Stream<Scenario> all() {
    return Stream.of(
            Stream.of(
                of("is zeros of the dtype and shape asked for", SymmetricScenarios::zeros),
                of("is every rank's own", SymmetricScenarios::own),
                of("has its turn among operations", SymmetricScenarios::turn),
                of("is freed when the comm is closed", SymmetricScenarios::freed),
                of("cannot be recorded", SymmetricScenarios::recorded),
                new Scenario(
                    "symmetric/different shapes are told",
                    SYMMETRIC.and(DType.F32).ranks(2),
                    rank -> mismatch(rank, DType.F32, odd(rank) ? 9 : 10)),
                new Scenario(
                    "symmetric/different dtypes are told",
                    SYMMETRIC.and(DType.F32, DType.I32).ranks(2),
                    rank -> mismatch(rank, odd(rank) ? DType.I32 : DType.F32, 10)),
                new Scenario(
                    "symmetric/a rank that does not come is a timeout",
                    SYMMETRIC.and(DType.F32).ranks(2),
                    SymmetricScenarios::missing)),
            operations(Collective.AllReduce.class, SymmetricScenarios::allReduce),
            operations(Collective.Broadcast.class, SymmetricScenarios::broadcast),
            operations(Collective.AllGather.class, SymmetricScenarios::allGather),
            operations(Collective.AllGatherSingle.class, SymmetricScenarios::allGatherSingle),
            operations(Collective.ReduceScatterSingle.class, SymmetricScenarios::reduceScatter),
            operations(Collective.AllToAllSingle.class, SymmetricScenarios::allToAll))
        .flatMap(scenarios -> scenarios);
  }

  private static Scenario of(String what, Scenario.Body body) {
    return new Scenario("symmetric/" + what, SYMMETRIC.and(DType.I64), body);
  }

  private static Stream<Scenario> operations(Class<? extends Collective> kind, Call call) {
    return Stream.of(Place.values())
        .map(
            place ->
                new Scenario(
                    "symmetric/" + Collective.nameOf(kind) + " of " + place.text,
                    SYMMETRIC.and(kind).and(DType.I64, DType.F32),
                    rank -> {
                      for (long count : COUNTS) {
                        run(rank, place, call, DType.I64, count);
                      }
                      run(rank, place, call, DType.F32, 1000);
                    }));
  }

  private static void run(Rank rank, Place place, Call call, DType dtype, long count) {
    Site at = new Site(rank, place, dtype, new ArrayList<>());
    call.run(rank, at, dtype, count);
    // Others may still be writing.
    rank.meet();
    for (Tensor tensor : at.around()) {
      is(rank, "symmetric memory beside the tensors of an operation", tensor, _ -> 0);
    }
  }

  private static void zeros(Rank rank) {
    for (DType dtype : DType.values()) {
      if (!rank.abilities().dtypes().contains(dtype)) {
        continue;
      }
      for (Shape shape :
          List.of(Shape.scalar(), Shape.of(0), Shape.of(1), Shape.of(3, 5), Shape.of(70_000))) {
        Tensor tensor = rank.comm().symmetric(dtype, shape);
        Expect.equal(rank, "the dtype", dtype, tensor.dtype());
        Expect.equal(rank, "the shape", shape, tensor.shape());
        Expect.equal(rank, "the device", rank.comm().device(), tensor.device());
        Expect.that(rank, tensor.isContiguous(), "a symmetric tensor is not contiguous");
        is(rank, "a new symmetric tensor of " + shape + " x " + dtype, tensor, _ -> 0);
        // What comes next must not be made of what this one leaves.
        tensor.fill(1);
      }
    }
  }

  private static void own(Rank rank) {
    List<Tensor> tensors = new ArrayList<>();
    for (int k = 0; k < 20; k++) {
      int which = k;
      Tensor tensor = rank.comm().symmetric(DType.I64, Shape.of(100 + k % 3));
      write(tensor, i -> Values.of(DType.I64, rank.number(), which, i));
      tensors.add(tensor);
    }
    rank.meet();
    for (int k = 0; k < 20; k++) {
      int which = k;
      is(
          rank,
          "symmetric tensor " + k + ", which nobody else has written to",
          tensors.get(k),
          i -> Values.of(DType.I64, rank.number(), which, i));
    }
  }

  private static void turn(Rank rank) {
    Comm comm = rank.comm();
    List<Work> before = new ArrayList<>();
    Proof.kind(rank).ifPresent(_ -> before.add(comm.start(Proof.waiting(rank), OpOptions.DEFAULT)));
    Tensor tensor = comm.symmetric(DType.I64, Shape.of(5), OpOptions.timeout(rank.patience()));
    before.forEach(work -> work.await(rank.patience()));
    is(rank, "a symmetric tensor after an operation", tensor, _ -> 0);
    Proof.works(rank, comm, "the comm with symmetric memory");
  }

  private static void freed(Rank rank) {
    Tensor tensor = rank.comm().symmetric(DType.I64, Shape.of(10));
    Tensor view = tensor.narrow(0, 2, 3);
    tensor.fill(7);
    rank.meet();
    rank.comm().close();
    Expect.thrown(
        rank, "reading after close", IllegalStateException.class, () -> tensor.getLong(0));
    Expect.thrown(
        rank, "writing after close", IllegalStateException.class, () -> view.setLong(1, 0));
    Expect.thrown(
        rank,
        "symmetric after close",
        IllegalStateException.class,
        () -> rank.comm().symmetric(DType.I64, Shape.of(10)));
  }

  private static void recorded(Rank rank) {
    rank.comm()
        .capture(
            () ->
                Expect.thrown(
                    rank,
                    "symmetric inside a capture",
                    IllegalStateException.class,
                    () -> rank.comm().symmetric(DType.I64, Shape.of(10))))
        .close();
    is(
        rank,
        "a symmetric tensor after a capture",
        rank.comm().symmetric(DType.I64, Shape.of(3)),
        _ -> 0);
  }

  private static boolean odd(Rank rank) {
    return rank.number() == rank.size() - 1;
  }

  /** Every rank is told, at once and not by a timeout; one that was aborted is told why. */
  private static void mismatch(Rank rank, DType dtype, long count) {
    rank.meet();
    CommException failure =
        Expect.thrown(
            rank,
            "symmetric of what another rank does not ask for",
            CommException.class,
            () ->
                rank.comm()
                    .symmetric(dtype, Shape.of(count), OpOptions.timeout(Duration.ofSeconds(5))));
    if (!(failure instanceof CommMismatchException)
        && !String.valueOf(failure.getMessage()).contains("disagree")) {
      throw new ConformanceError(
          rank + ": symmetric must fail with CommMismatchException; it failed with " + failure,
          failure);
    }
    List<String> all =
        rank.exchange(failure instanceof CommMismatchException ? failure.getMessage() : "");
    Expect.that(
        rank,
        all.stream().anyMatch(message -> message.contains("rank")),
        "no rank got a CommMismatchException that says who asks for what");
  }

  private static void missing(Rank rank) {
    // Those who come have to find each other in time, also on a machine that stands still
    // meanwhile.
    Duration soon = Duration.ofMillis(rank.size() == 2 ? 300 : 2000);
    rank.meet();
    if (!odd(rank)) {
      CommException failure =
          Expect.thrown(
              rank,
              "symmetric without rank " + (rank.size() - 1),
              CommException.class,
              () -> rank.comm().symmetric(DType.F32, Shape.of(4), OpOptions.timeout(soon)));
      Expect.says(rank, "symmetric", failure, "symmetric", rank.comm().name());
      if (failure instanceof CommTimeoutException) {
        Expect.equal(
            rank, "the ranks that are missing", Set.of(rank.size() - 1), failure.missingRanks());
      }
      Expect.that(rank, rank.comm().isAborted(), "ranks that are out of step may go on");
    }
    rank.meet();
  }

  private static void allReduce(Rank rank, Site at, DType dtype, long count) {
    LongToDoubleFunction sum = i -> sum(rank, dtype, i);
    Tensor input = at.input(count);
    Tensor output = at.output(count);
    write(input, i -> small(dtype, rank.number(), i));
    rank.comm().allReduce(output, input, ReduceOp.SUM);
    is(rank, "all_reduce of " + count + " x " + dtype, output, sum);
    is(rank, "the input of all_reduce", input, i -> small(dtype, rank.number(), i));
    rank.comm().allReduce(input, ReduceOp.SUM);
    is(rank, "all_reduce in place of " + count + " x " + dtype, input, sum);
  }

  private static void broadcast(Rank rank, Site at, DType dtype, long count) {
    for (int root = 0; root < rank.size(); root++) {
      int from = root;
      Tensor tensor = at.tensor(count, rank.number() != root);
      write(tensor, i -> Values.of(dtype, rank.number(), 0, i));
      rank.comm().broadcast(tensor, root);
      is(
          rank,
          "broadcast of " + count + " x " + dtype + " from root " + root,
          tensor,
          i -> Values.of(dtype, from, 0, i));
    }
  }

  private static void allGather(Rank rank, Site at, DType dtype, long count) {
    Tensor input = at.input(count);
    write(input, i -> Values.of(dtype, rank.number(), 0, i));
    List<Tensor> outputs = new ArrayList<>();
    for (int r = 0; r < rank.size(); r++) {
      outputs.add(at.output(count));
    }
    rank.comm().allGather(outputs, input);
    for (int r = 0; r < rank.size(); r++) {
      int from = r;
      is(
          rank,
          "all_gather of " + count + " x " + dtype + ", outputs[" + r + "]",
          outputs.get(r),
          i -> Values.of(dtype, from, 0, i));
    }
    is(rank, "the input of all_gather", input, i -> Values.of(dtype, rank.number(), 0, i));
  }

  private static void allGatherSingle(Rank rank, Site at, DType dtype, long count) {
    Tensor input = at.input(count);
    Tensor output = at.output(count * rank.size());
    write(input, i -> Values.of(dtype, rank.number(), 0, i));
    rank.comm().allGatherSingle(output, input);
    is(
        rank,
        "all_gather_single of " + count + " x " + dtype,
        output,
        i -> Values.of(dtype, (int) (i / count), 0, i % count));
    is(rank, "the input of all_gather_single", input, i -> Values.of(dtype, rank.number(), 0, i));
  }

  private static void reduceScatter(Rank rank, Site at, DType dtype, long count) {
    Tensor input = at.input(count * rank.size());
    Tensor output = at.output(count);
    write(input, i -> small(dtype, rank.number(), i));
    rank.comm().reduceScatterSingle(output, input, ReduceOp.SUM);
    is(
        rank,
        "reduce_scatter_single of " + count + " x " + dtype,
        output,
        i -> sum(rank, dtype, rank.number() * count + i));
    is(rank, "the input of reduce_scatter_single", input, i -> small(dtype, rank.number(), i));
  }

  private static void allToAll(Rank rank, Site at, DType dtype, long count) {
    Tensor input = at.input(count * rank.size());
    Tensor output = at.output(count * rank.size());
    LongToDoubleFunction mine = i -> Values.of(dtype, rank.number(), (int) (i / count), i % count);
    write(input, mine);
    rank.comm().allToAllSingle(output, input);
    is(
        rank,
        "all_to_all_single of " + count + " x " + dtype,
        output,
        i -> Values.of(dtype, (int) (i / count), rank.number(), i % count));
    is(rank, "the input of all_to_all_single", input, mine);
  }

  /** So small that a sum over the ranks is exact. */
  private static double small(DType dtype, int rank, long i) {
    return Values.within(dtype, 1000, rank, 0, i);
  }

  private static double sum(Rank rank, DType dtype, long i) {
    double sum = 0;
    for (int r = 0; r < rank.size(); r++) {
      sum += small(dtype, r, i);
    }
    return sum;
  }

  private static void write(Tensor tensor, LongToDoubleFunction values) {
    for (long i = 0; i < tensor.elements(); i++) {
      tensor.setDouble(values.applyAsDouble(i), i);
    }
  }

  private static void is(Rank rank, String what, Tensor tensor, LongToDoubleFunction expected) {
    double[] actual = tensor.flatten().toDoubleArray();
    for (int i = 0; i < actual.length; i++) {
      if (actual[i] != expected.applyAsDouble(i)) {
        throw new ConformanceError(
            "%s: %s: element %d is %s; it should be %s"
                .formatted(
                    rank,
                    what,
                    i,
                    Trial.number(actual[i]),
                    Trial.number(expected.applyAsDouble(i))));
      }
    }
  }
}
