package dev.jcomms.jccl.plan;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** A plan as a JSON tree, with every key of the format in MSCCL++'s order; no extras. */
final class PlanWriter {
  /** An object under construction. */
  private static final class Fields extends LinkedHashMap<String, Object> {
    private static final long serialVersionUID = 1L;

    Fields with(String key, Object value) {
      put(
          key,
          switch (value) {
            case Integer n -> Json.Num.of(n);
            case Long n -> Json.Num.of(n);
            default -> value;
          });
      return this;
    }

    Fields withInts(String key, List<Integer> values) {
      return with(key, list(values, id -> Json.Num.of(id)));
    }
  }

  private PlanWriter() {}

  static Map<String, Object> tree(Plan plan) {
    return new Fields()
        .with("name", plan.name())
        .with("collective", plan.collective())
        .with("protocol", plan.protocol().code())
        .with("inplace", plan.inPlace())
        .with("reuse_resources", plan.reuseResources())
        .with("gpus", list(plan.ranks(), PlanWriter::rank))
        .with("num_threads_per_block", plan.threadsPerBlock())
        .with("use_double_scratch_buffer", plan.doubleScratch())
        .with("buffer_alignment", plan.bufferAlignment())
        .with("min_message_size", Json.Num.ofUnsigned(plan.minBytes()))
        .with("max_message_size", Json.Num.ofUnsigned(plan.maxBytes()));
  }

  private static Fields rank(RankPlan rank) {
    return new Fields()
        .with("id", rank.rank())
        .with("input_chunks", rank.inputChunks())
        .with("output_chunks", rank.outputChunks())
        .with("scratch_chunks", rank.scratchChunks())
        .with("threadblocks", list(rank.blocks(), block -> block(block, rank.rank())))
        .with("channels", list(rank.channels(), PlanWriter::channels))
        .with("remote_buffers", list(rank.remoteBuffers(), PlanWriter::remoteBuffer))
        .with(
            "semaphores",
            list(rank.semaphores(), initial -> new Fields().with("init_value", initial)));
  }

  private static Fields channels(Channels channels) {
    Fields fields = new Fields().with("channel_type", channels.type().code());
    return switch (channels) {
      case Channels.ToPeers(_, var connectedTo) -> fields.withInts("connected_to", connectedTo);
      case Channels.ToGroups(var buffer, var groups) ->
          fields
              .with("buffer_type", buffer.code())
              .with(
                  "rank_groups",
                  list(
                      groups,
                      ranks -> new Fields().with("size", ranks.size()).withInts("ranks", ranks)));
    };
  }

  private static Fields remoteBuffer(RemoteBuffer buffer) {
    return new Fields()
        .with("rank", buffer.rank())
        .with("type", buffer.buffer().code())
        .with("access_channel_types", list(buffer.access(), ChannelType::code));
  }

  private static Fields block(ThreadBlock block, int rank) {
    return new Fields()
        .with("id", block.id())
        .with("ops", list(block.ops(), op -> op(op, rank)))
        .with("channels", list(block.channels(), refs -> refs("channel_type", "channel_ids", refs)))
        .with(
            "remote_buffer_refs",
            list(
                block.remoteBuffers(),
                refs -> refs("access_channel_type", "remote_buffer_ids", refs)));
  }

  private static Fields refs(String typeKey, String idsKey, ThreadBlock.Refs refs) {
    return new Fields().with(typeKey, refs.type().code()).withInts(idsKey, refs.ids());
  }

  private static Fields op(Op op, int rank) {
    Fields fields = new Fields().with("name", op.name());
    return switch (op) {
      case Op.Nop() -> fields;
      case Op.Barrier(int id, int blocks) ->
          fields.with("barrier_id", id).with("num_threadblocks", blocks);
      case Op.Signal(var type, var channels, _) -> channels(fields, type, channels);
      case Op.Wait(var type, var channels, _) -> channels(fields, type, channels);
      case Op.Flush(var channels) -> channels(fields, ChannelType.PORT, channels);
      case Op.Acquire(var semaphores) -> fields.withInts("semaphore_ids", semaphores);
      case Op.Release(var semaphores) -> fields.withInts("semaphore_ids", semaphores);
      case Op.Pipeline(long unitBytes, int chunks, var ops) ->
          fields
              .with(
                  "iter_context",
                  new Fields().with("unit_size", unitBytes).with("num_chunks", chunks))
              .with("ops", list(ops, inner -> op(inner, rank)));
      case Op.SwitchReduce reduce -> switchReduce(fields, reduce, rank);
      case Op.Data data -> data(fields, data, rank);
    };
  }

  private static Fields channels(Fields fields, ChannelType type, List<Integer> channels) {
    return fields.withInts("channel_ids", channels).with("channel_type", type.code());
  }

  private static Fields data(Fields fields, Op.Data op, int rank) {
    // The format says whose chunk it is where a switch store reads it, and nowhere else.
    Function<Op.Access, Object> read =
        op instanceof Op.SwitchStore(var source, _, _, _)
            ? _ -> ownedChunk(source, rank)
            : access -> chunk(access.chunk());
    fields
        .with("src_buff", list(op.reads(), read))
        .with("dst_buff", list(op.writes(), access -> chunk(access.chunk())));
    List<Integer> channels =
        switch (op) {
          case Op.Put put -> put.channels();
          case Op.Get get -> get.channels();
          case Op.PutPackets put -> put.channels();
          case Op.ForwardPackets forward -> forward.channels();
          default -> List.of();
        };
    if (!channels.isEmpty()) {
      fields.withInts("channel_ids", channels);
    }
    op.via().ifPresent(type -> fields.with("channel_type", type.code()));
    switch (op) {
      case Op.Reduce reduce -> fields.with("reduce_op", reduce.reduction().opName());
      case Op.ReducePackets reduce -> fields.with("reduce_op", reduce.reduction().opName());
      case Op.SwitchReduceStore reduce -> fields.with("reduce_op", reduce.reduction().opName());
      default -> {}
    }
    return group(fields, op.group());
  }

  private static Fields switchReduce(Fields fields, Op.SwitchReduce op, int rank) {
    fields
        .with("buffer_type", op.buffer().code())
        .with("buffer_offset", op.index())
        .with("size", op.chunks())
        .with("dst_chunk", ownedChunk(op.destination(), rank));
    return group(
        channels(fields, ChannelType.SWITCH, op.channels())
            .with("reduce_op", op.reduction().opName()),
        op.group());
  }

  private static Fields group(Fields fields, Group group) {
    return group.isNone()
        ? fields
        : fields.with(
            "tbg_info",
            new Fields().with("tb_id", group.member()).with("tbg_size", group.blocks()));
  }

  private static Fields chunk(Chunk chunk) {
    Fields fields =
        switch (chunk) {
          case Chunk.Local local -> new Fields().with("type", local.buffer().code());
          case Chunk.Remote remote -> new Fields().with("buffer_id", remote.ref());
          case Chunk.Switch sw -> new Fields().with("switch_channel_id", sw.ref());
        };
    return fields.with("index", chunk.index()).with("size", chunk.chunks());
  }

  private static Fields ownedChunk(Chunk.Local chunk, int rank) {
    Fields fields = new Fields().with("rank", rank);
    fields.putAll(chunk(chunk));
    return fields;
  }

  private static <T> List<Object> list(Collection<? extends T> items, Function<? super T, ?> tree) {
    List<Object> list = new ArrayList<>(items.size());
    items.forEach(item -> list.add(tree.apply(item)));
    return list;
  }
}
