package dev.jcomms.jccl.plan;

import dev.jcomms.ReduceOp;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * One step of a thread block. Part of a {@link ThreadBlock}; {@code switch} over it.
 *
 * <p>Ops that differ only in what else they do are one record: a reduction is a {@link Reduce}
 * whether or not its result is also sent. {@link #name} gives the format's own name back. Channels
 * and remote buffers are the block's own numbers.
 */
public sealed interface Op {
  /** The name in the format, such as {@code rres}. */
  default String name() {
    return OpName.of(this);
  }

  /** Whether data written before a signal is seen after the wait for it. */
  enum Ordering {
    ORDERED,
    RELAXED
  }

  /** What a chunk holds. */
  enum Form {
    DATA,

    /** Data with flags: twice the bytes, in scratch. Who reads it waits for the flags. */
    PACKETS
  }

  /** {@code nop}: all threads of the block meet. */
  record Nop() implements Op {}

  /** {@code barrier}: this many blocks of the rank meet. */
  record Barrier(int id, int blocks) implements Op {}

  /** {@code signal}, {@code rlxsignal}: adds one to the peer's count, on each channel. */
  record Signal(ChannelType type, List<Integer> channels, Ordering ordering) implements Op {
    public Signal {
      channels = List.copyOf(channels);
      notSwitch(type);
    }
  }

  /** {@code wait}, {@code rlxwait}: takes one from the own count, on each channel. */
  record Wait(ChannelType type, List<Integer> channels, Ordering ordering) implements Op {
    public Wait {
      channels = List.copyOf(channels);
      notSwitch(type);
    }
  }

  /** {@code flush}: waits until the proxy has done what it was asked, on each port channel. */
  record Flush(List<Integer> channels) implements Op {
    public Flush {
      channels = List.copyOf(channels);
    }
  }

  /** {@code sem_acquire}: takes one from each semaphore of the rank. */
  record Acquire(List<Integer> semaphores) implements Op {
    public Acquire {
      semaphores = List.copyOf(semaphores);
    }
  }

  /** {@code sem_release}: adds one to each semaphore of the rank. */
  record Release(List<Integer> semaphores) implements Op {
    public Release {
      semaphores = List.copyOf(semaphores);
    }
  }

  /**
   * {@code pipeline}: runs its ops for the first unit of each of their chunks, then for the second,
   * until {@code chunks} chunks are through. Pipelines do not nest.
   */
  record Pipeline(long unitBytes, int chunks, List<Op> ops) implements Op {
    public Pipeline {
      ops = List.copyOf(ops);
      if (unitBytes <= 0 || chunks <= 0) {
        throw new IllegalArgumentException(
            "a pipeline cannot have unit_size=%s and num_chunks=%d"
                .formatted(Long.toUnsignedString(unitBytes), chunks));
      }
      if (ops.stream().anyMatch(Pipeline.class::isInstance)) {
        throw new IllegalArgumentException("a pipeline is inside a pipeline");
      }
    }
  }

  /** An op that moves data. */
  sealed interface Data extends Op {
    /** What is read, in the order of {@code src_buff}. */
    List<Access> reads();

    /** What is written, in the order of {@code dst_buff}. */
    List<Access> writes();

    /** The type of channel that its remote or switch chunks go through; empty if it is local. */
    Optional<ChannelType> via();

    /** The share of the block, {@link Group#NONE} if it does the op alone. */
    Group group();
  }

  /** A chunk as an op sees it. */
  record Access(Chunk chunk, Form form) {
    static List<Access> of(Form form, List<? extends Chunk> chunks) {
      return chunks.stream().map(chunk -> new Access(chunk, form)).toList();
    }

    static List<Access> of(Form form, Chunk chunk) {
      return List.of(new Access(chunk, form));
    }
  }

  /** {@code copy}, {@code cpkt} (packs), {@code upkt} (unpacks): inside the rank. */
  record Copy(Chunk.Local source, Chunk.Local destination, Packing packing, Group group)
      implements Data {
    /** What happens on the way. */
    public enum Packing {
      NONE,
      PACK,
      UNPACK
    }

    @Override
    public List<Access> reads() {
      return Access.of(packing == Packing.UNPACK ? Form.PACKETS : Form.DATA, source);
    }

    @Override
    public List<Access> writes() {
      return Access.of(packing == Packing.PACK ? Form.PACKETS : Form.DATA, destination);
    }

    @Override
    public Optional<ChannelType> via() {
      return Optional.empty();
    }
  }

  /**
   * {@code put}, {@code pws}, {@code pwsf}: source {@code i} to destination {@code i}.
   *
   * @param channels for port channels, that of each pair; otherwise empty
   * @param completion what follows the data; more than nothing on port channels only
   */
  record Put(
      ChannelType type,
      List<Chunk.Local> sources,
      List<Chunk.Remote> destinations,
      List<Integer> channels,
      Completion completion,
      Group group)
      implements Data {
    /** What a put does besides. */
    public enum Completion {
      NONE,
      SIGNAL,

      /** A signal, then a wait until the proxy has done both. */
      SIGNAL_AND_FLUSH
    }

    public Put {
      sources = List.copyOf(sources);
      destinations = List.copyOf(destinations);
      channels = List.copyOf(channels);
      notSwitch(type);
      paired(sources, destinations);
      if (completion != Completion.NONE && type != ChannelType.PORT) {
        throw new IllegalArgumentException("a put with signal needs a port channel");
      }
    }

    @Override
    public List<Access> reads() {
      return Access.of(Form.DATA, sources);
    }

    @Override
    public List<Access> writes() {
      return Access.of(Form.DATA, destinations);
    }

    @Override
    public Optional<ChannelType> via() {
      return Optional.of(type);
    }
  }

  /** {@code get}: source {@code i} of a peer to destination {@code i}, by memory channels. */
  record Get(
      List<Chunk.Remote> sources,
      List<Chunk.Local> destinations,
      List<Integer> channels,
      Group group)
      implements Data {
    public Get {
      sources = List.copyOf(sources);
      destinations = List.copyOf(destinations);
      channels = List.copyOf(channels);
      paired(sources, destinations);
    }

    @Override
    public List<Access> reads() {
      return Access.of(Form.DATA, sources);
    }

    @Override
    public List<Access> writes() {
      return Access.of(Form.DATA, destinations);
    }

    @Override
    public Optional<ChannelType> via() {
      return Optional.of(ChannelType.MEMORY);
    }
  }

  /**
   * {@code ppkt}: source {@code i} as packets to destination {@code i}. A memory channel packs; a
   * port channel sends sources that are packets already.
   *
   * @param channels for port channels, that of each pair; otherwise empty
   */
  record PutPackets(
      ChannelType type,
      List<Chunk.Local> sources,
      List<Chunk.Remote> destinations,
      List<Integer> channels,
      Group group)
      implements Data {
    public PutPackets {
      sources = List.copyOf(sources);
      destinations = List.copyOf(destinations);
      channels = List.copyOf(channels);
      notSwitch(type);
      paired(sources, destinations);
    }

    @Override
    public List<Access> reads() {
      return Access.of(type == ChannelType.PORT ? Form.PACKETS : Form.DATA, sources);
    }

    @Override
    public List<Access> writes() {
      return Access.of(Form.PACKETS, destinations);
    }

    @Override
    public Optional<ChannelType> via() {
      return Optional.of(type);
    }
  }

  /**
   * {@code rppkt}: waits for the packets of the source, then sends them to every destination.
   *
   * @param channels for port channels, that of each destination; otherwise empty
   */
  record ForwardPackets(
      ChannelType type,
      Chunk.Local source,
      List<Chunk.Remote> destinations,
      List<Integer> channels,
      Group group)
      implements Data {
    public ForwardPackets {
      destinations = List.copyOf(destinations);
      channels = List.copyOf(channels);
      notSwitch(type);
    }

    @Override
    public List<Access> reads() {
      return Access.of(Form.PACKETS, source);
    }

    @Override
    public List<Access> writes() {
      return Access.of(Form.PACKETS, destinations);
    }

    @Override
    public Optional<ChannelType> via() {
      return Optional.of(type);
    }
  }

  /**
   * {@code re}, {@code res}, {@code rre}, {@code rres}: all sources, combined in order, to the
   * destination and to every remote destination.
   *
   * @param sources at least one; exactly one where there are remote ones
   * @param remoteSources combined after the local one: {@code rre} and {@code rres}
   * @param remoteDestinations where else the result goes: {@code res} and {@code rres}
   */
  record Reduce(
      ReduceOp reduction,
      List<Chunk.Local> sources,
      List<Chunk.Remote> remoteSources,
      Chunk.Local destination,
      List<Chunk.Remote> remoteDestinations,
      Group group)
      implements Data {
    public Reduce {
      sources = List.copyOf(sources);
      remoteSources = List.copyOf(remoteSources);
      remoteDestinations = List.copyOf(remoteDestinations);
      combines(reduction);
      if (sources.isEmpty() || !remoteSources.isEmpty() && sources.size() > 1) {
        throw new IllegalArgumentException(
            "a reduction of %d remote sources cannot have %d local ones"
                .formatted(remoteSources.size(), sources.size()));
      }
    }

    @Override
    public List<Access> reads() {
      return Access.of(Form.DATA, joined(sources, remoteSources));
    }

    @Override
    public List<Access> writes() {
      return Access.of(Form.DATA, joined(List.of(destination), remoteDestinations));
    }

    @Override
    public Optional<ChannelType> via() {
      return remoteSources.isEmpty() && remoteDestinations.isEmpty()
          ? Optional.empty()
          : Optional.of(ChannelType.MEMORY);
    }
  }

  /**
   * {@code repkt}, {@code respkt}, {@code recpkt}, {@code recspkt}: waits for the packets, combines
   * them in order with the source, and stores the result as data and as packets.
   *
   * @param packetCopies where in the own scratch the result also goes: at most one, {@code recpkt}
   *     and {@code recspkt}
   * @param remoteDestinations to whom it also goes: {@code respkt} and {@code recspkt}
   */
  record ReducePackets(
      ReduceOp reduction,
      Chunk.Local source,
      List<Chunk.Local> packets,
      Chunk.Local destination,
      List<Chunk.Local> packetCopies,
      List<Chunk.Remote> remoteDestinations,
      Group group)
      implements Data {
    public ReducePackets {
      packets = List.copyOf(packets);
      packetCopies = List.copyOf(packetCopies);
      remoteDestinations = List.copyOf(remoteDestinations);
      combines(reduction);
      if (packetCopies.size() > 1) {
        throw new IllegalArgumentException(
            "a reduction of packets has at most one packet copy, not " + packetCopies.size());
      }
    }

    @Override
    public List<Access> reads() {
      List<Access> reads = new ArrayList<>(Access.of(Form.DATA, source));
      reads.addAll(Access.of(Form.PACKETS, packets));
      return reads;
    }

    @Override
    public List<Access> writes() {
      List<Access> writes = new ArrayList<>(Access.of(Form.DATA, destination));
      writes.addAll(Access.of(Form.PACKETS, packetCopies));
      writes.addAll(Access.of(Form.PACKETS, remoteDestinations));
      return writes;
    }

    @Override
    public Optional<ChannelType> via() {
      return remoteDestinations.isEmpty() ? Optional.empty() : Optional.of(ChannelType.MEMORY);
    }
  }

  /**
   * {@code glre}: combines chunks of every rank of the group into a local one.
   *
   * @param buffer the switch channel's
   * @param index the first chunk of it
   * @param channels the switch channel, alone
   */
  record SwitchReduce(
      ReduceOp reduction,
      BufferType buffer,
      int index,
      int chunks,
      Chunk.Local destination,
      List<Integer> channels,
      Group group)
      implements Data {
    public SwitchReduce {
      channels = List.copyOf(channels);
      combines(reduction);
      if (channels.size() != 1) {
        throw new IllegalArgumentException(
            "a switch reduction has one channel, not " + channels.size());
      }
    }

    /** What is combined. */
    public Chunk.Switch source() {
      return new Chunk.Switch(channels.getFirst(), index, chunks);
    }

    @Override
    public List<Access> reads() {
      return Access.of(Form.DATA, source());
    }

    @Override
    public List<Access> writes() {
      return Access.of(Form.DATA, destination);
    }

    @Override
    public Optional<ChannelType> via() {
      return Optional.of(ChannelType.SWITCH);
    }
  }

  /** {@code glres}: combines chunks of every rank of a group and stores the result to all. */
  record SwitchReduceStore(
      ReduceOp reduction, Chunk.Switch source, Chunk.Switch destination, Group group)
      implements Data {
    public SwitchReduceStore {
      combines(reduction);
    }

    @Override
    public List<Access> reads() {
      return Access.of(Form.DATA, source);
    }

    @Override
    public List<Access> writes() {
      return Access.of(Form.DATA, destination);
    }

    @Override
    public Optional<ChannelType> via() {
      return Optional.of(ChannelType.SWITCH);
    }
  }

  /**
   * {@code gstore}, {@code gstorepkt}: stores a local chunk to every rank of a group, as it is.
   *
   * @param form what the chunk holds; packets are waited for
   */
  record SwitchStore(Chunk.Local source, Chunk.Switch destination, Form form, Group group)
      implements Data {
    @Override
    public List<Access> reads() {
      return Access.of(form, source);
    }

    @Override
    public List<Access> writes() {
      return Access.of(form, destination);
    }

    @Override
    public Optional<ChannelType> via() {
      return Optional.of(ChannelType.SWITCH);
    }
  }

  private static void notSwitch(ChannelType type) {
    if (type == ChannelType.SWITCH) {
      throw new IllegalArgumentException("channel_type is switch, not memory or port");
    }
  }

  private static void paired(List<?> sources, List<?> destinations) {
    if (sources.size() != destinations.size()) {
      throw new IllegalArgumentException(
          "%d sources for %d destinations".formatted(sources.size(), destinations.size()));
    }
  }

  private static void combines(ReduceOp reduction) {
    if (!(reduction instanceof ReduceOp.Standard) || reduction == ReduceOp.AVG) {
      throw new IllegalArgumentException("a plan cannot reduce by " + reduction.opName());
    }
  }

  private static List<Chunk> joined(List<Chunk.Local> local, List<Chunk.Remote> remote) {
    List<Chunk> all = new ArrayList<>(local);
    all.addAll(remote);
    return all;
  }
}
