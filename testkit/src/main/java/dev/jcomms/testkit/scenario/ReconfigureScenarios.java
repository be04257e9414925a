package dev.jcomms.testkit.scenario;

import dev.jcomms.Comm;
import dev.jcomms.InitHandle;
import dev.jcomms.store.HashStore;
import dev.jcomms.store.Store;
import dev.jcomms.testkit.Needs;
import dev.jcomms.testkit.Rank;
import dev.jcomms.testkit.Scenario;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Communicators built anew among those who are left, or who join. */
final class ReconfigureScenarios {
  private ReconfigureScenarios() {}

  static Stream<Scenario> all() {
    return Stream.of(
        of("a handle stays the same", 1, ReconfigureScenarios::handle),
        of("the rank is the position in the list", 1, rank -> among(rank, reversed(rank))),
        of("without the last rank", 2, rank -> among(rank, without(rank, rank.size() - 1))),
        of("without a rank in the middle", 3, rank -> among(rank, without(rank, 1))),
        of(
            "after an abort",
            2,
            rank -> {
              rank.meet();
              rank.comm().abort("to be built anew");
              among(rank, without(rank, 0));
            }),
        of("again and again", 2, ReconfigureScenarios::twice),
        of("from one rank each to all together", 1, ReconfigureScenarios::singles));
  }

  private static Scenario of(String what, int ranks, Scenario.Body body) {
    return new Scenario("reconfigure/" + what, Needs.oneOf(Proof.KINDS).ranks(ranks), body);
  }

  private static List<Integer> everybody(Rank rank) {
    return IntStream.range(0, rank.size()).boxed().toList();
  }

  private static List<Integer> reversed(Rank rank) {
    return everybody(rank).reversed();
  }

  private static List<Integer> without(Rank rank, int gone) {
    return everybody(rank).stream().filter(r -> r != gone).toList();
  }

  private static void handle(Rank rank) {
    InitHandle handle = rank.comm().initHandle();
    Expect.equal(rank, "initHandle() the second time", handle, rank.comm().initHandle());
    long distinct = rank.exchange(handle.value()).stream().distinct().count();
    Expect.equal(rank, "different handles", (long) rank.size(), distinct);
  }

  /** The comm that these make, in this order; null on the others. */
  private static Comm rebuilt(Rank rank, Comm comm, List<Integer> members) {
    List<InitHandle> handles =
        rank.exchange(comm.initHandle().value()).stream().map(InitHandle::new).toList();
    String uuid = rank.exchange(UUID.randomUUID().toString()).getFirst();
    if (!members.contains(rank.number())) {
      return null;
    }
    Comm next = comm.reconfigure(uuid, members.stream().map(handles::get).toList());
    Expect.equal(
        rank, "rank after reconfigure" + members, members.indexOf(rank.number()), next.rank());
    Expect.equal(rank, "size after reconfigure" + members, members.size(), next.size());
    return next;
  }

  private static void among(Rank rank, List<Integer> members) {
    Comm next = rebuilt(rank, rank.comm(), members);
    if (next != null) {
      for (int i = 0; i < 3; i++) {
        Proof.works(rank, next, "the comm of " + members);
      }
    }
    rank.meet();
    if (next != null) {
      next.close();
    }
  }

  private static void twice(Rank rank) {
    Comm smaller = rebuilt(rank, rank.comm(), without(rank, rank.size() - 1));
    if (smaller != null) {
      Proof.works(rank, smaller, "the comm without the last rank");
    }
    rank.meet();
    // The last rank still has its first communicator, and joins the others again with it.
    Comm all = rebuilt(rank, smaller == null ? rank.comm() : smaller, everybody(rank));
    Proof.works(rank, all, "the comm of all ranks again");
    rank.meet();
    all.close();
  }

  private static void singles(Rank rank) {
    try (Store own = HashStore.create(rank.patience())) {
      Comm single =
          Comm.newBuilder(rank.subject().backend(), rank.subject().device())
              .ranks(0, 1)
              .store(own)
              .timeout(rank.patience())
              .initTimeout(rank.patience())
              .build();
      Proof.works(rank, single, "a comm of one");
      Comm all = rebuilt(rank, single, everybody(rank));
      Proof.works(rank, all, "the comm of all who were alone");
      rank.meet();
      all.close();
    }
  }
}
