package dev.jcomms.jccl.internal.prove;

import dev.jcomms.ReduceOp;
import dev.jcomms.jccl.plan.BufferType;
import dev.jcomms.jccl.plan.ChannelType;
import dev.jcomms.jccl.plan.Channels;
import dev.jcomms.jccl.plan.Chunk;
import dev.jcomms.jccl.plan.Extras;
import dev.jcomms.jccl.plan.Group;
import dev.jcomms.jccl.plan.Op;
import dev.jcomms.jccl.plan.Plan;
import dev.jcomms.jccl.plan.Protocol;
import dev.jcomms.jccl.plan.RankPlan;
import dev.jcomms.jccl.plan.RemoteBuffer;
import dev.jcomms.jccl.plan.ThreadBlock;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A small plan, block by block. Every rank has two memory channels and a port channel to every
 * other, and reaches all its buffers.
 */
final class Sketch {
  private final String collective;
  private final int world;
  private final int[] chunks;
  private final List<List<List<Op>>> blocks = new ArrayList<>();
  private final List<Integer> semaphores = new ArrayList<>();
  private boolean inPlace;
  private boolean doubleScratch;
  private long minBytes;

  Sketch(String collective, int world, int input, int output, int scratch) {
    this.collective = collective;
    this.world = world;
    chunks = new int[] {input, output, scratch};
    for (int rank = 0; rank < world; rank++) {
      blocks.add(new ArrayList<>());
    }
  }

  Sketch inPlace() {
    inPlace = true;
    return this;
  }

  Sketch doubleScratch() {
    doubleScratch = true;
    return this;
  }

  Sketch atLeast(long bytes) {
    minBytes = bytes;
    return this;
  }

  Sketch semaphore(int initial) {
    semaphores.add(initial);
    return this;
  }

  Sketch block(int rank, Op... ops) {
    return block(rank, List.of(ops));
  }

  Sketch block(int rank, List<Op> ops) {
    blocks.get(rank).add(ops);
    return this;
  }

  Plan plan() {
    List<RankPlan> ranks = new ArrayList<>();
    for (int rank = 0; rank < world; rank++) {
      ranks.add(rank(rank));
    }
    return new Plan(
        "sketch",
        collective,
        Protocol.LL,
        inPlace,
        false,
        1024,
        doubleScratch,
        16,
        minBytes,
        -1,
        ranks,
        Extras.NONE);
  }

  private RankPlan rank(int rank) {
    List<Integer> peers = new ArrayList<>();
    List<RemoteBuffer> remote = new ArrayList<>();
    List<ChannelType> both = List.of(ChannelType.MEMORY, ChannelType.PORT);
    for (int peer = 0; peer < world; peer++) {
      if (peer != rank) {
        peers.add(peer);
        for (BufferType buffer : BufferType.values()) {
          remote.add(new RemoteBuffer(peer, buffer, both));
        }
      }
    }
    List<Integer> twice = new ArrayList<>(peers);
    twice.addAll(peers);
    List<Integer> channels = IntStream.range(0, twice.size()).boxed().toList();
    List<Integer> buffers = IntStream.range(0, remote.size()).boxed().toList();
    List<ThreadBlock> all = new ArrayList<>();
    for (List<Op> ops : blocks.get(rank)) {
      all.add(
          new ThreadBlock(
              all.size(),
              ops,
              List.of(
                  new ThreadBlock.Refs(ChannelType.MEMORY, channels),
                  new ThreadBlock.Refs(ChannelType.PORT, channels.subList(0, peers.size()))),
              both.stream().map(type -> new ThreadBlock.Refs(type, buffers)).toList()));
    }
    return new RankPlan(
        rank,
        chunks[0],
        chunks[1],
        chunks[2],
        List.of(
            new Channels.ToPeers(ChannelType.MEMORY, twice),
            new Channels.ToPeers(ChannelType.PORT, peers)),
        remote,
        semaphores,
        all);
  }

  /** The number of a peer among a rank's: also of the first channel to it. */
  static int to(int rank, int peer) {
    return peer < rank ? peer : peer - 1;
  }

  /** The second channel to a peer. */
  int second(int rank, int peer) {
    return world - 1 + to(rank, peer);
  }

  static Chunk.Local in(int index) {
    return new Chunk.Local(BufferType.INPUT, index, 1);
  }

  static Chunk.Local out(int index) {
    return new Chunk.Local(BufferType.OUTPUT, index, 1);
  }

  static Chunk.Local scratch(int index) {
    return new Chunk.Local(BufferType.SCRATCH, index, 1);
  }

  static Chunk.Remote at(int rank, int peer, BufferType buffer, int index) {
    return new Chunk.Remote(to(rank, peer) * 3 + buffer.ordinal(), index, 1);
  }

  static Op nop() {
    return new Op.Nop();
  }

  static Op signal(int... channels) {
    return new Op.Signal(ChannelType.MEMORY, list(channels), Op.Ordering.ORDERED);
  }

  static Op await(int... channels) {
    return new Op.Wait(ChannelType.MEMORY, list(channels), Op.Ordering.ORDERED);
  }

  static Op relaxedSignal(int... channels) {
    return new Op.Signal(ChannelType.MEMORY, list(channels), Op.Ordering.RELAXED);
  }

  static Op relaxedWait(int... channels) {
    return new Op.Wait(ChannelType.MEMORY, list(channels), Op.Ordering.RELAXED);
  }

  static Op acquire(int... semaphores) {
    return new Op.Acquire(list(semaphores));
  }

  static Op release(int... semaphores) {
    return new Op.Release(list(semaphores));
  }

  static Op copy(Chunk.Local from, Chunk.Local to) {
    return new Op.Copy(from, to, Op.Copy.Packing.NONE, Group.NONE);
  }

  static Op unpack(Chunk.Local from, Chunk.Local to) {
    return new Op.Copy(from, to, Op.Copy.Packing.UNPACK, Group.NONE);
  }

  static Op add(Chunk.Local destination, Chunk.Local... sources) {
    return new Op.Reduce(
        ReduceOp.SUM, List.of(sources), List.of(), destination, List.of(), Group.NONE);
  }

  static Op put(Chunk.Local from, Chunk.Remote to) {
    return new Op.Put(
        ChannelType.MEMORY,
        List.of(from),
        List.of(to),
        List.of(),
        Op.Put.Completion.NONE,
        Group.NONE);
  }

  static Op portPut(Chunk.Local from, Chunk.Remote to, int channel, Op.Put.Completion completion) {
    return new Op.Put(
        ChannelType.PORT, List.of(from), List.of(to), List.of(channel), completion, Group.NONE);
  }

  static Op portWait(int... channels) {
    return new Op.Wait(ChannelType.PORT, list(channels), Op.Ordering.ORDERED);
  }

  static Op putPackets(Chunk.Local from, Chunk.Remote to) {
    return new Op.PutPackets(ChannelType.MEMORY, List.of(from), List.of(to), List.of(), Group.NONE);
  }

  /** Every rank tells every other that it has begun, and waits for the same of them. */
  List<Op> handshake() {
    int[] all = IntStream.range(0, world - 1).toArray();
    return world == 1 ? List.of() : List.of(relaxedSignal(all), relaxedWait(all), nop());
  }

  /** What was written before is seen by all after. */
  List<Op> farewell() {
    int[] all = IntStream.range(0, world - 1).toArray();
    return world == 1 ? List.of() : List.of(nop(), signal(all), await(all), nop());
  }

  @SafeVarargs
  static List<Op> all(List<Op>... parts) {
    List<Op> ops = new ArrayList<>();
    for (List<Op> part : parts) {
      ops.addAll(part);
    }
    return Collections.unmodifiableList(ops);
  }

  private static List<Integer> list(int... numbers) {
    return IntStream.of(numbers).boxed().toList();
  }
}
