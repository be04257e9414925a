package dev.jcomms.jccl.plan;

import dev.jcomms.ReduceOp;
import dev.jcomms.jccl.plan.Finding.Severity;
import dev.jcomms.jccl.plan.Op.Form;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Finds what keeps a plan from running, op by op: numbers that mean nothing, chunks out of bounds,
 * packets outside scratch. What ops of different blocks owe each other is counted by {@link
 * SyncBalance} and {@link GroupMembers}; order is nobody's business here.
 */
final class PlanValidator {
  /** Of each severity, enough for a person; a hostile plan has as many mistakes as it likes. */
  private static final int MAX_FINDINGS = 1000;

  /** What the ops of a rank refer to, made once. */
  private record Resources(
      Map<ChannelType, List<Integer>> peers, List<RankPlan.SwitchChannel> switches) {
    static Resources of(RankPlan rank) {
      Map<ChannelType, List<Integer>> peers = new HashMap<>();
      for (ChannelType type : EnumSet.of(ChannelType.MEMORY, ChannelType.PORT)) {
        peers.put(type, rank.peers(type));
      }
      return new Resources(peers, rank.switches());
    }

    int count(ChannelType type) {
      return type == ChannelType.SWITCH ? switches.size() : peers.get(type).size();
    }
  }

  private final Plan plan;
  private final List<Finding> findings = new ArrayList<>();
  private final Map<Severity, Integer> counts = new EnumMap<>(Severity.class);

  private PlanValidator(Plan plan) {
    this.plan = plan;
  }

  static List<Finding> validate(Plan plan, boolean balance) {
    PlanValidator validator = new PlanValidator(plan);
    validator.plan();
    if (balance && !validator.counts.containsKey(Severity.ERROR)) {
      // Counting follows references: they must be sound.
      SyncBalance.of(plan, validator::error, validator::warning);
      GroupMembers.of(plan, validator::error);
    }
    return List.copyOf(validator.findings);
  }

  private void plan() {
    if (plan.ranks().isEmpty()) {
      error(Place.PLAN, "no ranks");
    }
    if (plan.bufferAlignment() <= 0) {
      error(Place.PLAN, "buffer_alignment=" + plan.bufferAlignment());
    }
    if (plan.threadsPerBlock() <= 0) {
      error(Place.PLAN, "num_threads_per_block=" + plan.threadsPerBlock());
    }
    if (Long.compareUnsigned(plan.minBytes(), plan.maxBytes()) > 0) {
      error(
          Place.PLAN,
          "min_message_size=%s is more than max_message_size=%s",
          Long.toUnsignedString(plan.minBytes()),
          Long.toUnsignedString(plan.maxBytes()));
    }
    plan.extras().unknownKeys().stream()
        .limit(MAX_FINDINGS)
        .forEach(key -> warning(Place.PLAN, "key %s means nothing here", key));
    for (int r = 0; r < plan.ranks().size(); r++) {
      RankPlan rank = plan.ranks().get(r);
      if (rank.rank() != r) {
        error(Place.rank(r), "id=%d, but it is rank %d by position", rank.rank(), r);
      }
      rank(r, rank);
    }
    switchGroups();
    if (plan.protocol() == Protocol.SIMPLE && PlanLayout.hasPackets(plan)) {
      warning(Place.PLAN, "packets in a Simple plan; MSCCL++ 0.9 makes scratch too small for them");
    }
  }

  private void rank(int r, RankPlan rank) {
    Place here = Place.rank(r);
    if (rank.inputChunks() == 0 || rank.outputChunks() == 0) {
      warning(
          here,
          "%s has no chunks; MSCCL++ 0.9 divides by their number",
          rank.inputChunks() == 0 ? "input" : "output");
    }
    Set<ChannelType> seen = EnumSet.noneOf(ChannelType.class);
    for (Channels channels : rank.channels()) {
      if (!seen.add(channels.type()) && channels.type() != ChannelType.SWITCH) {
        error(here, "two lists of %s channels", channels.type().code());
      }
      switch (channels) {
        case Channels.ToPeers(var type, var peers) ->
            peers.forEach(peer -> peer(here, type.code() + " channel", r, peer));
        case Channels.ToGroups(_, var groups) -> groups.forEach(group -> group(here, r, group));
      }
    }
    for (RemoteBuffer buffer : rank.remoteBuffers()) {
      peer(here, "remote buffer", r, buffer.rank());
    }
    Resources resources = Resources.of(rank);
    for (int b = 0; b < rank.blocks().size(); b++) {
      ThreadBlock block = rank.blocks().get(b);
      if (block.id() != b) {
        error(Place.block(r, b), "id=%d, but it is block %d by position", block.id(), b);
      }
      refs(Place.block(r, b), rank, block, resources);
      for (int i = 0; i < block.ops().size(); i++) {
        Place place = Place.op(r, b, i);
        switch (block.ops().get(i)) {
          case Op.Pipeline pipeline -> {
            for (int j = 0; j < pipeline.ops().size(); j++) {
              Op op = pipeline.ops().get(j);
              op(place.inside(j), rank, block, resources, op);
              pipelined(place.inside(j), pipeline, op);
            }
          }
          case Op op -> op(place, rank, block, resources, op);
        }
      }
    }
  }

  private void peer(Place here, String what, int rank, int peer) {
    if (peer < 0 || peer >= plan.ranks().size()) {
      error(here, "%s to rank %d; there are %d ranks", what, peer, plan.ranks().size());
    } else if (peer == rank) {
      error(here, "%s to itself", what);
    }
  }

  private void group(Place here, int rank, List<Integer> group) {
    Set<Integer> members = new HashSet<>(group);
    if (members.size() < group.size() || !members.contains(rank)) {
      error(here, "switch group %s must have this rank and each rank once", group);
    }
    for (int member : group) {
      if (member < 0 || member >= plan.ranks().size()) {
        error(here, "switch group %s; there are %d ranks", group, plan.ranks().size());
        return;
      }
    }
  }

  /** Every member of a switch group must know it, equally often. */
  private void switchGroups() {
    List<Map<RankPlan.SwitchChannel, Integer>> known = new ArrayList<>();
    for (RankPlan rank : plan.ranks()) {
      Map<RankPlan.SwitchChannel, Integer> groups = new HashMap<>();
      rank.switches().forEach(channel -> groups.merge(sorted(channel), 1, Integer::sum));
      known.add(groups);
    }
    for (int r = 0; r < known.size(); r++) {
      for (Map.Entry<RankPlan.SwitchChannel, Integer> entry : known.get(r).entrySet()) {
        for (int member : entry.getKey().ranks()) {
          int theirs =
              member < known.size() ? known.get(member).getOrDefault(entry.getKey(), 0) : 0;
          if (theirs != entry.getValue()) {
            error(
                Place.rank(r),
                "%d switch channels on %s of ranks %s; rank %d has %d",
                entry.getValue(),
                entry.getKey().buffer().code(),
                entry.getKey().ranks(),
                member,
                theirs);
          }
        }
      }
    }
  }

  private static RankPlan.SwitchChannel sorted(RankPlan.SwitchChannel channel) {
    return new RankPlan.SwitchChannel(
        channel.buffer(), List.copyOf(new TreeSet<>(channel.ranks())));
  }

  private void refs(Place here, RankPlan rank, ThreadBlock block, Resources resources) {
    Set<ChannelType> seen = EnumSet.noneOf(ChannelType.class);
    for (ThreadBlock.Refs refs : block.channels()) {
      if (!seen.add(refs.type())) {
        error(here, "two lists of %s channels", refs.type().code());
      }
      int count = resources.count(refs.type());
      for (int id : refs.ids()) {
        if (id < 0 || id >= count) {
          error(here, "%s channel %d; the rank has %d", refs.type().code(), id, count);
        }
      }
    }
    seen.clear();
    for (ThreadBlock.Refs refs : block.remoteBuffers()) {
      if (!seen.add(refs.type())) {
        error(here, "two lists of remote buffers for %s channels", refs.type().code());
      }
      for (int id : refs.ids()) {
        if (id < 0 || id >= rank.remoteBuffers().size()) {
          error(here, "remote buffer %d; the rank has %d", id, rank.remoteBuffers().size());
        } else if (!rank.remoteBuffers().get(id).access().contains(refs.type())) {
          error(here, "remote buffer %d is not for %s channels", id, refs.type().code());
        }
      }
    }
  }

  private void op(Place here, RankPlan rank, ThreadBlock block, Resources resources, Op op) {
    switch (op) {
      case Op.Nop() -> {}
      case Op.Pipeline _ -> throw new AssertionError("pipelines do not nest");
      case Op.Barrier(int id, int blocks) -> {
        if (id < 0 || blocks < 1 || blocks > rank.blocks().size()) {
          error(here, "barrier %d of %d blocks; there are %d", id, blocks, rank.blocks().size());
        }
      }
      case Op.Signal(var type, var channels, _) -> channels(here, block, resources, type, channels);
      case Op.Wait(var type, var channels, _) -> channels(here, block, resources, type, channels);
      case Op.Flush(var channels) -> {
        channels(here, block, resources, ChannelType.PORT, channels);
        warning(here, "flush waits here; MSCCL++ 0.9 passes over it");
      }
      case Op.Acquire(var semaphores) -> semaphores(here, rank, semaphores);
      case Op.Release(var semaphores) -> semaphores(here, rank, semaphores);
      case Op.Data data -> data(here, rank, block, resources, data);
    }
  }

  private void channels(
      Place here,
      ThreadBlock block,
      Resources resources,
      ChannelType type,
      List<Integer> channels) {
    if (channels.isEmpty()) {
      error(here, "no channels");
    }
    channels.forEach(ref -> channel(here, block, resources, type, ref));
  }

  /** The rank's number of a channel; -1 if there is none, which is then said. */
  private int channel(
      Place here, ThreadBlock block, Resources resources, ChannelType type, int ref) {
    int id = block.channel(type, ref).orElse(-1);
    if (id < 0 || id >= resources.count(type)) {
      error(here, "%s channel %d is not in the block's channels", type.code(), ref);
      return -1;
    }
    return id;
  }

  private void semaphores(Place here, RankPlan rank, List<Integer> semaphores) {
    if (semaphores.isEmpty()) {
      error(here, "no semaphores");
    }
    for (int id : semaphores) {
      if (id < 0 || id >= rank.semaphores().size()) {
        error(here, "semaphore %d; the rank has %d", id, rank.semaphores().size());
      }
    }
  }

  private void data(Place here, RankPlan rank, ThreadBlock block, Resources resources, Op.Data op) {
    List<Op.Access> all = new ArrayList<>(op.reads());
    all.addAll(op.writes());
    int chunks = all.isEmpty() ? 0 : all.getFirst().chunk().chunks();
    if (op.reads().isEmpty() || op.writes().isEmpty()) {
      error(here, "%s without %s", op.name(), op.reads().isEmpty() ? "source" : "destination");
    }
    boolean pairwise = op instanceof Op.Put || op instanceof Op.Get || op instanceof Op.PutPackets;
    for (int i = 0; i < all.size(); i++) {
      Op.Access access = all.get(i);
      access(here, rank, block, resources, op, access);
      int expected = pairwise ? all.get(i % op.reads().size()).chunk().chunks() : chunks;
      if (access.chunk().chunks() != expected) {
        error(here, "%d chunks against %d", access.chunk().chunks(), expected);
      }
    }
    if (op.group().blocks() > rank.blocks().size()) {
      error(here, "group of %d blocks; there are %d", op.group().blocks(), rank.blocks().size());
    }
    switch (op) {
      case Op.Put put -> {
        through(here, rank, block, resources, put.type(), put.channels(), put.destinations());
        if (put.type() == ChannelType.MEMORY
            && put.sources().stream().map(Chunk.Local::buffer).distinct().count() > 1) {
          warning(here, "put from different buffers; MSCCL++ 0.9 takes all from the first");
        }
      }
      case Op.PutPackets put ->
          through(here, rank, block, resources, put.type(), put.channels(), put.destinations());
      case Op.ForwardPackets put ->
          through(here, rank, block, resources, put.type(), put.channels(), put.destinations());
      case Op.Get get -> {
        through(here, rank, block, resources, ChannelType.MEMORY, get.channels(), get.sources());
        for (int i = 0; i < get.sources().size(); i++) {
          int from = get.sources().get(i).index();
          int to = get.destinations().get(i).index();
          if (from != to) {
            warning(here, "get from chunk %d to chunk %d; MSCCL++ 0.9 swaps the two", from, to);
          }
        }
      }
      case Op.Reduce reduce -> sums(here, reduce.reduction());
      case Op.ReducePackets reduce -> sums(here, reduce.reduction());
      case Op.SwitchReduce reduce -> {
        sums(here, reduce.reduction());
        warning(here, "glre runs here; MSCCL++ 0.9 refuses it");
        int id = block.channel(ChannelType.SWITCH, reduce.source().ref()).orElse(-1);
        if (id >= 0
            && id < resources.switches().size()
            && resources.switches().get(id).buffer() != reduce.buffer()) {
          error(here, "buffer_type is not the switch channel's");
        }
      }
      case Op.SwitchReduceStore reduce -> {
        sums(here, reduce.reduction());
        if (reduce.source().index() != reduce.destination().index()) {
          warning(
              here,
              "glres from chunk %d to chunk %d; MSCCL++'s DSL cannot write that",
              reduce.source().index(),
              reduce.destination().index());
        }
      }
      case Op.Copy _, Op.SwitchStore _ -> {}
    }
  }

  /** Channels of a put or get: one for each chunk on ports, and to the rank that has the chunk. */
  private void through(
      Place here,
      RankPlan rank,
      ThreadBlock block,
      Resources resources,
      ChannelType type,
      List<Integer> channels,
      List<Chunk.Remote> chunks) {
    if (type == ChannelType.PORT && channels.size() != chunks.size()) {
      error(here, "%d channels for %d remote chunks", channels.size(), chunks.size());
      return;
    }
    for (int i = 0; i < channels.size(); i++) {
      int id = channel(here, block, resources, type, channels.get(i));
      int buffer =
          i < chunks.size() ? block.remoteBuffer(type, chunks.get(i).ref()).orElse(-1) : -1;
      if (id < 0 || buffer < 0 || buffer >= rank.remoteBuffers().size()) {
        continue;
      }
      int peer = resources.peers().get(type).get(id);
      int owner = rank.remoteBuffers().get(buffer).rank();
      if (peer != owner) {
        error(here, "channel to rank %d for a buffer of rank %d", peer, owner);
      }
    }
  }

  private void sums(Place here, ReduceOp reduction) {
    if (reduction != ReduceOp.SUM) {
      warning(here, "reduces by %s; MSCCL++ 0.9 sums", reduction.opName());
    }
  }

  private void access(
      Place here,
      RankPlan rank,
      ThreadBlock block,
      Resources resources,
      Op.Data op,
      Op.Access access) {
    if (access.chunk().chunks() == 0) {
      error(here, "empty chunk");
    }
    switch (access.chunk()) {
      case Chunk.Local local -> inside(here, access, local.buffer(), rank, "own");
      case Chunk.Remote remote -> {
        ChannelType type = op.via().orElseThrow();
        int id = block.remoteBuffer(type, remote.ref()).orElse(-1);
        if (id < 0 || id >= rank.remoteBuffers().size()) {
          error(
              here,
              "remote buffer %d is not in the block's buffers for %s channels",
              remote.ref(),
              type.code());
          return;
        }
        RemoteBuffer buffer = rank.remoteBuffers().get(id);
        if (buffer.rank() < plan.ranks().size()) {
          RankPlan owner = plan.ranks().get(buffer.rank());
          inside(here, access, buffer.buffer(), owner, "rank " + buffer.rank() + "'s");
        }
      }
      case Chunk.Switch chunk -> {
        int id = channel(here, block, resources, ChannelType.SWITCH, chunk.ref());
        if (id >= 0) {
          RankPlan.SwitchChannel channel = resources.switches().get(id);
          for (int member : channel.ranks()) {
            if (member < plan.ranks().size()) {
              RankPlan owner = plan.ranks().get(member);
              inside(here, access, channel.buffer(), owner, "rank " + member + "'s");
            }
          }
        }
      }
    }
  }

  private void inside(
      Place here, Op.Access access, BufferType buffer, RankPlan owner, String whose) {
    Chunk chunk = access.chunk();
    if (access.form() == Form.PACKETS && buffer != BufferType.SCRATCH) {
      error(here, "packets in %s %s; only scratch has room", whose, word(buffer));
    }
    if ((long) chunk.index() + chunk.chunks() > owner.chunks(buffer)) {
      error(
          here,
          "chunks %d to %d of %s %s, which has %d",
          chunk.index(),
          (long) chunk.index() + chunk.chunks(),
          whose,
          word(buffer),
          owner.chunks(buffer));
    }
  }

  private static String word(BufferType buffer) {
    return buffer.name().toLowerCase(java.util.Locale.ROOT);
  }

  /** A pipeline that ends before its op's chunks do leaves the rest undone. */
  private void pipelined(Place here, Op.Pipeline pipeline, Op op) {
    if (op instanceof Op.Data data
        && data.writes().stream().anyMatch(w -> w.chunk().chunks() > pipeline.chunks())) {
      warning(here, "the pipeline ends after %d chunks; the op has more", pipeline.chunks());
    }
  }

  private void error(Place place, String problem, Object... values) {
    add(Severity.ERROR, place, problem, values);
  }

  private void warning(Place place, String problem, Object... values) {
    add(Severity.WARNING, place, problem, values);
  }

  private void add(Severity severity, Place place, String problem, Object... values) {
    if (counts.merge(severity, 1, Integer::sum) <= MAX_FINDINGS) {
      findings.add(new Finding(severity, place, problem.formatted(values)));
    }
  }
}
