package dev.jcomms.jccl.dsl.programs;

import static dev.jcomms.jccl.dsl.On.on;
import static dev.jcomms.jccl.plan.Protocol.LL;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jcomms.ReduceOp;
import dev.jcomms.jccl.dsl.Buffer;
import dev.jcomms.jccl.dsl.CollectiveProgram;
import dev.jcomms.jccl.dsl.MemoryChannel;
import dev.jcomms.jccl.dsl.Mesh;
import dev.jcomms.jccl.dsl.ProgramBuilder;
import dev.jcomms.jccl.dsl.ProgramException;
import dev.jcomms.jccl.dsl.ProgramSpec;
import dev.jcomms.jccl.dsl.Replication;
import dev.jcomms.jccl.dsl.ThreadBlockGroup;
import dev.jcomms.jccl.plan.BufferType;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** A program that makes no sense is refused with the line of its author. */
class DslErrorsTest {
  private static final ProgramSpec SIMPLE = ProgramSpec.allReduce("simple", 2);
  private static final ProgramSpec PACKETS = ProgramSpec.allReduce("packets", 2).protocol(LL);

  private static void refused(String problem, ProgramSpec spec, Consumer<ProgramBuilder> body) {
    refused(problem, () -> CollectiveProgram.define(spec, body));
  }

  private static void refused(String problem, Runnable program) {
    String message = assertThrows(ProgramException.class, program::run).getMessage();
    assertTrue(message.matches("(?s)DslErrorsTest\\.java:\\d+: .*"), message);
    assertEquals(problem, message.replaceFirst("DslErrorsTest\\.java:\\d+: ", ""));
  }

  @Test
  void theLineIsThatOfTheCallEvenInsideAForEach() {
    int[] line = new int[1];
    ProgramException refusal =
        assertThrows(
            ProgramException.class,
            () ->
                CollectiveProgram.define(
                    SIMPLE,
                    p -> {
                      Mesh mesh = p.memoryMesh();
                      line[0] = new Throwable().getStackTrace()[0].getLineNumber() + 1;
                      mesh.forEach(link -> p.rank(link.to()).input().chunk(2));
                    }));
    assertEquals(
        "DslErrorsTest.java:%d: input[2:3] of rank 1 is not within its 2 chunks".formatted(line[0]),
        refusal.getMessage());
  }

  @Test
  void chunksOutOfBounds() {
    refused(
        "output[1:3] of rank 0 is not within its 2 chunks",
        SIMPLE,
        p -> p.rank(0).output().slice(1, 3));
    refused(
        "scratch[0:0] of rank 1 is not within its 4 chunks",
        SIMPLE,
        p -> p.rank(1).scratch(4).slice(0, 0));
    refused(
        "reduce of rank 0 through the switch of ranks [0, 1]: input[2:3] of rank 0 is not within"
            + " its 2 chunks",
        SIMPLE,
        p ->
            p.switchChannel(p.ranks(), BufferType.INPUT)
                .at(0)
                .reduce(2, p.rank(0).input().chunk(0), on(0)));
  }

  @Test
  void ranksThatAreNotThere() {
    refused("rank: 2 is not a rank of program 'simple' (2 ranks)", SIMPLE, p -> p.rank(2));
    refused(
        "memory channel: 5 is not a rank of program 'simple' (2 ranks)",
        SIMPLE,
        p -> p.memoryChannel(0, 5));
    refused("a port channel cannot lead from rank 1 to itself", SIMPLE, p -> p.portChannel(1, 1));
    refused(
        "rank 1 is not one of the switch channel's ranks [0]",
        SIMPLE,
        p -> p.switchChannel(List.of(0), BufferType.INPUT).at(1));
  }

  @Test
  void chunksOfTheWrongRank() {
    refused(
        "put from rank 0 to rank 1: input[0:1] of rank 1 is not a chunk of rank 0",
        SIMPLE,
        p ->
            p.memoryChannel(0, 1)
                .put(p.rank(1).input().chunk(0), p.rank(0).input().chunk(0), on(0)));
    refused(
        "copy of rank 0: output[0:1] of rank 1 is not a chunk of rank 0",
        SIMPLE,
        p -> p.rank(0).copy(p.rank(0).input().chunk(0), p.rank(1).output().chunk(0), on(0)));
  }

  @Test
  void chunksOfDifferentSizes() {
    refused(
        "copy of rank 0: input[0:2] of rank 0 has 2 chunks, and output[0:1] of rank 0 has 1",
        SIMPLE,
        p -> p.rank(0).copy(p.rank(0).input().all(), p.rank(0).output().chunk(0), on(0)));
  }

  @Test
  void signalsWithoutWaitAndWaitsWithoutSignal() {
    refused(
        "memory channel 0 from rank 0 to rank 1: rank 0 signals 1 times, but rank 1 waits 0 times",
        SIMPLE,
        p -> p.memoryChannel(0, 1).signal(on(0)));
    refused(
        "port channel 0 from rank 1 to rank 0: rank 1 signals 0 times, but rank 0 waits 1 times",
        SIMPLE,
        p -> p.portChannel(0, 1).await(on(0)));
    refused(
        "memory channel 1 from rank 0 to rank 1: rank 0 signals 1 times, but rank 1 waits 0 times; on"
            + " channel 0 it is the other way round: the k-th channel from one rank to another goes"
            + " with the k-th back",
        SIMPLE,
        p -> {
          MemoryChannel back = p.memoryChannel(1, 0);
          p.memoryChannel(0, 1);
          p.memoryChannel(0, 1).signal(on(0));
          back.await(on(0));
        });
  }

  @Test
  void aSignalInALoopNeedsAWaitInALoop() {
    refused(
        "memory channel 0 from rank 0 to rank 1 in a loop of 1 chunks, 64 bytes at a time: rank 0"
            + " signals 1 times, but rank 1 waits 0 times",
        SIMPLE,
        p -> {
          MemoryChannel there = p.memoryChannel(0, 1);
          MemoryChannel back = p.memoryChannel(1, 0);
          p.loop(64, 1, () -> there.signal(on(0)));
          back.await(on(0));
        });
  }

  @Test
  void blocksThatAreNotThere() {
    refused("on: block=-1 is no block; they are numbered from 0 to 65535", () -> on(-1));
    refused(
        "barrier of rank 0: 4 is not a block of program 'simple' (4 blocks a rank)",
        SIMPLE.blocks(4),
        p -> p.rank(0).barrier(3, 4));
    refused(
        "signal from rank 0 to rank 1: 4 is not a block of program 'simple' (4 blocks a rank)",
        SIMPLE.blocks(4),
        p -> p.memoryChannel(0, 1).signal(on(4)));
    refused(
        "a group cannot be of blocks [1, 1]; it has at least one, all different, from 0 on",
        () -> ThreadBlockGroup.of(1, 1));
    refused(
        "barrier of rank 0: [] are no blocks to meet; at least one, all different, from 0 on",
        SIMPLE,
        p -> p.rank(0).barrier());
  }

  @Test
  void groupsAndOptionsWhereTheyMeanNothing() {
    refused(
        "signal from rank 0 to rank 1: one block does it, not a group of blocks [0, 1]",
        SIMPLE,
        p -> p.memoryChannel(0, 1).signal(on(ThreadBlockGroup.of(0, 1))));
    refused(
        "copy of rank 0: only signals, waits and flushes can be relaxed or synchronised",
        SIMPLE,
        p -> p.rank(0).copy(p.rank(0).input().all(), p.rank(0).output().all(), on(0).syncBefore()));
    refused(
        "signal from rank 0 to rank 1: only memory channels can be relaxed",
        SIMPLE,
        p -> p.portChannel(0, 1).signal(on(0).relaxed()));
  }

  @Test
  void packetsOutsideOfTheProtocolOrOfScratch() {
    refused(
        "copyPackets of rank 0: packets need protocol LL; program 'simple' has Simple",
        SIMPLE,
        p -> p.rank(0).copyPackets(p.rank(0).input().all(), p.rank(0).scratch(2).all(), on(0)));
    refused(
        "copyPackets of rank 0: packets are in scratch only, not in output[0:2] of rank 0",
        PACKETS,
        p -> p.rank(0).copyPackets(p.rank(0).input().all(), p.rank(0).output().all(), on(0)));
  }

  @Test
  void aScratchChunkThatIsUsedTwiceForPackets() {
    ProgramException refusal =
        assertThrows(
            ProgramException.class,
            () ->
                CollectiveProgram.define(
                    PACKETS,
                    p -> {
                      Buffer scratch = p.rank(1).scratch(1);
                      MemoryChannel link = p.memoryChannel(0, 1);
                      link.putPackets(p.rank(0).input().chunk(0), scratch.all(), on(0));
                      link.putPackets(p.rank(0).input().chunk(1), scratch.all(), on(0));
                    }));
    assertTrue(
        refusal
            .getMessage()
            .matches(
                "DslErrorsTest.java:\\d+: putPackets from rank 0 to rank 1: rank 1: scratch chunk 0"
                    + " takes packets at DslErrorsTest.java:\\d+ already.*"),
        refusal.getMessage());
  }

  @Test
  void aScratchChunkThatHoldsPacketsAndData() {
    String message =
        assertThrows(
                ProgramException.class,
                () ->
                    CollectiveProgram.define(
                        PACKETS,
                        p -> {
                          Buffer scratch = p.rank(0).scratch(2);
                          p.rank(0).copyPackets(p.rank(0).input().all(), scratch.all(), on(0));
                          p.rank(0).copy(scratch.all(), p.rank(0).output().all(), on(0));
                        }))
            .getMessage();
    assertTrue(message.contains("scratch chunk 0 holds packets since DslErrorsTest.java"), message);
  }

  @Test
  void loopsInLoops() {
    refused(
        "a loop cannot be inside a loop; this one is in a loop of 1 chunks, 64 bytes at a time",
        SIMPLE,
        p -> p.loop(64, 1, () -> p.loop(32, 1, () -> {})));
    refused(
        "a loop cannot take 1 chunks in units of 0 bytes; both must be above 0",
        SIMPLE,
        p -> p.loop(0, 1, () -> {}));
  }

  @Test
  void reductionsThatAPlanCannotDo() {
    refused(
        "reduce of rank 0: a plan cannot reduce by avg",
        SIMPLE,
        p ->
            p.rank(0)
                .reduce(
                    ReduceOp.AVG,
                    p.rank(0).input().chunk(0),
                    List.of(p.rank(0).input().chunk(1)),
                    p.rank(0).output().chunk(0),
                    on(0)));
    refused(
        "reduce of rank 0: there is nothing to combine the source with",
        SIMPLE,
        p -> p.rank(0).reduce(p.rank(0).input().chunk(0), List.of(), on(0)));
  }

  @Test
  void slicesThatDoNotMatch() {
    ProgramSpec shared = SIMPLE.instances(2).replication(Replication.NONE);
    refused(
        "copy of rank 0: input[0:1] of rank 0: instances that share chunks need all of them 2"
            + " long, at multiples of 2",
        shared,
        p -> {
          p.rank(0).copy(p.rank(0).input().all(), p.rank(0).output().all(), on(0));
          p.rank(0).copy(p.rank(0).input().chunk(0), p.rank(0).output().chunk(0), on(0));
        });
  }

  @Test
  void aProgramThatIsDefinedAlready() {
    ProgramBuilder[] kept = new ProgramBuilder[1];
    CollectiveProgram.define(SIMPLE, p -> kept[0] = p);
    refused("program 'simple' is defined already", () -> kept[0].rank(0));
  }

  @Test
  void specsThatCannotBe() {
    refused("ranks=0 is not at least 1", () -> ProgramSpec.allReduce("none", 0));
    refused("root=3 is not a rank of 3", () -> ProgramSpec.broadcast("far", 3, 3));
    refused("instances=0 is not at least 1", () -> SIMPLE.instances(0));
  }
}
