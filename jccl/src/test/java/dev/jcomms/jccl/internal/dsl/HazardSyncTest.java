package dev.jcomms.jccl.internal.dsl;

import static dev.jcomms.jccl.internal.dsl.Steps.*;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.jcomms.jccl.plan.BufferType;
import dev.jcomms.jccl.plan.Chunk;
import dev.jcomms.jccl.plan.Op;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class HazardSyncTest {
  private static void nopBetween(Op first, Op second) {
    assertEquals(List.of(first, nop(), second), HazardSync.insert(List.of(first, second)));
  }

  private static void unchanged(Op... ops) {
    assertEquals(List.of(ops), HazardSync.insert(List.of(ops)));
  }

  @Test
  void readAfterWriteWriteAfterReadAndWriteAfterWriteAreKeptApart() {
    nopBetween(copy(i(0), o(0)), put(o(0), r(0)));
    nopBetween(put(i(0), r(0)), copy(s(0), i(0)));
    nopBetween(copy(i(0), o(0)), copy(i(1), o(0)));
    nopBetween(get(r(0), s(0)), reduce(List.of(i(0), s(0)), i(0)));
    nopBetween(reduce(List.of(i(0), i(1)), i(0)), put(i(0), r(0)));
  }

  @Test
  void readsAndStrangersNeedNothing() {
    unchanged(put(i(0), r(0)), put(i(0), r(1)));
    unchanged(copy(i(0), o(0)), copy(i(1), o(1)));
    unchanged(copy(i(0), o(0)), put(s(0), r(0)));
    unchanged(reduce(List.of(i(0), i(1)), i(0)));
  }

  @Test
  void partsOfAChunkAreEnough() {
    nopBetween(copy(i(0), o(3)), put(wide(2), r(0)));
    unchanged(copy(i(0), o(4)), put(wide(2), r(0)));
  }

  private static Chunk.Local wide(int index) {
    return new Chunk.Local(BufferType.OUTPUT, index, 2);
  }

  @Test
  void nopsAndBarriersSettleEverything() {
    unchanged(copy(i(0), o(0)), nop(), put(o(0), r(0)));
    unchanged(copy(i(0), o(0)), barrier(), put(o(0), r(0)));
  }

  @Test
  void anInsertedNopForgetsWhatWentBeforeButNotWhatFollows() {
    assertEquals(
        List.of(copy(i(0), o(0)), nop(), copy(o(0), s(0)), nop(), copy(s(1), o(0))),
        HazardSync.insert(List.of(copy(i(0), o(0)), copy(o(0), s(0)), copy(s(1), o(0)))));
  }

  @Test
  void packetsAreOrderedByTheirFlags() {
    unchanged(pack(i(0), s(0)), unpack(s(0), o(0)));
    unchanged(pack(i(0), s(0)), forward(s(0), r(0)));
    unchanged(pack(i(0), s(0)), reducePackets(i(1), List.of(s(0)), i(1), List.of()));
  }

  @Test
  void theSourceOfAReductionOfPacketsIsNoPacket() {
    nopBetween(copy(o(0), i(0)), reducePackets(i(0), List.of(s(0)), o(1), List.of()));
    nopBetween(reducePackets(i(0), List.of(s(0)), o(1), List.of()), copy(o(0), i(0)));
  }

  @Test
  void aPipelineIsLookedAtInsideAndAsOne() {
    List<Op> inner = new ArrayList<>(List.of(copy(i(0), o(0)), put(o(0), r(0))));
    assertEquals(
        List.of(
            new Op.Pipeline(1024, 1, List.of(copy(i(0), o(0)), nop(), put(o(0), r(0)))),
            nop(),
            copy(o(0), s(0))),
        HazardSync.insert(List.of(new Op.Pipeline(1024, 1, inner), copy(o(0), s(0)))));
  }
}
