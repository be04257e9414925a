package dev.jcomms.jccl.internal.dsl;

import static dev.jcomms.jccl.internal.dsl.Steps.*;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import dev.jcomms.jccl.plan.BufferType;
import dev.jcomms.jccl.plan.ChannelType;
import dev.jcomms.jccl.plan.Channels;
import dev.jcomms.jccl.plan.Chunk;
import dev.jcomms.jccl.plan.Group;
import dev.jcomms.jccl.plan.Op;
import dev.jcomms.jccl.plan.Op.Copy.Packing;
import dev.jcomms.jccl.plan.RankPlan;
import dev.jcomms.jccl.plan.RemoteBuffer;
import dev.jcomms.jccl.plan.ThreadBlock;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReplicasTest {
  private static RankPlan rank(Op... ops) {
    return new RankPlan(
        0,
        4,
        2,
        3,
        List.of(
            new Channels.ToPeers(ChannelType.MEMORY, List.of(1, 2)),
            new Channels.ToGroups(BufferType.INPUT, List.of(List.of(0, 1)))),
        List.of(new RemoteBuffer(1, BufferType.INPUT, List.of(ChannelType.MEMORY))),
        List.of(0, 5),
        List.of(
            new ThreadBlock(
                0,
                List.of(ops),
                List.of(new ThreadBlock.Refs(ChannelType.MEMORY, List.of(1, 0))),
                List.of(new ThreadBlock.Refs(ChannelType.MEMORY, List.of(0))))));
  }

  private static List<Op> instance(int k, Op op) {
    return new Replicas(2, false).of(rank(op)).blocks().get(k).ops();
  }

  @Test
  void oneInstanceIsThePlanItself() {
    RankPlan rank = rank(signal(0));
    assertSame(rank, new Replicas(1, false).of(rank));
  }

  @Test
  void resourcesAreCopiedSideBySide() {
    RankPlan twice = new Replicas(2, false).of(rank(signal(0, 1)));
    assertEquals(
        List.of(8, 4, 6),
        List.of(twice.inputChunks(), twice.outputChunks(), twice.scratchChunks()));
    assertEquals(List.of(1, 1, 2, 2), twice.peers(ChannelType.MEMORY));
    assertEquals(2, twice.switches().size());
    assertEquals(List.of(0, 0, 5, 5), twice.semaphores());
    assertEquals(List.of(0, 1), twice.blocks().stream().map(ThreadBlock::id).toList());
    assertEquals(List.of(2, 0), twice.blocks().get(0).channels().getFirst().ids());
    assertEquals(List.of(3, 1), twice.blocks().get(1).channels().getFirst().ids());
    assertEquals(List.of(0), twice.blocks().get(1).remoteBuffers().getFirst().ids());
    assertEquals(List.of(signal(0, 1)), twice.blocks().get(1).ops());
  }

  @Test
  void barriersAndSemaphoresAreEachInstancesOwn() {
    assertEquals(List.of(new Op.Barrier(1, 2)), instance(1, new Op.Barrier(0, 2)));
    assertEquals(
        List.of(new Op.Acquire(List.of(2, 0))), instance(0, new Op.Acquire(List.of(1, 0))));
    assertEquals(List.of(new Op.Release(List.of(3))), instance(1, new Op.Release(List.of(1))));
  }

  @Test
  void chunksOfInstancesLieSideBySide() {
    Chunk.Local wide = new Chunk.Local(BufferType.INPUT, 2, 2);
    Chunk.Local first = new Chunk.Local(BufferType.INPUT, 4, 2);
    Chunk.Local second = new Chunk.Local(BufferType.INPUT, 6, 2);
    assertEquals(List.of(copy(first, first)), instance(0, copy(wide, wide)));
    assertEquals(List.of(copy(second, second)), instance(1, copy(wide, wide)));
    assertEquals(List.of(put(i(3), r(5))), instance(1, put(i(1), r(2))));
    assertEquals(
        List.of(new Op.Pipeline(1024, 1, List.of(copy(i(1), o(3))))),
        instance(1, new Op.Pipeline(1024, 1, List.of(copy(i(0), o(1))))));
    assertEquals(List.of(switchStore(i(1), 3)), instance(1, switchStore(i(0), 1)));
    assertEquals(List.of(switchReduce(3, i(5))), instance(1, switchReduce(1, i(2))));
  }

  @Test
  void thePacketCopyOfAReductionIsMovedLikeTheRest() {
    assertEquals(
        List.of(reducePackets(i(1), List.of(s(1)), i(1), List.of(s(3)), r(5))),
        instance(1, reducePackets(i(0), List.of(s(0)), i(0), List.of(s(1)), r(2))));
  }

  @Test
  void instancesThatShareChunksDoASliceEach() {
    RankPlan twice =
        new Replicas(2, true)
            .of(rank(copy(i(1), o(1)), new Op.Copy(i(0), o(0), Packing.NONE, new Group(1, 3))));
    assertEquals(4, twice.inputChunks());
    assertEquals(
        List.of(
            new Op.Copy(i(1), o(1), Packing.NONE, new Group(1, 2)),
            new Op.Copy(i(0), o(0), Packing.NONE, new Group(3, 6))),
        twice.blocks().get(1).ops());
  }
}
