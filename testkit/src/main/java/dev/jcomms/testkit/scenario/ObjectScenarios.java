package dev.jcomms.testkit.scenario;

import dev.jcomms.Codecs;
import dev.jcomms.Collective;
import dev.jcomms.Comm;
import dev.jcomms.CommAbortedException;
import dev.jcomms.ReduceOp;
import dev.jcomms.Work;
import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Tensor;
import dev.jcomms.testkit.ConformanceError;
import dev.jcomms.testkit.Needs;
import dev.jcomms.testkit.Rank;
import dev.jcomms.testkit.Scenario;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Values instead of tensors: core encodes them, the backend moves bytes whose lengths differ by
 * rank.
 */
final class ObjectScenarios {
  private ObjectScenarios() {}

  static Stream<Scenario> all() {
    Needs gather = of(Collective.AllGatherSingle.class);
    return Stream.of(
        new Scenario(
            "objects/broadcast", of(Collective.Broadcast.class), ObjectScenarios::broadcast),
        new Scenario(
            "objects/all_gather",
            gather.and(Collective.AllGatherV.class),
            ObjectScenarios::allGather),
        new Scenario(
            "objects/gather", gather.and(Collective.Gather.class), ObjectScenarios::gather),
        new Scenario(
            "objects/scatter",
            of(Collective.Broadcast.class).and(Collective.Scatter.class),
            ObjectScenarios::scatter),
        new Scenario(
            "objects/send and recv",
            of(Collective.Send.class).and(Collective.Recv.class).ranks(2),
            ObjectScenarios::sendRecv),
        new Scenario(
            "objects/async forms bring what the blocking ones bring",
            gather
                .and(Collective.AllGatherV.class, Collective.Gather.class)
                .and(Collective.Broadcast.class, Collective.Scatter.class),
            ObjectScenarios::async),
        new Scenario(
            "objects/async send and recv",
            of(Collective.Send.class).and(Collective.Recv.class).ranks(2),
            ObjectScenarios::asyncSendRecv),
        new Scenario(
            "objects/values and tensors called one after the other do not mix",
            gather.and(Collective.AllGatherV.class, Collective.AllReduce.class).and(DType.I32),
            ObjectScenarios::oneTurn),
        new Scenario(
            "objects/an abort fails the futures of values",
            of(Collective.Broadcast.class).ranks(2),
            ObjectScenarios::abort));
  }

  private static Needs of(Class<? extends Collective> kind) {
    return Needs.ops(kind).and(DType.I64, DType.U8, DType.I8).onHost();
  }

  /** What a rank has to say: text, numbers and nesting, longer on higher ranks, nothing on one. */
  private static Object of(int rank) {
    return rank == 1
        ? List.of()
        : List.of("rank ü" + "-".repeat(rank * 100), (long) rank, Map.of("half", rank / 2.0));
  }

  private static void broadcast(Rank rank) {
    for (int root = 0; root < rank.size(); root++) {
      Object mine = rank.number() == root ? of(root) : "not looked at";
      Object got = rank.comm().broadcastObject(mine, root, Codecs.JSON);
      Expect.equal(rank, "the object of root " + root, of(root), got);
    }
  }

  private static void allGather(Rank rank) {
    List<Object> all = rank.comm().allGatherObject(of(rank.number()), Codecs.JSON);
    for (int r = 0; r < rank.size(); r++) {
      Expect.equal(rank, "the object of rank " + r, of(r), all.get(r));
    }
    List<String> empty = rank.comm().allGatherObject("", Codecs.STRING);
    Expect.equal(rank, "empty text of all ranks", "", String.join("", empty));
  }

  private static void gather(Rank rank) {
    int root = rank.size() - 1;
    List<Object> all = rank.comm().gatherObject(of(rank.number()), root, Codecs.JSON);
    List<Object> expected = new ArrayList<>();
    for (int r = 0; rank.number() == root && r < rank.size(); r++) {
      expected.add(of(r));
    }
    Expect.equal(rank, "the objects gathered to rank " + root, expected, all);
  }

  private static void scatter(Rank rank) {
    int root = rank.size() / 2;
    List<Object> all = new ArrayList<>();
    for (int r = 0; rank.number() == root && r < rank.size(); r++) {
      all.add(of(r));
    }
    Object mine = rank.comm().scatterObject(all, root, Codecs.JSON);
    Expect.equal(rank, "the object scattered from rank " + root, of(rank.number()), mine);
  }

  private static void sendRecv(Rank rank) {
    Comm comm = rank.comm();
    if (rank.number() == 0) {
      comm.sendObject(of(3), rank.size() - 1, Codecs.JSON);
      Expect.equal(
          rank, "the object sent back", "thanks", comm.recvObject(rank.size() - 1, Codecs.STRING));
    } else if (rank.number() == rank.size() - 1) {
      Expect.equal(rank, "the object of rank 0", of(3), comm.recvObject(0, Codecs.JSON));
      comm.sendObject("thanks", 0, Codecs.STRING);
    }
  }

  private static void async(Rank rank) throws Exception {
    Comm comm = rank.comm();
    int root = rank.size() - 1;
    List<Object> parts = new ArrayList<>();
    List<Object> gathered = new ArrayList<>();
    for (int r = 0; r < rank.size(); r++) {
      gathered.add(of(r));
      if (rank.number() == root) {
        parts.add(of(r));
      }
    }
    // All at once: they take effect in call order.
    var broadcast = comm.broadcastObjectAsync(of(rank.number()), root, Codecs.JSON);
    var allGather = comm.allGatherObjectAsync(of(rank.number()), Codecs.JSON);
    var gather = comm.gatherObjectAsync(of(rank.number()), root, Codecs.JSON);
    var scatter = comm.scatterObjectAsync(parts, root, Codecs.JSON);
    Expect.equal(rank, "the object of the root", of(root), get(rank, broadcast));
    Expect.equal(rank, "the objects of all", gathered, get(rank, allGather));
    Expect.equal(
        rank,
        "the objects gathered",
        rank.number() == root ? gathered : List.of(),
        get(rank, gather));
    Expect.equal(rank, "the object scattered", of(rank.number()), get(rank, scatter));
  }

  private static void asyncSendRecv(Rank rank) throws Exception {
    Comm comm = rank.comm();
    int last = rank.size() - 1;
    if (rank.number() == 0) {
      get(rank, comm.sendObjectAsync(of(3), last, Codecs.JSON));
      Object thanks = get(rank, comm.recvObjectAsync(last, Codecs.JSON));
      Expect.equal(rank, "the object sent back", of(2), thanks);
    } else if (rank.number() == last) {
      Object got = get(rank, comm.recvObjectAsync(0, Codecs.JSON));
      Expect.equal(rank, "the object of rank 0", of(3), got);
      get(rank, comm.sendObjectAsync(of(2), 0, Codecs.JSON));
    }
  }

  /**
   * Every rank starts a value and then a tensor, again and again, waiting for neither: were the
   * operations behind a value not one, a tensor of one rank would meet the bytes of another.
   */
  private static void oneTurn(Rank rank) throws Exception {
    Comm comm = rank.comm();
    List<CompletableFuture<List<Object>>> values = new ArrayList<>();
    List<Work> sums = new ArrayList<>();
    List<Tensor> tensors = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      values.add(comm.allGatherObjectAsync(of(rank.number() + i % 3), Codecs.JSON));
      Tensor one = Tensor.of(rank.number() + i);
      tensors.add(one);
      sums.add(comm.allReduceAsync(one, ReduceOp.SUM));
    }
    for (int i = 0; i < 20; i++) {
      List<Object> all = get(rank, values.get(i));
      sums.get(i).await();
      int sum = 0;
      for (int r = 0; r < rank.size(); r++) {
        Expect.equal(rank, "value " + i + " of rank " + r, of(r + i % 3), all.get(r));
        sum += r + i;
      }
      Expect.equal(rank, "sum " + i, sum, tensors.get(i).getInt(0));
    }
  }

  private static void abort(Rank rank) throws Exception {
    if (rank.number() == 0) {
      // Rank 1 does not come, so this waits.
      var value = rank.comm().broadcastObjectAsync("a", 1, Codecs.STRING);
      var next = rank.comm().broadcastObjectAsync("b", 1, Codecs.STRING);
      rank.comm().abort("enough");
      for (var future : List.of(value, next)) {
        try {
          get(rank, future);
          throw new ConformanceError(rank + ": a value came after an abort");
        } catch (ExecutionException e) {
          Expect.that(
              rank,
              e.getCause() instanceof CommAbortedException,
              "the future failed with " + e.getCause());
        }
      }
    }
    rank.meet();
  }

  private static <T> T get(Rank rank, CompletableFuture<T> future) throws Exception {
    return future.get(rank.patience().toNanos(), TimeUnit.NANOSECONDS);
  }
}
