package dev.jcomms.testkit.scenario;

import dev.jcomms.Codecs;
import dev.jcomms.Collective;
import dev.jcomms.Comm;
import dev.jcomms.tensor.DType;
import dev.jcomms.testkit.Needs;
import dev.jcomms.testkit.Rank;
import dev.jcomms.testkit.Scenario;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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
            ObjectScenarios::sendRecv));
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
}
