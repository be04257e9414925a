package dev.jcomms.testkit.scenario;

import dev.jcomms.Batch;
import dev.jcomms.Collective;
import dev.jcomms.CommTimeoutException;
import dev.jcomms.OpOptions;
import dev.jcomms.Work;
import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Tensor;
import dev.jcomms.testkit.Needs;
import dev.jcomms.testkit.Rank;
import dev.jcomms.testkit.Scenario;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * Sends, receives and batches of them. A blocking send may wait for its receive, or not: both are
 * right.
 */
final class PointToPointScenarios {
  private static final Needs PAIR =
      Needs.ops(Collective.Send.class, Collective.Recv.class).ranks(2);
  private static final Needs BATCH = Needs.ops(Collective.SendRecvBatch.class).ranks(2);

  private PointToPointScenarios() {}

  static Stream<Scenario> all() {
    return Stream.concat(
        Arrays.stream(DType.values())
            .flatMap(
                dtype ->
                    Stream.of(
                        new Scenario(
                            "send/moves " + dtype + " around a ring",
                            PAIR.and(dtype),
                            rank -> ring(rank, dtype)),
                        new Scenario(
                            "send_recv_batch/moves " + dtype + " around a ring",
                            BATCH.and(dtype),
                            rank -> batchRing(rank, dtype)))),
        Stream.of(
            new Scenario(
                "send/messages of one tag arrive in the order they were sent",
                PAIR.and(DType.I32),
                PointToPointScenarios::inOrder),
            new Scenario(
                "send/a message of another tag is not taken",
                PAIR.and(DType.I32),
                PointToPointScenarios::otherTag),
            new Scenario(
                "send/any two ranks reach each other",
                PAIR.and(DType.I32),
                PointToPointScenarios::everyPair),
            new Scenario(
                "send/async sends and receives pass while collectives go on",
                PAIR.and(Collective.AllReduce.class).and(DType.I32),
                PointToPointScenarios::besideCollectives),
            new Scenario(
                "send_recv_batch/tags are matched, whatever the order",
                BATCH.and(DType.I32),
                PointToPointScenarios::tags),
            new Scenario(
                "send_recv_batch/everybody sends to everybody",
                BATCH.and(DType.I64),
                PointToPointScenarios::everybody)));
  }

  /** Even ranks send first, so that nobody waits for himself, in odd worlds too. */
  private static void ring(Rank rank, DType dtype) {
    int me = rank.number();
    for (long count : Counts.of(rank, dtype)) {
      Trial t =
          new Trial(
              rank,
              "send to rank "
                  + rank.next()
                  + " and recv from rank "
                  + rank.previous()
                  + " of "
                  + count
                  + " x "
                  + dtype);
      Tensor out = t.input("sent", dtype, count, i -> Values.of(dtype, me, rank.next(), i));
      Tensor in = t.output("received", dtype, count, i -> Values.of(dtype, rank.previous(), me, i));
      Collective send = new Collective.Send(out, rank.next(), 0);
      Collective recv = new Collective.Recv(in, rank.previous(), 0);
      t.call(me % 2 == 0 ? send : recv);
      t.call(me % 2 == 0 ? recv : send);
      t.verify();
    }
  }

  private static void batchRing(Rank rank, DType dtype) {
    int me = rank.number();
    for (long count : Counts.of(rank, dtype)) {
      Trial t = new Trial(rank, "batch of 2 sends and 2 recvs of " + count + " x " + dtype);
      Batch batch = rank.comm().batch();
      for (int k = 0; k < 2; k++) {
        int id = k;
        batch.send(
            t.input("sent " + k, dtype, count, i -> Values.of(dtype, me, rank.next(), i + id)),
            rank.next());
        batch.recv(
            t.output(
                "received " + k, dtype, count, i -> Values.of(dtype, rank.previous(), me, i + id)),
            rank.previous());
      }
      batch.issue();
      t.verify();
    }
  }

  private static void inOrder(Rank rank) {
    Trial t = new Trial(rank, "8 messages of one tag, of growing size");
    int sender = 0;
    int receiver = rank.size() - 1;
    List<Work> works = new ArrayList<>();
    for (int k = 0; k < 8; k++) {
      int id = k;
      if (rank.number() == sender) {
        Tensor out = t.input("message " + k, DType.I32, k * 37L, i -> 1000 * id + i);
        works.add(rank.comm().sendAsync(out, receiver, 5));
      } else if (rank.number() == receiver) {
        Tensor in = t.output("message " + k, DType.I32, k * 37L, i -> 1000 * id + i);
        works.add(rank.comm().recvAsync(in, sender, 5));
      }
    }
    works.forEach(work -> work.await(rank.patience()));
    t.verify();
  }

  private static void otherTag(Rank rank) {
    if (rank.number() == 0) {
      rank.comm().sendAsync(rank.onDevice(Tensor.of(1, 2, 3)), rank.size() - 1, 1);
    } else if (rank.number() == rank.size() - 1) {
      Trial t = new Trial(rank, "recv with tag 2 of a message with tag 1");
      Tensor in = t.input("received", DType.I32, 3, i -> -i);
      Collective recv = new Collective.Recv(in, 0, 2);
      Expect.thrown(
          rank,
          t.toString(),
          CommTimeoutException.class,
          () -> rank.comm().run(recv, OpOptions.timeout(Duration.ofMillis(300))));
      t.verify();
    }
    rank.meet();
    // Nobody is to wait for that message when the communicator closes.
    rank.comm().abort("a message that nobody takes");
  }

  /** Round by round, a rank meets the one whose number differs in the same bits. */
  private static void everyPair(Rank rank) {
    int me = rank.number();
    for (int bits = 1; bits < Integer.highestOneBit(rank.size() - 1) * 2; bits++) {
      int partner = me ^ bits;
      if (partner < rank.size()) {
        Trial t = new Trial(rank, "exchange of 10 x i32 with rank " + partner);
        Tensor out = t.input("sent", DType.I32, 10, i -> Values.of(DType.I32, me, partner, i));
        Tensor in = t.output("received", DType.I32, 10, i -> Values.of(DType.I32, partner, me, i));
        Collective send = new Collective.Send(out, partner, 3);
        Collective recv = new Collective.Recv(in, partner, 3);
        t.call(me < partner ? send : recv);
        t.call(me < partner ? recv : send);
        t.verify();
      }
    }
  }

  /**
   * What is sent before a collective is received after it, without either waiting for the other.
   */
  private static void besideCollectives(Rank rank) {
    int n = rank.size();
    for (int round = 0; round < 4; round++) {
      int id = round;
      Trial t = new Trial(rank, "sendAsync, all_reduce, recvAsync of 100 x i32");
      List<Work> works = new ArrayList<>();
      boolean sends = rank.number() == 0;
      boolean receives = rank.number() == n - 1;
      if (sends) {
        Tensor out = t.input("sent", DType.I32, 100, i -> i * 10 + id);
        works.add(rank.comm().sendAsync(out, n - 1));
      }
      if (receives) {
        Tensor in = t.output("received", DType.I32, 100, i -> i * 10 + id);
        works.add(rank.comm().recvAsync(in, 0));
      }
      Tensor sum = t.inPlace("tensor", DType.I32, 100, i -> i, i -> i * n, _ -> 0);
      works.add(rank.comm().allReduceAsync(sum, dev.jcomms.ReduceOp.SUM));
      works.reversed().forEach(work -> work.await(rank.patience()));
      t.verify();
    }
  }

  private static void tags(Rank rank) {
    int me = rank.number();
    int tags = 5;
    Trial t = new Trial(rank, "batch of 5 tags, received in the opposite order");
    Batch batch = rank.comm().batch();
    for (int k = 0; k < tags; k++) {
      int tag = k;
      batch.send(
          t.input("sent with tag " + tag, DType.I32, 20, i -> me * 1000 + tag * 100 + i),
          rank.next(),
          tag);
    }
    for (int k = tags - 1; k >= 0; k--) {
      int tag = k;
      batch.recv(
          t.output(
              "received with tag " + tag,
              DType.I32,
              20,
              i -> rank.previous() * 1000 + tag * 100 + i),
          rank.previous(),
          tag);
    }
    batch.issueAsync().await(rank.patience());
    t.verify();
  }

  private static void everybody(Rank rank) {
    int me = rank.number();
    Trial t = new Trial(rank, "batch with every other rank");
    Batch batch = rank.comm().batch();
    for (int p = 0; p < rank.size(); p++) {
      int peer = p;
      if (peer != me) {
        batch.recv(
            t.output(
                "from rank " + peer, DType.I64, 50 + peer, i -> Values.of(DType.I64, peer, me, i)),
            peer);
        batch.send(
            t.input("to rank " + peer, DType.I64, 50 + me, i -> Values.of(DType.I64, me, peer, i)),
            peer);
      }
    }
    batch.issue();
    t.verify();
  }
}
