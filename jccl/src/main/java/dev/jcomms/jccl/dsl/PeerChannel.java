package dev.jcomms.jccl.dsl;

import dev.jcomms.jccl.internal.dsl.BlockDraft;
import dev.jcomms.jccl.plan.ChannelType;
import dev.jcomms.jccl.plan.Op;
import java.util.List;

/** What memory and port channels have in common. */
abstract sealed class PeerChannel permits MemoryChannel, PortChannel {
  final Recorder recorder;
  private final ChannelType type;
  private final int from;
  private final int to;
  private final int id;
  private final int ordinal;

  PeerChannel(Recorder recorder, ChannelType type, int from, int to) {
    this.recorder = recorder;
    this.type = type;
    this.from = from;
    this.to = to;
    recorder.rank(type.code() + " channel", to);
    var owner = recorder.rank(type.code() + " channel", from);
    if (from == to) {
      throw recorder.error("a %s channel cannot lead from rank %d to itself", type.code(), from);
    }
    this.ordinal = recorder.channelsTo(type, from, to);
    this.id = owner.channel(type, to);
  }

  /** The rank that does the ops of this channel. */
  public int from() {
    return from;
  }

  /** The rank at the other end. */
  public int to() {
    return to;
  }

  final ChannelType type() {
    return type;
  }

  final int ordinal() {
    return ordinal;
  }

  final String what(String op) {
    return "%s from rank %d to rank %d".formatted(op, from, to);
  }

  final int ref(BlockDraft block) {
    return block.channel(type, id);
  }

  /** For ops whose channels the format wants to know: those through a port. */
  private List<Integer> portRefs(BlockDraft block) {
    int ref = ref(block);
    return type == ChannelType.PORT ? List.of(ref) : List.of();
  }

  final void doSignal(On on) {
    recorder.emitSync(
        what("signal"), from, on, block -> new Op.Signal(type, List.of(ref(block)), on.ordering()));
    recorder.signal(this);
  }

  final void doAwait(On on) {
    recorder.emitSync(
        what("await"), from, on, block -> new Op.Wait(type, List.of(ref(block)), on.ordering()));
    recorder.await(this);
  }

  final void doPut(String what, Chunk source, Chunk destination, Op.Put.Completion then, On on) {
    checkEnds(what, source, destination);
    recorder.readsData(what, source);
    recorder.writesData(what, destination);
    recorder.emit(
        what,
        from,
        on,
        (block, group) ->
            new Op.Put(
                type,
                List.of(recorder.local(what, from, source)),
                List.of(recorder.remote(this, block, destination)),
                portRefs(block),
                then,
                group));
  }

  final void doPutPackets(Chunk source, Chunk destination, On on) {
    String what = what("putPackets");
    checkEnds(what, source, destination);
    if (type == ChannelType.PORT) {
      recorder.readsPackets(what, source);
    } else {
      recorder.readsData(what, source);
    }
    recorder.writesPackets(what, destination);
    recorder.emit(
        what,
        from,
        on,
        (block, group) ->
            new Op.PutPackets(
                type,
                List.of(recorder.local(what, from, source)),
                List.of(recorder.remote(this, block, destination)),
                portRefs(block),
                group));
  }

  final void doForwardPackets(Chunk source, Chunk destination, On on) {
    String what = what("forwardPackets");
    checkEnds(what, source, destination);
    recorder.readsPackets(what, source);
    recorder.writesPackets(what, destination);
    recorder.emit(
        what,
        from,
        on,
        (block, group) ->
            new Op.ForwardPackets(
                type,
                recorder.local(what, from, source),
                List.of(recorder.remote(this, block, destination)),
                portRefs(block),
                group));
  }

  private void checkEnds(String what, Chunk source, Chunk destination) {
    recorder.checkOwner(what, from, source);
    recorder.checkOwner(what, to, destination);
    recorder.checkSizes(what, source, destination);
  }
}
