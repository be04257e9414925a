package dev.jcomms.jccl.internal.prove;

import static dev.jcomms.jccl.internal.prove.Sketch.acquire;
import static dev.jcomms.jccl.internal.prove.Sketch.add;
import static dev.jcomms.jccl.internal.prove.Sketch.all;
import static dev.jcomms.jccl.internal.prove.Sketch.at;
import static dev.jcomms.jccl.internal.prove.Sketch.await;
import static dev.jcomms.jccl.internal.prove.Sketch.copy;
import static dev.jcomms.jccl.internal.prove.Sketch.in;
import static dev.jcomms.jccl.internal.prove.Sketch.nop;
import static dev.jcomms.jccl.internal.prove.Sketch.out;
import static dev.jcomms.jccl.internal.prove.Sketch.portPut;
import static dev.jcomms.jccl.internal.prove.Sketch.portWait;
import static dev.jcomms.jccl.internal.prove.Sketch.put;
import static dev.jcomms.jccl.internal.prove.Sketch.putPackets;
import static dev.jcomms.jccl.internal.prove.Sketch.relaxedSignal;
import static dev.jcomms.jccl.internal.prove.Sketch.relaxedWait;
import static dev.jcomms.jccl.internal.prove.Sketch.release;
import static dev.jcomms.jccl.internal.prove.Sketch.scratch;
import static dev.jcomms.jccl.internal.prove.Sketch.signal;
import static dev.jcomms.jccl.internal.prove.Sketch.unpack;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.tuple;

import dev.jcomms.ReduceOp;
import dev.jcomms.jccl.plan.BufferType;
import dev.jcomms.jccl.plan.ChannelType;
import dev.jcomms.jccl.plan.Chunk;
import dev.jcomms.jccl.plan.Flaw;
import dev.jcomms.jccl.plan.Flaw.Kind;
import dev.jcomms.jccl.plan.Group;
import dev.jcomms.jccl.plan.Op;
import dev.jcomms.jccl.plan.Place;
import dev.jcomms.jccl.plan.Proof;
import dev.jcomms.jccl.plan.Schedule;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ProverTest {
  private static final BufferType OUTPUT = BufferType.OUTPUT;
  private static final BufferType SCRATCH = BufferType.SCRATCH;

  // --- Collectives, each written as puts between a handshake and a farewell.

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 7})
  void anAllGatherOfPutsIsProved(int world) {
    Sketch sketch = new Sketch("allgather", world, 1, world, 0);
    for (int rank = 0; rank < world; rank++) {
      List<Op> moves = new ArrayList<>(List.of(copy(in(0), out(rank))));
      for (int peer = 0; peer < world; peer++) {
        if (peer != rank) {
          moves.add(put(in(0), at(rank, peer, OUTPUT, rank)));
        }
      }
      sketch.block(rank, all(sketch.handshake(), moves, sketch.farewell()));
    }
    assertProved(sketch);
  }

  @ParameterizedTest
  @CsvSource({"2, 0", "2, 1", "3, 1", "4, 3"})
  void theRootOfABroadcastIsFound(int world, int root) {
    Sketch sketch = new Sketch("broadcast", world, 1, 1, 0);
    for (int rank = 0; rank < world; rank++) {
      List<Op> moves = new ArrayList<>();
      if (rank == root) {
        moves.add(copy(in(0), out(0)));
        for (int peer = 0; peer < world; peer++) {
          if (peer != root) {
            moves.add(put(in(0), at(root, peer, OUTPUT, 0)));
          }
        }
      }
      sketch.block(rank, all(sketch.handshake(), moves, sketch.farewell()));
    }
    assertThat(assertProved(sketch).claim())
        .isEqualTo("every rank ends with the input of rank " + root);
  }

  @ParameterizedTest
  @CsvSource({"reduce, 3, 0", "reduce, 3, 2", "gather, 3, 1", "scatter, 3, 2", "scatter, 2, 0"})
  void otherRootedCollectivesAreProved(String collective, int world, int root) {
    boolean gather = collective.equals("gather");
    boolean scatter = collective.equals("scatter");
    Sketch sketch = new Sketch(collective, world, scatter ? world : 1, gather ? world : 1, world);
    for (int rank = 0; rank < world; rank++) {
      List<Op> moves = new ArrayList<>();
      List<Op> after = new ArrayList<>();
      List<Chunk.Local> sources = new ArrayList<>(List.of(in(0)));
      for (int peer = 0; peer < world; peer++) {
        if (scatter && rank == root && peer != root) {
          moves.add(put(in(peer), at(rank, peer, OUTPUT, 0)));
        } else if (!scatter && rank != root && peer == root) {
          moves.add(put(in(0), at(rank, root, gather ? OUTPUT : SCRATCH, rank)));
        }
        if (peer != root) {
          sources.add(scratch(peer));
        }
      }
      if (rank == root) {
        if (collective.equals("reduce")) {
          after.add(add(out(0), sources.toArray(Chunk.Local[]::new)));
        } else {
          moves.add(copy(in(scatter ? root : 0), out(gather ? root : 0)));
        }
      }
      sketch.block(rank, all(sketch.handshake(), moves, sketch.farewell(), after));
    }
    assertThat(assertProved(sketch).claim()).contains("rank " + root);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 5})
  void aSendRecvGoesToTheNextRank(int world) {
    Proof proof = assertProved(sendRecv(world, rank -> (rank + 1) % world));
    assertThat(proof.claim()).isEqualTo("every rank ends with the input of the rank before it");
  }

  @Test
  void aSendRecvMayGoFurtherIfAllRanksDo() {
    Sketch sketch = sendRecv(6, rank -> (rank + 2) % 6);
    assertThat(assertProved(sketch).claim()).contains("the rank 2 before it");
    assertThat(Prover.distance(sketch.plan())).isEqualTo(2);
    // In two rings of three, one the other way round.
    Sketch mixed = sendRecv(6, rank -> (rank % 2 == 0 ? rank + 2 : rank + 4) % 6);
    assertFlawed(mixed, Kind.WRONG_RESULT);
  }

  private static Sketch sendRecv(int world, IntUnaryOperator to) {
    Sketch sketch = new Sketch("sendrecv", world, 1, 1, 0);
    for (int rank = 0; rank < world; rank++) {
      int next = to.applyAsInt(rank);
      Op move = next == rank ? copy(in(0), out(0)) : put(in(0), at(rank, next, OUTPUT, 0));
      sketch.block(rank, all(sketch.handshake(), List.of(move), sketch.farewell()));
    }
    return sketch;
  }

  // --- Wrong results.

  @Test
  void aTermThatIsAddedTwiceIsSeen() {
    Sketch sketch = exchange("allreduce");
    for (int rank = 0; rank < 2; rank++) {
      sketch.block(
          rank,
          all(
              sketch.handshake(),
              List.of(put(in(0), at(rank, 1 - rank, SCRATCH, 0))),
              sketch.farewell(),
              List.of(add(out(0), in(0), scratch(0), scratch(0)))));
    }
    Flaw flaw = assertFlawed(sketch, Kind.WRONG_RESULT);
    assertThat(flaw.problem())
        .contains("output chunk 0 of rank 0 has input chunk 0 of rank 1 too much");
    assertThat(flaw.places()).containsExactly(Place.rank(0), Place.op(0, 0, 8));
  }

  @Test
  void anOutputThatNobodyWritesIsUndefined() {
    Flaw flaw =
        assertFlawed(new Sketch("allreduce", 1, 1, 1, 0).block(0, nop()), Kind.WRONG_RESULT);
    assertThat(flaw.problem()).contains("output chunk 0 of rank 0 is undefined after launch 1");
  }

  @Test
  void partsReducedDifferentlyAreNoReduction() {
    Sketch sketch = new Sketch("allreduce", 2, 2, 2, 2);
    for (int rank = 0; rank < 2; rank++) {
      List<Op> reduce = new ArrayList<>();
      for (int chunk = 0; chunk < 2; chunk++) {
        reduce.add(
            new Op.Reduce(
                chunk == 0 ? ReduceOp.SUM : ReduceOp.MIN,
                List.of(in(chunk), scratch(chunk)),
                List.of(),
                out(chunk),
                List.of(),
                Group.NONE));
      }
      sketch.block(
          rank,
          all(
              sketch.handshake(),
              List.of(
                  put(in(0), at(rank, 1 - rank, SCRATCH, 0)),
                  put(in(1), at(rank, 1 - rank, SCRATCH, 1))),
              sketch.farewell(),
              reduce));
    }
    assertThat(assertFlawed(sketch, Kind.WRONG_RESULT).problem())
        .contains("reduced by min, other parts by sum");
  }

  @Test
  void buffersOfTheWrongShapeAreNoCollective() {
    Sketch sketch = new Sketch("allgather", 2, 1, 1, 0).block(0, nop()).block(1, nop());
    assertThat(assertFlawed(sketch, Kind.WRONG_RESULT).problem())
        .startsWith("rank 0 has 1 input chunks and 1 output chunks; no allgather of 2 ranks has");
  }

  // --- Races.

  @Test
  void aReaderWithoutAWaitRacesWithThePut() {
    Sketch sketch = exchange("sendrecv");
    for (int rank = 0; rank < 2; rank++) {
      sketch.block(
          rank,
          all(
              sketch.handshake(),
              List.of(put(in(0), at(rank, 1 - rank, SCRATCH, 0)), nop(), copy(scratch(0), out(0))),
              sketch.farewell()));
    }
    Flaw flaw = assertFlawed(sketch, Kind.RACE);
    assertThat(flaw.problem())
        .contains("scratch chunk 0 of rank", "copy", "put", "nothing says which comes first");
    assertThat(flaw.places()).hasSize(2);
  }

  @Test
  void aRelaxedSignalOrdersNoData() {
    Sketch sketch = exchange("sendrecv");
    for (int rank = 0; rank < 2; rank++) {
      sketch.block(
          rank,
          all(
              sketch.handshake(),
              List.of(put(in(0), at(rank, 1 - rank, SCRATCH, 0)), nop()),
              List.of(relaxedSignal(0), relaxedWait(0), nop(), copy(scratch(0), out(0)))));
    }
    assertFlawed(sketch, Kind.RACE);
  }

  @Test
  void theNextLaunchMayNotOvertakeALateReader() {
    Sketch sketch = exchange("sendrecv");
    for (int rank = 0; rank < 2; rank++) {
      sketch.block(
          rank,
          put(in(0), at(rank, 1 - rank, SCRATCH, 0)),
          nop(),
          signal(0),
          await(0),
          nop(),
          copy(scratch(0), out(0)));
    }
    assertThat(assertFlawed(sketch, Kind.RACE).problem()).contains("launch 1 against 2");
  }

  @Test
  void packetsNeedTwoHalvesOfScratch() {
    assertFlawed(packets(), Kind.RACE);
    assertProved(packets().doubleScratch());
  }

  /** Blocks of a rank that know nothing of each other: one sends, one receives. */
  private static Sketch packets() {
    Sketch sketch = exchange("sendrecv");
    for (int rank = 0; rank < 2; rank++) {
      sketch
          .block(rank, putPackets(in(0), at(rank, 1 - rank, SCRATCH, 0)))
          .block(rank, unpack(scratch(0), out(0)));
    }
    return sketch;
  }

  @Test
  void packetsOneWayAreOvertakenHoweverManyHalvesThereAre() {
    Sketch sketch =
        new Sketch("broadcast", 2, 1, 1, 1)
            .doubleScratch()
            .block(0, putPackets(in(0), at(0, 1, SCRATCH, 0)), copy(in(0), out(0)))
            .block(1, unpack(scratch(0), out(0)));
    assertFlawed(sketch, Kind.RACE);
  }

  @Test
  void aPutReachesIntoABufferThatItsOwnerStillUses() {
    Sketch sketch = exchange("sendrecv");
    for (int rank = 0; rank < 2; rank++) {
      sketch.block(
          rank, all(List.of(put(in(0), at(rank, 1 - rank, OUTPUT, 0))), sketch.farewell()));
    }
    assertThat(assertFlawed(sketch, Kind.RACE).problem()).contains("its caller");
  }

  @Test
  void slicesOfDifferentGroupsNeedMoreThanTheirTwins() {
    Sketch sketch = new Sketch("test", 1, 2, 2, 2);
    for (int member = 0; member < 2; member++) {
      Group group = new Group(member, 2);
      sketch.block(
          0,
          new Op.Copy(
              new Chunk.Local(BufferType.INPUT, 0, 2),
              new Chunk.Local(SCRATCH, 0, 2),
              Op.Copy.Packing.NONE,
              group),
          nop(),
          new Op.Copy(scratch(0), out(0), Op.Copy.Packing.NONE, group));
    }
    Flaw flaw = assertFlawed(sketch, Kind.RACE);
    assertThat(flaw.places()).containsExactlyInAnyOrder(Place.op(0, 1, 2), Place.op(0, 0, 0));
    assertThat(flaw.problem()).contains("bytes 16 to 32 of chunk 0 of rank 0");
  }

  @ParameterizedTest
  @CsvSource({"SIGNAL, false", "SIGNAL_AND_FLUSH, true"})
  void theSourceOfAPortPutIsReadUntilItIsFlushed(Op.Put.Completion completion, boolean holds) {
    Sketch sketch = exchange("test").inPlace();
    for (int rank = 0; rank < 2; rank++) {
      sketch.block(
          rank,
          all(
              sketch.handshake(),
              List.of(
                  portPut(in(0), at(rank, 1 - rank, SCRATCH, 0), 0, completion),
                  nop(),
                  add(in(0), in(0), in(0)),
                  portWait(0)),
              sketch.farewell()));
    }
    assertThat(sketch.plan().check().holds()).isEqualTo(holds);
  }

  @Test
  void anOpThatShiftsItsOwnBytesRacesWithItself() {
    Sketch sketch =
        new Sketch("test", 1, 3, 3, 0)
            .block(
                0,
                new Op.Copy(
                    new Chunk.Local(BufferType.INPUT, 0, 2),
                    new Chunk.Local(BufferType.INPUT, 1, 2),
                    Op.Copy.Packing.NONE,
                    Group.NONE));
    assertThat(assertFlawed(sketch, Kind.RACE).problem()).contains("in the same op");
  }

  // --- Deadlocks and counts.

  @Test
  void whoWaitsForEachOtherIsNamed() {
    Sketch sketch = exchange("test").block(0, await(0), signal(0)).block(1, await(0), signal(0));
    assertThat(sketch.plan().check().errors())
        .extracting(Flaw::kind, flaw -> flaw.places().getFirst())
        .containsExactly(
            tuple(Kind.DEADLOCK, Place.op(0, 0, 0)), tuple(Kind.DEADLOCK, Place.op(1, 0, 0)));
    assertThat(sketch.plan().check().errors().getFirst().problem())
        .contains("memory channel number 0 from rank 1 to rank 0", "rank 1 block 0");
  }

  @Test
  void aSignalOnAnotherChannelIsNoSignal() {
    Sketch sketch = exchange("test");
    sketch.block(0, signal(0)).block(1, await(sketch.second(1, 0)));
    assertThat(assertFlawed(sketch, Kind.DEADLOCK).problem()).contains("nobody gives one");
  }

  @Test
  void aMissingReleaseStopsTheLaunchAfter() {
    Sketch sketch = new Sketch("test", 1, 1, 1, 0).semaphore(1).block(0, acquire(0));
    assertThat(assertFlawed(sketch, Kind.DEADLOCK).problem())
        .contains("in launch 2", "semaphore 0");
  }

  @Test
  void aSemaphoreThatGrowsIsNotBalanced() {
    Sketch sketch = new Sketch("test", 1, 1, 1, 0).semaphore(0).block(0, release(0));
    assertThat(assertFlawed(sketch, Kind.UNBALANCED).problem())
        .contains("semaphore 0 of rank 0 is too high by 3");
  }

  @Test
  void aSemaphoreOrdersTheBlocksOfARank() {
    Sketch sketch =
        new Sketch("allreduce", 1, 1, 1, 1)
            .semaphore(0)
            .block(0, copy(in(0), scratch(0)), nop(), release(0))
            .block(0, acquire(0), nop(), copy(scratch(0), out(0)));
    assertProved(sketch);
  }

  @Test
  void oneOfTwoReleasesDoesNotSayWhose() {
    Sketch sketch =
        new Sketch("test", 1, 2, 2, 2)
            .semaphore(0)
            .block(0, copy(in(0), scratch(0)), nop(), release(0))
            .block(0, copy(in(1), scratch(1)), nop(), release(0))
            .block(0, acquire(0), nop(), copy(scratch(0), out(0)), nop(), acquire(0));
    assertThat(assertFlawed(sketch, Kind.RACE).places()).contains(Place.op(0, 0, 0));
  }

  @Test
  void bothOfTwoReleasesDo() {
    Sketch sketch =
        new Sketch("allreduce", 1, 2, 2, 2)
            .semaphore(0)
            .block(0, copy(in(0), scratch(0)), nop(), release(0))
            .block(0, copy(in(1), scratch(1)), nop(), release(0))
            .block(
                0,
                acquire(0),
                acquire(0),
                nop(),
                copy(scratch(0), out(0)),
                copy(scratch(1), out(1)));
    assertProved(sketch);
  }

  @Test
  void blocksThatCompeteAreSaidToCompete() {
    Sketch sketch =
        new Sketch("test", 1, 1, 1, 0)
            .semaphore(1)
            .block(0, acquire(0), release(0))
            .block(0, acquire(0), release(0));
    Proof proof = sketch.plan().check();
    assertThat(proof.holds()).isTrue();
    assertThat(proof.warnings()).extracting(Flaw::kind).containsOnly(Kind.COMPETITION);
  }

  @Test
  void barriersOrderBlocks() {
    Sketch sketch =
        new Sketch("allreduce", 1, 1, 1, 1)
            .block(0, copy(in(0), scratch(0)), new Op.Barrier(0, 2))
            .block(0, new Op.Barrier(0, 2), copy(scratch(0), out(0)));
    assertProved(sketch);
  }

  // --- Pipelines.

  @Test
  void everyUnitOfAPipelineIsProved() {
    Sketch sketch = exchange("sendrecv");
    int line = sketch.second(0, 1);
    for (int rank = 0; rank < 2; rank++) {
      Op.Pipeline send =
          new Op.Pipeline(
              64, 1, List.of(put(in(0), at(rank, 1 - rank, SCRATCH, 0)), nop(), signal(line)));
      Op.Pipeline receive =
          new Op.Pipeline(64, 1, List.of(await(line), nop(), copy(scratch(0), out(0))));
      sketch.block(rank, all(sketch.handshake(), List.of(send))).block(rank, receive);
    }
    assertThat(assertProved(sketch).chunkBytes()).containsExactlyInAnyOrder(16L, 64L, 128L, 224L);
  }

  @Test
  void aSlotThatAPipelineUsesAgainIsTooEarly() {
    Sketch sketch = new Sketch("test", 1, 1, 1, 1).semaphore(0);
    sketch
        .block(0, new Op.Pipeline(64, 1, List.of(copy(in(0), scratch(0)), nop(), release(0))))
        .block(
            0, new Op.Pipeline(64, 1, List.of(nop(), copy(scratch(0), out(0)), nop(), acquire(0))));
    assertFlawed(sketch, Kind.RACE);
  }

  @Test
  void aWaitMayTakeTheSignalOfAnother() {
    Sketch sketch = exchange("sendrecv");
    for (int rank = 0; rank < 2; rank++) {
      sketch
          .block(
              rank,
              all(
                  sketch.handshake(),
                  List.of(put(in(0), at(rank, 1 - rank, SCRATCH, 0)), nop(), signal(0))))
          .block(rank, await(0), nop(), copy(scratch(0), out(0)));
    }
    assertThat(assertFlawed(sketch, Kind.RACE).problem()).contains("scratch chunk 0");
  }

  // --- Threads of a block.

  @Test
  void aMissingNopLeavesThreadsInNoOrder() {
    Sketch sketch =
        new Sketch("allreduce", 1, 1, 1, 1)
            .block(0, copy(in(0), scratch(0)), copy(scratch(0), out(0)));
    Proof proof = sketch.plan().check();
    assertThat(proof.holds()).isFalse();
    assertThat(proof.errors())
        .singleElement()
        .satisfies(
            flaw -> {
              assertThat(flaw.kind()).isEqualTo(Kind.MISSING_NOP);
              assertThat(flaw.places()).containsExactly(Place.op(0, 0, 1), Place.op(0, 0, 0));
            });
  }

  @Test
  void packetsOfOnePlaceAreOneThreadsAndDataIsNot() {
    // What was unpacked 8 bytes a thread is packed again so, and copied 16 bytes a thread.
    Sketch packets = unpacked(putPackets(out(0), at(0, 1, SCRATCH, 1)));
    assertThat(packets.plan().check().flaws())
        .extracting(Flaw::kind)
        .doesNotContain(Kind.MISSING_NOP, Kind.UNSURE_NOP);
    Sketch data = unpacked(copy(out(0), out(1)));
    assertThat(data.plan().check().errors())
        .extracting(Flaw::kind, Flaw::places)
        .contains(tuple(Kind.MISSING_NOP, List.of(Place.op(0, 0, 2), Place.op(0, 0, 1))));
  }

  /** Each of two ranks sends the other a chunk as packets, unpacks what it gets, and goes on. */
  private static Sketch unpacked(Op then) {
    Sketch sketch = new Sketch("test", 2, 1, 2, 2).doubleScratch();
    return sketch
        .block(0, putPackets(in(0), at(0, 1, SCRATCH, 0)), unpack(scratch(0), out(0)), then)
        .block(1, putPackets(in(0), at(1, 0, SCRATCH, 0)), unpack(scratch(0), out(0)));
  }

  @Test
  void aThreadKnowsOnlyOfItsOwnWaits() {
    // Rank 0 waits for both others and tells rank 1, by the thread that has waited for rank 1.
    for (boolean met : List.of(true, false)) {
      Sketch sketch = new Sketch("test", 3, 1, 1, 0);
      sketch
          .block(0, all(List.of(await(0, 1)), met ? List.of(nop()) : List.of(), List.of(signal(0))))
          .block(1, signal(0), await(0))
          .block(2, signal(0));
      assertThat(sketch.plan().check().errors())
          .extracting(Flaw::kind)
          .isEqualTo(met ? List.of() : List.of(Kind.MISSING_NOP));
    }
  }

  @Test
  void aProxyIsToldByAnotherThreadInNoOrder() {
    // Two transfers by two threads; the first of them signals on the channel of the second.
    for (boolean met : List.of(true, false)) {
      Sketch sketch = new Sketch("test", 3, 1, 1, 1);
      Op puts =
          new Op.Put(
              ChannelType.PORT,
              List.of(in(0), in(0)),
              List.of(at(0, 1, SCRATCH, 0), at(0, 2, SCRATCH, 0)),
              List.of(0, 1),
              Op.Put.Completion.NONE,
              Group.NONE);
      Op told = new Op.Signal(ChannelType.PORT, List.of(1), Op.Ordering.ORDERED);
      sketch
          .block(0, all(List.of(puts), met ? List.of(nop()) : List.of(), List.of(told)))
          .block(1)
          .block(2, portWait(0));
      assertThat(sketch.plan().check().errors())
          .extracting(Flaw::kind)
          .isEqualTo(met ? List.of() : List.of(Kind.MISSING_NOP));
    }
  }

  // --- Schedules.

  @Test
  void aScheduleLinksSignalsToWaitsAndWritersToReaders() {
    Sketch sketch = exchange("sendrecv");
    for (int rank = 0; rank < 2; rank++) {
      sketch.block(
          rank,
          all(
              List.of(put(in(0), at(rank, 1 - rank, SCRATCH, 0)), nop(), signal(0), await(0)),
              List.of(nop(), copy(scratch(0), out(0)))));
    }
    Schedule schedule = sketch.plan().schedule();
    assertThat(schedule.stuck()).isEmpty();
    assertThat(schedule.links())
        .extracting(
            Schedule.Link::kind,
            link -> schedule.steps().get(link.from()).place(),
            link -> schedule.steps().get(link.to()).place())
        .containsExactlyInAnyOrder(
            tuple(Schedule.Link.Kind.SIGNAL, Place.op(0, 0, 2), Place.op(1, 0, 3)),
            tuple(Schedule.Link.Kind.SIGNAL, Place.op(1, 0, 2), Place.op(0, 0, 3)),
            tuple(Schedule.Link.Kind.DATA, Place.op(0, 0, 0), Place.op(1, 0, 5)),
            tuple(Schedule.Link.Kind.DATA, Place.op(1, 0, 0), Place.op(0, 0, 5)));
    assertThat(schedule.links())
        .allSatisfy(
            link ->
                assertThat(schedule.steps().get(link.from()).end())
                    .isLessThanOrEqualTo(schedule.steps().get(link.to()).start()));
  }

  @Test
  void aPlanWhoseCountsAreWrongIsFollowedToWhereItStops() {
    Sketch sketch = exchange("test").block(0, nop()).block(1, await(0));
    assertFlawed(sketch, Kind.INVALID);
    assertThat(assertFlawed(sketch, Kind.DEADLOCK).places()).containsExactly(Place.op(1, 0, 0));
    assertThat(sketch.plan().schedule().stuck()).containsExactly(Place.op(1, 0, 0));
  }

  // --- Bounds.

  @Test
  void aHostilePlanEndsInTime() {
    Sketch sketch =
        new Sketch("test", 1, 1, 1, 0)
            .atLeast(1L << 40)
            .block(0, new Op.Pipeline(1, 1, List.of(copy(in(0), out(0)))));
    Assertions.assertTimeoutPreemptively(
        Duration.ofMinutes(10), () -> assertFlawed(sketch, Kind.UNDECIDED));
  }

  @Test
  void aPlanThatDoublesItsTermsEnds() {
    List<Op> ops = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      ops.add(add(in(0), in(0), in(0)));
    }
    ops.add(copy(in(0), out(0)));
    Sketch sketch = new Sketch("allreduce", 1, 1, 1, 0).block(0, ops);
    assertThatCode(() -> assertFlawed(sketch, Kind.WRONG_RESULT)).doesNotThrowAnyException();
  }

  private static Sketch exchange(String collective) {
    return new Sketch(collective, 2, 1, 1, 1);
  }

  private static Proof assertProved(Sketch sketch) {
    Proof proof = sketch.plan().check();
    assertThat(proof.errors()).isEmpty();
    return proof;
  }

  private static Flaw assertFlawed(Sketch sketch, Kind kind) {
    Proof proof = sketch.plan().check();
    assertThat(proof.errors()).extracting(Flaw::kind).contains(kind);
    return proof.errors().stream().filter(flaw -> flaw.kind() == kind).findFirst().orElseThrow();
  }
}
