package dev.jcomms.testkit.scenario;

import dev.jcomms.Collective;
import dev.jcomms.Comm;
import dev.jcomms.OpOptions;
import dev.jcomms.ReduceOp;
import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Device;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Storage;
import dev.jcomms.tensor.Tensor;
import dev.jcomms.testkit.Needs;
import dev.jcomms.testkit.Rank;
import dev.jcomms.testkit.Scenario;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Wrong arguments of every operation: refused on the spot with facts, and nothing has moved. The
 * communicator is as good as before.
 */
final class ArgumentScenarios {
  private ArgumentScenarios() {}

  /** What is wrong, and the call with it. */
  private record Wrong(String what, Function<Args, Collective> op) {}

  static Stream<Scenario> all() {
    return Stream.of(
        of(
            Collective.AllReduce.class,
            wrong(
                "a tensor that is not contiguous",
                a -> new Collective.AllReduce(a.odd(), a.odd(), ReduceOp.SUM)),
            wrong(
                "another dtype in the output",
                a -> new Collective.AllReduce(a.other(4), a.in(4), ReduceOp.SUM)),
            wrong(
                "another count in the output",
                a -> new Collective.AllReduce(a.out(5), a.in(4), ReduceOp.SUM)),
            wrong("a bit op on floats", a -> a.floats(ReduceOp.BAND)),
            wrong("a factor on integers", a -> a.integers(ReduceOp.premulSum(2))),
            wrong("an f8 tensor", a -> a.f8()),
            wrong("no reduce op", a -> new Collective.AllReduce(a.out(4), a.in(4), null)),
            wrong(
                "a read-only output",
                a -> new Collective.AllReduce(a.readOnly(), a.in(4), ReduceOp.SUM)),
            wrong(
                "a tensor of another device",
                a -> new Collective.AllReduce(a.elsewhere(), a.elsewhere(), ReduceOp.SUM))),
        of(
            Collective.Broadcast.class,
            wrong("a root below 0", a -> new Collective.Broadcast(a.out(4), -1)),
            wrong("a root out of range", a -> new Collective.Broadcast(a.out(4), a.size())),
            wrong("a tensor that is not contiguous", a -> new Collective.Broadcast(a.odd(), 0)),
            wrong("no tensor", a -> new Collective.Broadcast(null, 0))),
        of(
            Collective.Reduce.class,
            wrong(
                "a root out of range",
                a -> new Collective.Reduce(a.out(4), a.size(), ReduceOp.SUM)),
            wrong("a bit op on floats", a -> new Collective.Reduce(a.out(4), 0, ReduceOp.BXOR))),
        of(
            Collective.AllGather.class,
            wrong(
                "a list too short",
                a -> new Collective.AllGather(a.list(a.size() - 1, 4), a.in(4))),
            wrong(
                "a list too long", a -> new Collective.AllGather(a.list(a.size() + 1, 4), a.in(4))),
            wrong(
                "outputs of another count",
                a -> new Collective.AllGather(a.list(a.size(), 5), a.in(4))),
            wrong(
                "outputs of another dtype",
                a -> new Collective.AllGather(a.others(a.size(), 4), a.in(4)))),
        of(
            Collective.AllGatherV.class,
            wrong(
                "an own output of another count",
                a -> new Collective.AllGatherV(a.list(a.size(), 5), a.in(4)))),
        of(
            Collective.AllGatherSingle.class,
            wrong(
                "an output that is not size x input",
                a -> new Collective.AllGatherSingle(a.out(4 * a.size() + 1), a.in(4))),
            wrong(
                "another dtype in the output",
                a -> new Collective.AllGatherSingle(a.other(4 * a.size()), a.in(4)))),
        of(
            Collective.ReduceScatter.class,
            wrong(
                "a list too short",
                a -> new Collective.ReduceScatter(a.out(4), a.list(a.size() - 1, 4), ReduceOp.SUM)),
            wrong(
                "inputs of another count",
                a -> new Collective.ReduceScatter(a.out(4), a.list(a.size(), 3), ReduceOp.SUM))),
        of(
            Collective.ReduceScatterV.class,
            wrong(
                "an own input of another count",
                a -> new Collective.ReduceScatterV(a.out(4), a.list(a.size(), 3), ReduceOp.SUM))),
        of(
            Collective.ReduceScatterSingle.class,
            wrong(
                "an input that is not size x output",
                a ->
                    new Collective.ReduceScatterSingle(
                        a.out(4), a.in(4 * a.size() + 1), ReduceOp.SUM))),
        of(
            Collective.AllToAll.class,
            wrong(
                "a list too short",
                a -> new Collective.AllToAll(a.list(a.size(), 4), a.list(a.size() - 1, 4))),
            wrong(
                "outputs of another dtype",
                a -> new Collective.AllToAll(a.others(a.size(), 4), a.list(a.size(), 4)))),
        of(
            Collective.AllToAllSingle.class,
            wrong(
                "another count in the output",
                a -> new Collective.AllToAllSingle(a.out(5 * a.size()), a.in(4 * a.size()))),
            wrong(
                "another dtype in the output",
                a -> new Collective.AllToAllSingle(a.other(4 * a.size()), a.in(4 * a.size())))),
        of(
            Collective.AllToAllVSingle.class,
            wrong(
                "splits that do not add up",
                a ->
                    new Collective.AllToAllVSingle(
                        a.out(4 * a.size()), a.in(4 * a.size()), a.splits(4), a.splits(3))),
            wrong(
                "a negative split",
                a ->
                    new Collective.AllToAllVSingle(
                        a.out(4 * a.size()), a.in(4 * a.size()), a.splits(4), a.splits(-4))),
            wrong(
                "too many splits",
                a ->
                    new Collective.AllToAllVSingle(
                        a.out(4 * a.size()),
                        a.in(4 * a.size()),
                        a.splits(4),
                        IntStream.rangeClosed(0, a.size()).mapToObj(_ -> 4L).toList()))),
        of(
            Collective.Scatter.class,
            wrong(
                "a root out of range",
                a -> new Collective.Scatter(a.out(4), a.list(a.size(), 4), a.size())),
            wrong(
                "a list too short on the root",
                a -> new Collective.Scatter(a.out(4), a.list(a.size() - 1, 4), a.me()))),
        of(
            Collective.Gather.class,
            wrong(
                "a root out of range",
                a -> new Collective.Gather(a.list(a.size(), 4), a.in(4), -1)),
            wrong(
                "outputs of another count on the root",
                a -> new Collective.Gather(a.list(a.size(), 5), a.in(4), a.me()))),
        of(
            Collective.GatherSingle.class,
            wrong("no output on the root", a -> new Collective.GatherSingle(null, a.in(4), a.me())),
            wrong(
                "another count in the output",
                a -> new Collective.GatherSingle(a.out(4 * a.size() + 1), a.in(4), a.me()))),
        of(
            Collective.Send.class,
            wrong("a rank out of range", a -> new Collective.Send(a.in(4), a.size(), 0)),
            wrong("itself", a -> new Collective.Send(a.in(4), a.me(), 0)),
            wrong(
                "a negative tag", a -> new Collective.Send(a.in(4), (a.me() + 1) % a.size(), -1))),
        of(
            Collective.Recv.class,
            wrong("a rank below 0", a -> new Collective.Recv(a.out(4), -1, 0)),
            wrong("itself", a -> new Collective.Recv(a.out(4), a.me(), 0)),
            wrong(
                "a tensor that is not contiguous",
                a -> new Collective.Recv(a.odd(), (a.me() + 1) % a.size(), 0))),
        of(
            Collective.SendRecvBatch.class,
            wrong("nothing in it", _ -> new Collective.SendRecvBatch(List.of())),
            wrong(
                "a rank out of range in it",
                a ->
                    new Collective.SendRecvBatch(
                        List.of(new Collective.Send(a.in(4), a.size() + 3, 0))))));
  }

  private static Wrong wrong(String what, Function<Args, Collective> op) {
    return new Wrong(what, op);
  }

  private static Scenario of(Class<? extends Collective> kind, Wrong... wrongs) {
    return new Scenario(
        Collective.nameOf(kind) + "/wrong arguments are refused before anything moves",
        Needs.ops(kind).and(DType.F32, DType.I32).onHost(),
        rank -> {
          for (Wrong wrong : wrongs) {
            Trial t = new Trial(rank, Collective.nameOf(kind) + " with " + wrong.what());
            Collective op = wrong.op().apply(new Args(rank, t));
            IllegalArgumentException e =
                t.refused(
                    IllegalArgumentException.class, () -> rank.comm().run(op, OpOptions.DEFAULT));
            // A batch names the part that is wrong.
            String named = op instanceof Collective.SendRecvBatch ? "send" : op.opName();
            Expect.says(rank, t.toString(), e, named);
            t.refused(
                IllegalArgumentException.class, () -> rank.comm().start(op, OpOptions.DEFAULT));
          }
          Comm comm = rank.comm();
          Expect.thrown(
              rank,
              "issue of an empty batch",
              IllegalStateException.class,
              () -> comm.batch().issue());
          Proof.works(rank, comm, "the comm after wrong arguments");
        });
  }

  /** Tensors for one call, all of them watched. */
  private record Args(Rank rank, Trial t) {
    int size() {
      return rank.size();
    }

    int me() {
      return rank.number();
    }

    Tensor in(long count) {
      return t.input("input", DType.F32, count, i -> i);
    }

    /** Not to be written either. */
    Tensor out(long count) {
      return t.input("output", DType.F32, count, i -> -i);
    }

    Tensor other(long count) {
      return t.input("output", DType.I32, count, i -> -i);
    }

    Tensor odd() {
      return t.input("tensor", DType.F32, 8, i -> i).slice(0, 0, 8, 2);
    }

    Tensor readOnly() {
      return Tensor.wrap(
          java.lang.foreign.MemorySegment.ofArray(new float[4]).asReadOnly(),
          DType.F32,
          Shape.of(4));
    }

    Tensor elsewhere() {
      Storage storage =
          Storage.host(
              java.lang.foreign.MemorySegment.ofArray(new float[4]),
              Device.of("privateuse3"),
              null);
      return Tensor.over(storage, DType.F32, Shape.of(4));
    }

    List<Tensor> list(int length, long count) {
      return Stream.generate(() -> out(count)).limit(length).toList();
    }

    List<Tensor> others(int length, long count) {
      return Stream.generate(() -> other(count)).limit(length).toList();
    }

    List<Long> splits(long each) {
      return IntStream.range(0, size()).mapToObj(_ -> each).toList();
    }

    Collective floats(ReduceOp op) {
      return new Collective.AllReduce(out(4), in(4), op);
    }

    Collective integers(ReduceOp op) {
      Tensor tensor = other(4);
      return new Collective.AllReduce(tensor, tensor, op);
    }

    Collective f8() {
      Tensor tensor = t.input("tensor", DType.F8E4M3, 4, i -> i);
      return new Collective.AllReduce(tensor, tensor, ReduceOp.SUM);
    }
  }
}
