package dev.jcomms.jccl.dsl;

import dev.jcomms.jccl.internal.dsl.BlockDraft;
import dev.jcomms.jccl.internal.dsl.Caller;
import dev.jcomms.jccl.internal.dsl.Pairing;
import dev.jcomms.jccl.internal.dsl.RankDraft;
import dev.jcomms.jccl.internal.dsl.ScratchUse;
import dev.jcomms.jccl.internal.dsl.Slices;
import dev.jcomms.jccl.internal.dsl.Step;
import dev.jcomms.jccl.plan.BufferType;
import dev.jcomms.jccl.plan.ChannelType;
import dev.jcomms.jccl.plan.Chunk.Local;
import dev.jcomms.jccl.plan.Chunk.Remote;
import dev.jcomms.jccl.plan.Group;
import dev.jcomms.jccl.plan.Op;
import dev.jcomms.jccl.plan.Op.Form;
import dev.jcomms.jccl.plan.Plan;
import dev.jcomms.jccl.plan.Protocol;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.IntStream;

/** Takes down a program while it is being defined, and checks each op against what is known. */
final class Recorder {
  private final ProgramSpec spec;
  private final List<RankDraft> ranks;
  private final List<ScratchUse> scratch;
  private final Pairing pairing;
  private final Slices slices;
  private boolean finished;

  /** What the blocks do in the loop that is being defined; null outside of one. */
  private Map<BlockDraft, List<Step>> loop;

  private String loopWords = "";

  Recorder(ProgramSpec spec) {
    this.spec = spec;
    this.ranks =
        IntStream.range(0, spec.ranks())
            .mapToObj(rank -> new RankDraft(rank, spec.inputChunks(), spec.outputChunks()))
            .toList();
    this.scratch = ranks.stream().map(_ -> new ScratchUse()).toList();
    // Test programs may leave a signal hanging; MSCCL++'s own do.
    this.pairing = new Pairing(!spec.collective().equals("test"));
    this.slices =
        spec.instances() > 1 && spec.replication() == Replication.NONE ? new Slices() : null;
  }

  ProgramSpec spec() {
    return spec;
  }

  Plan finish() {
    checkOpen();
    finished = true;
    return new Compiler(spec, ranks, scratch, pairing).compile();
  }

  ProgramException error(String problem, Object... values) {
    return error(Caller.current(), problem.formatted(values));
  }

  static ProgramException error(Caller caller, String problem) {
    return new ProgramException(caller + ": " + problem);
  }

  private void checkOpen() {
    if (finished) {
      throw error("program '%s' is defined already", spec.name());
    }
  }

  RankDraft rank(String what, int rank) {
    checkOpen();
    if (rank < 0 || rank >= ranks.size()) {
      throw error(
          "%s: %d is not a rank of program '%s' (%d ranks)", what, rank, spec.name(), ranks.size());
    }
    return ranks.get(rank);
  }

  BlockDraft block(String what, int rank, int block) {
    if (block >= spec.blocks().orElse(Integer.MAX_VALUE)) {
      throw error(
          "%s: %d is not a block of program '%s' (%d blocks a rank)",
          what, block, spec.name(), spec.blocks().getAsInt());
    }
    return rank(what, rank).block(block);
  }

  /** An op on data, on every block of {@code on}. */
  void emit(String what, int rank, On on, BiFunction<BlockDraft, Group, Op> op) {
    if (on.hasOptions()) {
      throw error("%s: only signals, waits and flushes can be relaxed or synchronised", what);
    }
    if (slices != null) {
      report(what, slices.group(on.blocks().size()));
    }
    for (int member = 0; member < on.blocks().size(); member++) {
      BlockDraft block = block(what, rank, on.blocks().get(member));
      add(block, Step.Act.of(op.apply(block, on.share(member))));
    }
  }

  /** An op that one block does alone. */
  void emitAlone(String what, int rank, On on, Function<BlockDraft, Op> op) {
    notGroup(what, on);
    emit(what, rank, on, (block, _) -> op.apply(block));
  }

  /** An op that signals, waits or flushes. */
  void emitSync(String what, int rank, On on, Function<BlockDraft, Op> op) {
    notGroup(what, on);
    BlockDraft block = block(what, rank, on.blocks().getFirst());
    add(block, new Step.Act(op.apply(block), on.sync()));
  }

  private void notGroup(String what, On on) {
    if (on.isGroup()) {
      throw error("%s: one block does it, not a group of %s", what, on);
    }
  }

  void add(BlockDraft block, Step step) {
    checkOpen();
    if (loop == null) {
      block.add(step);
    } else {
      loop.computeIfAbsent(block, _ -> new ArrayList<>()).add(step);
    }
  }

  void loop(long unitBytes, int chunks, Runnable body) {
    checkOpen();
    if (loop != null) {
      throw error("a loop cannot be inside a loop; this one is%s", loopWords);
    }
    if (unitBytes <= 0 || chunks <= 0) {
      throw error(
          "a loop cannot take %d chunks in units of %d bytes; both must be above 0",
          chunks, unitBytes);
    }
    Map<BlockDraft, List<Step>> inner = new LinkedHashMap<>();
    loop = inner;
    loopWords = " in a loop of %d chunks, %d bytes at a time".formatted(chunks, unitBytes);
    try {
      body.run();
    } finally {
      loop = null;
      loopWords = "";
    }
    inner.forEach((block, steps) -> block.add(new Step.Loop(unitBytes, chunks, steps)));
  }

  void signal(PeerChannel channel) {
    pairing.signal(channel.type(), channel.from(), channel.to(), channel.ordinal(), loopWords);
  }

  void await(PeerChannel channel) {
    pairing.await(channel.type(), channel.from(), channel.to(), channel.ordinal(), loopWords);
  }

  /** The chunk as the rank itself sees it, after checking that it is the rank's. */
  Local local(String what, int rank, Chunk chunk) {
    checkOwner(what, rank, chunk);
    return new Local(chunk.buffer(), chunk.index(), chunk.chunks());
  }

  /** The chunk as a block of another rank sees it. */
  Remote remote(PeerChannel channel, BlockDraft block, Chunk chunk) {
    int id = ranks.get(channel.from()).remoteBuffer(channel.type(), chunk.rank(), chunk.buffer());
    int ref = block.remoteBuffer(channel.type(), id);
    return new Remote(ref, chunk.index(), chunk.chunks());
  }

  void checkOwner(String what, int rank, Chunk chunk) {
    if (chunk.rank() != rank) {
      throw error("%s: %s is not a chunk of rank %d", what, chunk, rank);
    }
    int chunks = rank(what, rank).chunks(chunk.buffer());
    if (chunk.index() < 0 || chunk.chunks() < 1 || chunk.index() + chunk.chunks() > chunks) {
      throw error("%s: %s is not within its %d chunks", what, chunk, chunks);
    }
    if (slices != null) {
      report(what + ": " + chunk, slices.chunk(chunk.index(), chunk.chunks()));
    }
  }

  void checkSizes(String what, Chunk one, Chunk other) {
    if (one.chunks() != other.chunks()) {
      throw error(
          "%s: %s has %d chunks, and %s has %d", what, one, one.chunks(), other, other.chunks());
    }
  }

  void checkPackets(String what) {
    if (spec.protocol() != Protocol.LL) {
      throw error(
          "%s: packets need protocol LL; program '%s' has %s",
          what, spec.name(), spec.protocol().code());
    }
  }

  void readsData(String what, Chunk chunk) {
    noteData(what, chunk, false);
  }

  void writesData(String what, Chunk chunk) {
    noteData(what, chunk, true);
  }

  void readsPackets(String what, Chunk chunk) {
    notePackets(what, chunk, false);
  }

  void writesPackets(String what, Chunk chunk) {
    notePackets(what, chunk, true);
  }

  private void noteData(String what, Chunk chunk, boolean write) {
    if (chunk.buffer() == BufferType.SCRATCH) {
      note(what, chunk, Form.DATA, write);
    }
  }

  private void notePackets(String what, Chunk chunk, boolean write) {
    checkPackets(what);
    if (chunk.buffer() != BufferType.SCRATCH) {
      throw error("%s: packets are in scratch only, not in %s", what, chunk);
    }
    note(what, chunk, Form.PACKETS, write);
  }

  private void note(String what, Chunk chunk, Form form, boolean write) {
    report(
        what + ": rank " + chunk.rank(),
        scratch.get(chunk.rank()).note(chunk.index(), chunk.chunks(), form, write));
  }

  private void report(String what, Optional<String> problem) {
    problem.ifPresent(
        words -> {
          throw error("%s: %s", what, words);
        });
  }

  int channelsTo(ChannelType type, int from, int to) {
    return ranks.get(from).channelsTo(type, to);
  }
}
