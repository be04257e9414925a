package dev.jcomms.jccl.internal.dsl;

import static dev.jcomms.jccl.internal.dsl.Steps.*;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.jcomms.ReduceOp;
import dev.jcomms.jccl.plan.Group;
import dev.jcomms.jccl.plan.Op;
import java.util.List;
import org.junit.jupiter.api.Test;

class FusionTest {
  private static void fused(List<Step> expected, Step... steps) {
    assertEquals(expected, new Fusion(true, _ -> true).fuse(List.of(steps)));
  }

  private static void fused(Op expected, Op... ops) {
    fused(List.of(step(expected)), List.of(ops).stream().map(Steps::step).toArray(Step[]::new));
  }

  private static void notFused(Op... ops) {
    Step[] steps = List.of(ops).stream().map(Steps::step).toArray(Step[]::new);
    fused(List.of(steps), steps);
  }

  @Test
  void signalsOnDifferentChannelsAreOneAndMeetAsBothAsked() {
    fused(
        List.of(step(signal(0, 1, 2), Sync.BOTH)),
        step(signal(2), BEFORE),
        step(signal(0), AFTER),
        step(signal(1), Sync.NONE));
  }

  @Test
  void signalsOfAnotherTypeOrderingOrOnTheSameChannelStayApart() {
    notFused(signal(0), signal(0));
    notFused(signal(0), portSignal(1));
    notFused(signal(0), relaxedSignal(1));
    notFused(await(0), await(0));
  }

  @Test
  void flushesAndSemaphoresAreOne() {
    fused(new Op.Flush(List.of(0, 1)), new Op.Flush(List.of(1)), new Op.Flush(List.of(0, 1)));
    fused(new Op.Acquire(List.of(1, 0)), new Op.Acquire(List.of(1)), new Op.Acquire(List.of(0)));
    fused(new Op.Release(List.of(1, 1)), new Op.Release(List.of(1)), new Op.Release(List.of(1)));
  }

  @Test
  void aMeetingThatFollowsMakesTheOneAfterNeedless() {
    fused(
        List.of(step(signal(0), BEFORE), step(await(0), Sync.BOTH)),
        step(signal(0), Sync.BOTH),
        step(await(0), Sync.BOTH));
    fused(List.of(step(await(0), Sync.NONE), step(nop())), step(await(0), AFTER), step(nop()));
    fused(
        List.of(step(await(0), Sync.NONE), step(barrier())),
        step(await(0), AFTER),
        step(barrier()));
    fused(
        List.of(step(await(0), Sync.NONE), loop(step(signal(0), BEFORE))),
        step(await(0), AFTER),
        loop(step(signal(0), BEFORE)));
  }

  @Test
  void aMeetingThatWentBeforeMakesTheOneBeforeNeedless() {
    fused(List.of(step(nop()), step(signal(0), AFTER)), step(nop()), step(signal(0), Sync.BOTH));
    fused(
        List.of(step(barrier()), step(signal(0), Sync.NONE)),
        step(barrier()),
        step(signal(0), BEFORE));
    fused(
        List.of(loop(step(await(0), AFTER)), step(signal(0), Sync.NONE)),
        loop(step(await(0), AFTER)),
        step(signal(0), BEFORE));
  }

  @Test
  void meetingsInARowAreOne() {
    fused(nop(), nop(), nop());
    fused(barrier(), nop(), barrier());
    fused(barrier(), barrier(), nop());
    fused(List.of(loop(step(signal(0), BEFORE))), step(nop()), loop(step(signal(0), BEFORE)));
    fused(List.of(loop(step(await(0), AFTER))), loop(step(await(0), AFTER)), step(nop()));
  }

  @Test
  void aLoopThatEndsWithABareMeetingDoesNotClaimToBeginWithOne() {
    fused(
        List.of(step(await(0), AFTER), loop(step(put(i(0), r(0))), step(nop()))),
        step(await(0), AFTER),
        loop(step(put(i(0), r(0))), step(nop())));
  }

  @Test
  void transfersOfOneSizeAreOne() {
    fused(put(List.of(i(0), s(1)), List.of(r(0), r(1))), put(i(0), r(0)), put(s(1), r(1)));
    fused(
        new Op.Get(List.of(r(0), r(1)), List.of(i(0), i(1)), List.of(0, 0), Group.NONE),
        get(r(0), i(0)),
        get(r(1), i(1)));
    notFused(put(i(0), r(0)), portPut(i(1), r(1)));
  }

  @Test
  void forwardsOfTheSamePacketsAreOne() {
    fused(forward(s(0), r(0), r(1)), forward(s(0), r(0)), forward(s(0), r(1)));
    notFused(forward(s(0), r(0)), forward(s(1), r(1)));
  }

  @Test
  void reductionsOfTheSameSourceAreOne() {
    fused(
        reduce(List.of(i(0), i(1), i(2)), i(0)),
        reduce(List.of(i(0), i(1)), i(0)),
        reduce(List.of(i(0), i(2)), i(0)));
    fused(
        readReduce(i(0), List.of(r(0), r(1)), i(0)),
        readReduce(i(0), List.of(r(0)), i(0)),
        readReduce(i(0), List.of(r(1)), i(0)));
    notFused(reduce(List.of(i(0), i(1)), i(0)), reduce(List.of(i(1), i(2)), i(1)));
    notFused(readReduce(i(0), List.of(r(0)), i(0)), reduce(List.of(i(0), i(1)), i(0)));
    notFused(
        reduce(List.of(i(0), i(1)), i(0)),
        new Op.Reduce(ReduceOp.MAX, List.of(i(0), i(2)), List.of(), i(0), List.of(), Group.NONE));
  }

  @Test
  void aReductionSendsItsResult() {
    fused(
        reduce(List.of(i(0), i(1)), i(0), r(0), r(1)),
        reduce(List.of(i(0), i(1)), i(0)),
        put(i(0), r(0)),
        put(i(0), r(1)));
    fused(
        readReduce(i(0), List.of(r(0)), o(0), r(1)),
        readReduce(i(0), List.of(r(0)), o(0)),
        put(o(0), r(1)));
    notFused(reduce(List.of(i(0), i(1)), i(0)), put(i(1), r(0)));
    notFused(reduce(List.of(i(0), i(1)), i(0)), portPut(i(0), r(0)));
  }

  @Test
  void aReductionOfPacketsKeepsAndSendsPackets() {
    fused(
        reducePackets(i(0), List.of(s(0), s(1)), i(0), List.of(), r(0)),
        reducePackets(i(0), List.of(s(0)), i(0), List.of()),
        reducePackets(i(0), List.of(s(1)), i(0), List.of()),
        putPackets(i(0), r(0)));
    fused(
        reducePackets(i(0), List.of(s(0)), i(0), List.of(s(1)), r(0), r(1)),
        reducePackets(i(0), List.of(s(0)), i(0), List.of()),
        pack(i(0), s(1)),
        forward(s(1), r(0)),
        putPackets(i(0), r(1)));
    notFused(reducePackets(i(0), List.of(s(0)), i(0), List.of()), forward(s(1), r(0)));
  }

  @Test
  void theSwitchReducesAndStoresAtOnceWithBothIndices() {
    fused(
        new Op.SwitchReduceStore(ReduceOp.SUM, sw(0), sw(1), Group.NONE),
        switchReduce(0, i(1)),
        switchStore(i(1), 1));
  }

  @Test
  void aReducedChunkThatTheStoreDoesNotWriteIsNotLost() {
    fused(
        new Op.SwitchReduceStore(ReduceOp.SUM, sw(0), sw(1), Group.NONE),
        switchReduce(0, o(1)),
        switchStore(o(1), 1));
    List<Step> apart = List.of(step(switchReduce(0, o(1))), step(switchStore(o(1), 1)));
    assertEquals(apart, new Fusion(false, _ -> true).fuse(apart));
    notFused(switchReduce(0, i(0)), switchStore(i(0), 1));
  }

  @Test
  void aReducedChunkOfScratchVanishesIfOnlyTheStoreReadsIt() {
    fused(
        new Op.SwitchReduceStore(ReduceOp.SUM, sw(0), sw(1), Group.NONE),
        switchReduce(0, s(0)),
        switchStore(s(0), 1));
    List<Step> apart = List.of(step(switchReduce(0, s(0))), step(switchStore(s(0), 1)));
    assertEquals(apart, new Fusion(true, _ -> false).fuse(apart));
  }

  @Test
  void loopsAreFusedInsideAndNotWithEachOther() {
    fused(
        List.of(loop(step(signal(0, 1), Sync.BOTH)), loop(step(signal(0), Sync.BOTH))),
        loop(step(signal(0), Sync.BOTH), step(signal(1), Sync.BOTH)),
        loop(step(signal(0), Sync.BOTH)));
  }
}
