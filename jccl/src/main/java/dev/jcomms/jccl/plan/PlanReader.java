package dev.jcomms.jccl.plan;

import dev.jcomms.ReduceOp;
import dev.jcomms.jccl.plan.Op.Copy.Packing;
import dev.jcomms.jccl.plan.Op.Form;
import dev.jcomms.jccl.plan.Op.Ordering;
import dev.jcomms.jccl.plan.Op.Put.Completion;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** A JSON tree as a plan: shapes and words are checked here, sense by {@code PlanValidator}. */
final class PlanReader {
  private static final ReduceOp[] REDUCTIONS =
      Stream.of(ReduceOp.Standard.values())
          .filter(op -> op != ReduceOp.AVG)
          .toArray(ReduceOp[]::new);

  private PlanReader() {}

  static Plan read(String text) {
    Object tree = Json.read(text);
    Plan plan = plan(Node.root(tree));
    return plan.with(Extras.between(tree, PlanWriter.tree(plan)));
  }

  private static Plan plan(Node node) {
    return new Plan(
        node.at("name").string(),
        node.at("collective").string(),
        node.at("protocol").oneOf(Protocol.values(), Protocol::code),
        node.at("inplace").flag(),
        node.optional("reuse_resources", Node::flag, false),
        node.optional("num_threads_per_block", Node::count, Plan.DEFAULT_THREADS_PER_BLOCK),
        node.optional("use_double_scratch_buffer", Node::flag, false),
        node.optional("buffer_alignment", Node::count, Plan.DEFAULT_ALIGNMENT),
        node.optional("min_message_size", Node::unsigned, 0L),
        node.optional("max_message_size", Node::unsigned, -1L),
        node.at("gpus").list(PlanReader::rank),
        Extras.NONE);
  }

  private static RankPlan rank(Node node) {
    return new RankPlan(
        node.at("id").count(),
        node.at("input_chunks").count(),
        node.at("output_chunks").count(),
        node.at("scratch_chunks").count(),
        node.at("channels").list(PlanReader::channels),
        node.optional("remote_buffers", list -> list.list(PlanReader::remoteBuffer), List.of()),
        node.optional(
            "semaphores", list -> list.list(item -> item.at("init_value").integer()), List.of()),
        node.at("threadblocks").list(PlanReader::block));
  }

  private static Channels channels(Node node) {
    ChannelType type = channelType(node.at("channel_type"));
    return type == ChannelType.SWITCH
        ? new Channels.ToGroups(
            bufferType(node.at("buffer_type")), node.at("rank_groups").list(PlanReader::rankGroup))
        : new Channels.ToPeers(type, ids(node.at("connected_to")));
  }

  private static List<Integer> rankGroup(Node node) {
    List<Integer> ranks = ids(node.at("ranks"));
    int size = node.at("size").count();
    if (size != ranks.size()) {
      throw node.at("size").wrong("%d, but %d ranks are listed".formatted(size, ranks.size()));
    }
    return ranks;
  }

  private static RemoteBuffer remoteBuffer(Node node) {
    return new RemoteBuffer(
        node.at("rank").count(),
        bufferType(node.at("type")),
        node.at("access_channel_types").list(PlanReader::channelType));
  }

  private static ThreadBlock block(Node node) {
    return new ThreadBlock(
        node.at("id").count(),
        node.at("ops").list(PlanReader::op),
        node.optional(
            "channels",
            list -> list.list(refs -> refs(refs, "channel_type", "channel_ids")),
            List.of()),
        node.optional(
            "remote_buffer_refs",
            list -> list.list(refs -> refs(refs, "access_channel_type", "remote_buffer_ids")),
            List.of()));
  }

  private static ThreadBlock.Refs refs(Node node, String typeKey, String idsKey) {
    return new ThreadBlock.Refs(channelType(node.at(typeKey)), ids(node.at(idsKey)));
  }

  private static Op op(Node node) {
    String name = node.at("name").string();
    return checked(
        node,
        () ->
            switch (name) {
              case "nop" -> new Op.Nop();
              case "barrier" ->
                  new Op.Barrier(
                      node.at("barrier_id").count(), node.at("num_threadblocks").count());
              case "signal" -> signal(node, Ordering.ORDERED);
              case "rlxsignal" -> signal(node, Ordering.RELAXED);
              case "wait" -> wait(node, Ordering.ORDERED);
              case "rlxwait" -> wait(node, Ordering.RELAXED);
              case "flush" -> {
                require(node, ChannelType.PORT);
                yield new Op.Flush(ids(node.at("channel_ids")));
              }
              case "sem_acquire" -> new Op.Acquire(ids(node.at("semaphore_ids")));
              case "sem_release" -> new Op.Release(ids(node.at("semaphore_ids")));
              case "copy" -> copy(node, Packing.NONE);
              case "cpkt" -> copy(node, Packing.PACK);
              case "upkt" -> copy(node, Packing.UNPACK);
              case "put" -> put(node, Completion.NONE);
              case "pws" -> put(node, Completion.SIGNAL);
              case "pwsf" -> put(node, Completion.SIGNAL_AND_FLUSH);
              case "get" -> get(node);
              case "ppkt" ->
                  new Op.PutPackets(
                      channelType(node.at("channel_type")),
                      node.at("src_buff").list(PlanReader::local),
                      node.at("dst_buff").list(PlanReader::remote),
                      optionalChannels(node),
                      group(node));
              case "rppkt" ->
                  new Op.ForwardPackets(
                      channelType(node.at("channel_type")),
                      single(node.at("src_buff"), node.at("src_buff").list(PlanReader::local)),
                      node.at("dst_buff").list(PlanReader::remote),
                      optionalChannels(node),
                      group(node));
              case "re", "res", "rre", "rres" -> reduce(node, name);
              case "repkt", "respkt", "recpkt", "recspkt" -> reducePackets(node, name);
              case "glre" ->
                  new Op.SwitchReduce(
                      reduction(node),
                      bufferType(node.at("buffer_type")),
                      node.at("buffer_offset").count(),
                      node.at("size").count(),
                      local(node.at("dst_chunk")),
                      switchChannels(node),
                      group(node));
              case "glres" -> {
                require(node, ChannelType.SWITCH);
                yield new Op.SwitchReduceStore(
                    reduction(node),
                    single(node.at("src_buff"), node.at("src_buff").list(PlanReader::onSwitch)),
                    single(node.at("dst_buff"), node.at("dst_buff").list(PlanReader::onSwitch)),
                    group(node));
              }
              case "gstore" -> switchStore(node, Form.DATA);
              case "gstorepkt" -> switchStore(node, Form.PACKETS);
              case "pipeline" ->
                  new Op.Pipeline(
                      node.at("iter_context").at("unit_size").unsigned(),
                      node.at("iter_context").at("num_chunks").count(),
                      node.at("ops").list(PlanReader::op));
              default ->
                  throw node.at("name")
                      .wrong("'" + name + "' is no op of the format; one of " + OpName.ALL);
            });
  }

  private static Op.Signal signal(Node node, Ordering ordering) {
    return new Op.Signal(
        channelType(node.at("channel_type")), ids(node.at("channel_ids")), ordering);
  }

  private static Op.Wait wait(Node node, Ordering ordering) {
    return new Op.Wait(channelType(node.at("channel_type")), ids(node.at("channel_ids")), ordering);
  }

  private static Op.Copy copy(Node node, Packing packing) {
    return new Op.Copy(
        single(node.at("src_buff"), node.at("src_buff").list(PlanReader::local)),
        single(node.at("dst_buff"), node.at("dst_buff").list(PlanReader::local)),
        packing,
        group(node));
  }

  private static Op.Put put(Node node, Completion completion) {
    return new Op.Put(
        channelType(node.at("channel_type")),
        node.at("src_buff").list(PlanReader::local),
        node.at("dst_buff").list(PlanReader::remote),
        optionalChannels(node),
        completion,
        group(node));
  }

  private static Op.Get get(Node node) {
    require(node, ChannelType.MEMORY);
    return new Op.Get(
        node.at("src_buff").list(PlanReader::remote),
        node.at("dst_buff").list(PlanReader::local),
        optionalChannels(node),
        group(node));
  }

  private static Op.Reduce reduce(Node node, String name) {
    boolean reads = name.startsWith("rr");
    boolean sends = name.endsWith("s");
    Split sources = split(node.at("src_buff"), reads ? 1 : Integer.MAX_VALUE, reads);
    Split destinations = split(node.at("dst_buff"), 1, sends);
    if (reads || sends) {
      require(node, ChannelType.MEMORY);
    }
    return new Op.Reduce(
        reduction(node),
        sources.local(),
        sources.remote(),
        destinations.local().getFirst(),
        destinations.remote(),
        group(node));
  }

  private static Op.ReducePackets reducePackets(Node node, String name) {
    boolean copies = name.startsWith("rec");
    boolean sends = name.endsWith("spkt");
    List<Chunk.Local> sources = split(node.at("src_buff"), Integer.MAX_VALUE, false).local();
    Split destinations = split(node.at("dst_buff"), copies ? 2 : 1, sends);
    if (copies && destinations.local().size() < 2) {
      throw node.at("dst_buff").wrong("no packet copy; " + name + " has one");
    }
    if (sends) {
      require(node, ChannelType.MEMORY);
    }
    return new Op.ReducePackets(
        reduction(node),
        sources.getFirst(),
        sources.subList(1, sources.size()),
        destinations.local().getFirst(),
        destinations.local().subList(1, destinations.local().size()),
        destinations.remote(),
        group(node));
  }

  private static Op.SwitchStore switchStore(Node node, Form form) {
    require(node, ChannelType.SWITCH);
    return new Op.SwitchStore(
        single(node.at("src_buff"), node.at("src_buff").list(PlanReader::local)),
        single(node.at("dst_buff"), node.at("dst_buff").list(PlanReader::onSwitch)),
        form,
        group(node));
  }

  private record Split(List<Chunk.Local> local, List<Chunk.Remote> remote) {}

  /** One local chunk at least and {@code maxLocal} at most, then remote ones if there are to be. */
  private static Split split(Node list, int maxLocal, boolean withRemote) {
    List<Chunk> chunks =
        list.list(node -> withRemote && node.has("buffer_id") ? remote(node) : local(node));
    int locals = 0;
    while (locals < chunks.size() && chunks.get(locals) instanceof Chunk.Local) {
      locals++;
    }
    List<Chunk> rest = chunks.subList(locals, chunks.size());
    if (locals == 0 || locals > maxLocal || rest.stream().anyMatch(Chunk.Local.class::isInstance)) {
      throw list.wrong(
          "%d local chunks first, then %d others; this op has %s local, then remote ones"
              .formatted(
                  locals, rest.size(), maxLocal == Integer.MAX_VALUE ? "some" : "" + maxLocal));
    }
    if (withRemote && rest.isEmpty()) {
      throw list.wrong("no remote chunk; this op has at least one");
    }
    return new Split(
        chunks.subList(0, locals).stream().map(Chunk.Local.class::cast).toList(),
        rest.stream().map(Chunk.Remote.class::cast).toList());
  }

  private static Chunk.Local local(Node node) {
    return new Chunk.Local(
        bufferType(node.at("type")), node.at("index").count(), node.at("size").count());
  }

  private static Chunk.Remote remote(Node node) {
    return new Chunk.Remote(
        node.at("buffer_id").count(), node.at("index").count(), node.at("size").count());
  }

  private static Chunk.Switch onSwitch(Node node) {
    return new Chunk.Switch(
        node.at("switch_channel_id").count(), node.at("index").count(), node.at("size").count());
  }

  private static <T> T single(Node node, List<T> chunks) {
    if (chunks.size() != 1) {
      throw node.wrong(chunks.size() + " chunks; this op has one");
    }
    return chunks.getFirst();
  }

  private static Group group(Node node) {
    return node.optional("tbg_info", PlanReader::groupInfo, Group.NONE);
  }

  private static Group groupInfo(Node node) {
    int blocks = node.at("tbg_size").count();
    if (blocks == 0) {
      throw node.at("tbg_size").wrong("a group has at least one block");
    }
    return checked(node, () -> new Group(node.at("tb_id").count(), blocks));
  }

  private static ReduceOp reduction(Node node) {
    return node.optional("reduce_op", op -> op.oneOf(REDUCTIONS, ReduceOp::opName), ReduceOp.SUM);
  }

  private static List<Integer> switchChannels(Node node) {
    require(node, ChannelType.SWITCH);
    return ids(node.at("channel_ids"));
  }

  private static List<Integer> optionalChannels(Node node) {
    return node.optional("channel_ids", PlanReader::ids, List.of());
  }

  private static List<Integer> ids(Node node) {
    return node.list(Node::count);
  }

  private static void require(Node node, ChannelType type) {
    node.optional(
        "channel_type", its -> its.oneOf(new ChannelType[] {type}, ChannelType::code), type);
  }

  private static ChannelType channelType(Node node) {
    return node.oneOf(ChannelType.values(), ChannelType::code);
  }

  private static BufferType bufferType(Node node) {
    return node.oneOf(BufferType.values(), BufferType::code);
  }

  /** Records refuse what they cannot be; the reader says where. */
  private static <T> T checked(Node node, Supplier<T> made) {
    try {
      return made.get();
    } catch (IllegalArgumentException e) {
      throw node.wrong(e.getMessage());
    }
  }
}
