package dev.jcomms.jccl.dsl;

import dev.jcomms.ReduceOp;
import dev.jcomms.jccl.internal.dsl.Step;
import dev.jcomms.jccl.plan.BufferType;
import dev.jcomms.jccl.plan.Op;
import dev.jcomms.jccl.plan.Op.Copy.Packing;
import java.util.HashSet;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * One rank of a program: its buffers, and what its thread blocks do without other ranks. Made by
 * {@link ProgramBuilder#rank}; belongs to the thread that defines the program.
 */
public final class Rank {
  private final Recorder recorder;
  private final int id;

  Rank(Recorder recorder, int id) {
    this.recorder = recorder;
    this.id = id;
    recorder.rank("rank", id);
  }

  public int id() {
    return id;
  }

  public Buffer input() {
    return user(BufferType.INPUT);
  }

  public Buffer output() {
    return user(BufferType.OUTPUT);
  }

  private Buffer user(BufferType type) {
    return new Buffer(recorder, id, type, 0, recorder.rank("buffer", id).chunks(type));
  }

  /** So many more chunks of scratch. */
  public Buffer scratch(int chunks) {
    if (chunks < 0) {
      throw recorder.error("scratch of rank %d cannot have %d chunks", id, chunks);
    }
    int first = recorder.rank("scratch", id).scratch(chunks);
    return new Buffer(recorder, id, BufferType.SCRATCH, first, chunks);
  }

  /** A new semaphore of this rank's blocks. */
  public Semaphore semaphore(int initial) {
    if (initial < 0) {
      throw recorder.error("a semaphore of rank %d cannot begin with %d", id, initial);
    }
    return new Semaphore(recorder, id, recorder.rank("semaphore", id).semaphore(initial));
  }

  /** Copies data inside the rank. */
  public void copy(Chunk source, Chunk destination, On on) {
    String what = "copy of rank " + id;
    copy(what, source, destination, Packing.NONE, on);
  }

  /** Copies data to scratch, as packets. */
  public void copyPackets(Chunk source, Chunk destination, On on) {
    copy("copyPackets of rank " + id, source, destination, Packing.PACK, on);
  }

  /** Waits for packets in scratch and copies their data. */
  public void unpackPackets(Chunk source, Chunk destination, On on) {
    copy("unpackPackets of rank " + id, source, destination, Packing.UNPACK, on);
  }

  private void copy(String what, Chunk source, Chunk destination, Packing packing, On on) {
    recorder.checkOwner(what, id, source);
    recorder.checkOwner(what, id, destination);
    recorder.checkSizes(what, source, destination);
    if (packing == Packing.UNPACK) {
      recorder.readsPackets(what, source);
    } else {
      recorder.readsData(what, source);
    }
    if (packing == Packing.PACK) {
      recorder.writesPackets(what, destination);
    } else {
      recorder.writesData(what, destination);
    }
    recorder.emit(
        what,
        id,
        on,
        (_, group) ->
            new Op.Copy(
                recorder.local(what, id, source),
                recorder.local(what, id, destination),
                packing,
                group));
  }

  /** Adds chunks to another. */
  public void reduce(Chunk source, List<Chunk> others, On on) {
    reduce(ReduceOp.SUM, source, others, source, on);
  }

  /** The sum of chunks, to another. */
  public void reduce(Chunk source, List<Chunk> others, Chunk destination, On on) {
    reduce(ReduceOp.SUM, source, others, destination, on);
  }

  /** Combines chunks, in order. */
  public void reduce(
      ReduceOp reduction, Chunk source, List<Chunk> others, Chunk destination, On on) {
    String what = "reduce of rank " + id;
    checkOperands(what, reduction, source, others, destination);
    others.forEach(other -> recorder.readsData(what, other));
    recorder.emit(
        what,
        id,
        on,
        (_, group) ->
            new Op.Reduce(
                reduction,
                Stream.concat(Stream.of(source), others.stream())
                    .map(chunk -> recorder.local(what, id, chunk))
                    .toList(),
                List.of(),
                recorder.local(what, id, destination),
                List.of(),
                group));
  }

  /** Waits for packets in scratch and adds their data to a chunk. */
  public void reducePackets(Chunk source, List<Chunk> packets, On on) {
    reducePackets(ReduceOp.SUM, source, packets, source, on);
  }

  /** Waits for packets in scratch; the sum of a chunk and their data, to another chunk. */
  public void reducePackets(Chunk source, List<Chunk> packets, Chunk destination, On on) {
    reducePackets(ReduceOp.SUM, source, packets, destination, on);
  }

  /** Waits for packets in scratch and combines a chunk with their data, in order. */
  public void reducePackets(
      ReduceOp reduction, Chunk source, List<Chunk> packets, Chunk destination, On on) {
    String what = "reducePackets of rank " + id;
    recorder.checkPackets(what);
    checkOperands(what, reduction, source, packets, destination);
    packets.forEach(packet -> recorder.readsPackets(what, packet));
    recorder.emit(
        what,
        id,
        on,
        (_, group) ->
            new Op.ReducePackets(
                reduction,
                recorder.local(what, id, source),
                packets.stream().map(chunk -> recorder.local(what, id, chunk)).toList(),
                recorder.local(what, id, destination),
                List.of(),
                List.of(),
                group));
  }

  private void checkOperands(
      String what, ReduceOp reduction, Chunk source, List<Chunk> others, Chunk destination) {
    checkReduction(recorder, what, reduction, others);
    recorder.checkOwner(what, id, source);
    recorder.checkOwner(what, id, destination);
    recorder.checkSizes(what, source, destination);
    for (Chunk other : others) {
      recorder.checkOwner(what, id, other);
      recorder.checkSizes(what, source, other);
    }
    recorder.readsData(what, source);
    recorder.writesData(what, destination);
  }

  static void checkReduction(Recorder recorder, String what, ReduceOp reduction, List<?> others) {
    if (!(reduction instanceof ReduceOp.Standard) || reduction == ReduceOp.AVG) {
      throw recorder.error("%s: a plan cannot reduce by %s", what, reduction.opName());
    }
    if (others.isEmpty()) {
      throw recorder.error("%s: there is nothing to combine the source with", what);
    }
  }

  /** These blocks wait for each other; a block alone has its threads meet. */
  public void barrier(int... blocks) {
    List<Integer> members = IntStream.of(blocks).boxed().toList();
    if (members.isEmpty()
        || members.stream().anyMatch(block -> block < 0 || block >= On.MAX_BLOCKS)
        || new HashSet<>(members).size() < members.size()) {
      throw recorder.error(
          "barrier of rank %d: %s are no blocks to meet; at least one, all different, from 0 on",
          id, members);
    }
    var draft = recorder.rank("barrier", id);
    Op op =
        members.size() == 1 ? new Op.Nop() : new Op.Barrier(draft.barrier(members), members.size());
    for (int block : members) {
      recorder.add(recorder.block("barrier of rank " + id, id, block), Step.Act.of(op));
    }
  }

  /** The blocks of a group wait for each other. */
  public void barrier(ThreadBlockGroup group) {
    barrier(group.blocks().stream().mapToInt(Integer::intValue).toArray());
  }

  @Override
  public String toString() {
    return "rank " + id;
  }
}
