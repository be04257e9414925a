package dev.jcomms.jccl.internal.dsl;

import dev.jcomms.ReduceOp;
import dev.jcomms.jccl.plan.BufferType;
import dev.jcomms.jccl.plan.ChannelType;
import dev.jcomms.jccl.plan.Chunk;
import dev.jcomms.jccl.plan.Group;
import dev.jcomms.jccl.plan.Op;
import dev.jcomms.jccl.plan.Op.Copy.Packing;
import dev.jcomms.jccl.plan.Op.Form;
import dev.jcomms.jccl.plan.Op.Ordering;
import java.util.List;

/** Short words for ops: {@code i(0)} is chunk 0 of the input, {@code r(0)} one of a peer. */
final class Steps {
  static final Sync BEFORE = new Sync(true, false);
  static final Sync AFTER = new Sync(false, true);

  private Steps() {}

  static Chunk.Local i(int index) {
    return new Chunk.Local(BufferType.INPUT, index, 1);
  }

  static Chunk.Local o(int index) {
    return new Chunk.Local(BufferType.OUTPUT, index, 1);
  }

  static Chunk.Local s(int index) {
    return new Chunk.Local(BufferType.SCRATCH, index, 1);
  }

  static Chunk.Remote r(int index) {
    return new Chunk.Remote(0, index, 1);
  }

  static Chunk.Switch sw(int index) {
    return new Chunk.Switch(0, index, 1);
  }

  static Op nop() {
    return new Op.Nop();
  }

  static Op barrier() {
    return new Op.Barrier(0, 2);
  }

  static Op signal(Integer... channels) {
    return new Op.Signal(ChannelType.MEMORY, List.of(channels), Ordering.ORDERED);
  }

  static Op relaxedSignal(Integer... channels) {
    return new Op.Signal(ChannelType.MEMORY, List.of(channels), Ordering.RELAXED);
  }

  static Op portSignal(Integer... channels) {
    return new Op.Signal(ChannelType.PORT, List.of(channels), Ordering.ORDERED);
  }

  static Op await(Integer... channels) {
    return new Op.Wait(ChannelType.MEMORY, List.of(channels), Ordering.ORDERED);
  }

  static Op copy(Chunk.Local from, Chunk.Local to) {
    return new Op.Copy(from, to, Packing.NONE, Group.NONE);
  }

  static Op pack(Chunk.Local from, Chunk.Local to) {
    return new Op.Copy(from, to, Packing.PACK, Group.NONE);
  }

  static Op unpack(Chunk.Local from, Chunk.Local to) {
    return new Op.Copy(from, to, Packing.UNPACK, Group.NONE);
  }

  static Op put(Chunk.Local from, Chunk.Remote to) {
    return put(List.of(from), List.of(to));
  }

  static Op put(List<Chunk.Local> from, List<Chunk.Remote> to) {
    return new Op.Put(ChannelType.MEMORY, from, to, List.of(), Op.Put.Completion.NONE, Group.NONE);
  }

  static Op portPut(Chunk.Local from, Chunk.Remote to) {
    return new Op.Put(
        ChannelType.PORT,
        List.of(from),
        List.of(to),
        List.of(0),
        Op.Put.Completion.NONE,
        Group.NONE);
  }

  static Op get(Chunk.Remote from, Chunk.Local to) {
    return new Op.Get(List.of(from), List.of(to), List.of(0), Group.NONE);
  }

  static Op putPackets(Chunk.Local from, Chunk.Remote to) {
    return new Op.PutPackets(ChannelType.MEMORY, List.of(from), List.of(to), List.of(), Group.NONE);
  }

  static Op forward(Chunk.Local from, Chunk.Remote... to) {
    return new Op.ForwardPackets(ChannelType.MEMORY, from, List.of(to), List.of(), Group.NONE);
  }

  static Op reduce(List<Chunk.Local> from, Chunk.Local to, Chunk.Remote... also) {
    return new Op.Reduce(ReduceOp.SUM, from, List.of(), to, List.of(also), Group.NONE);
  }

  static Op readReduce(
      Chunk.Local from, List<Chunk.Remote> remotes, Chunk.Local to, Chunk.Remote... also) {
    return new Op.Reduce(ReduceOp.SUM, List.of(from), remotes, to, List.of(also), Group.NONE);
  }

  static Op reducePackets(
      Chunk.Local from,
      List<Chunk.Local> packets,
      Chunk.Local to,
      List<Chunk.Local> copies,
      Chunk.Remote... also) {
    return new Op.ReducePackets(ReduceOp.SUM, from, packets, to, copies, List.of(also), Group.NONE);
  }

  static Op switchReduce(int index, Chunk.Local to) {
    return new Op.SwitchReduce(
        ReduceOp.SUM, BufferType.INPUT, index, 1, to, List.of(0), Group.NONE);
  }

  static Op switchStore(Chunk.Local from, int index) {
    return new Op.SwitchStore(from, sw(index), Form.DATA, Group.NONE);
  }

  static Step step(Op op) {
    return Step.Act.of(op);
  }

  static Step step(Op op, Sync sync) {
    return new Step.Act(op, sync);
  }

  static Step loop(Step... steps) {
    return new Step.Loop(1024, 1, List.of(steps));
  }
}
