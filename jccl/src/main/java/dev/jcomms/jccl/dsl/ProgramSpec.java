package dev.jcomms.jccl.dsl;

import dev.jcomms.jccl.internal.dsl.Caller;
import dev.jcomms.jccl.plan.Protocol;
import java.util.OptionalInt;
import java.util.function.Consumer;

/**
 * What a program is to do, and the options of its plan. Made by naming the collective; each option
 * gives another spec. Immutable: any thread may use it.
 *
 * <pre>{@code
 * ProgramSpec.allReduce("allreduce_packets", 8).inPlace().protocol(Protocol.LL).doubleScratch()
 * }</pre>
 *
 * <p>A collective decides how many chunks the buffers of a rank have: with {@code n} ranks and
 * chunk factor {@code f}, each share of a rank has {@code f} chunks, and a buffer that holds the
 * shares of all has {@code n * f}.
 */
public final class ProgramSpec {
  /** Never changed once a spec holds it. */
  private static final class Settings implements Cloneable {
    String name;
    String collective;
    int ranks;
    int inputShares;
    int outputShares;
    int chunkFactor = 1;
    int root = -1;
    boolean inPlace;
    int instances = 1;
    Protocol protocol = Protocol.SIMPLE;
    boolean fusion = true;
    boolean autoSync = true;
    Replication replication = Replication.INTERLEAVED;
    boolean reuseResources;
    int blocks;
    int threadsPerBlock = 1024;
    boolean doubleScratch;
    int bufferAlignment = 16;
    long minBytes;
    long maxBytes = -1;

    Settings copy() {
      try {
        return (Settings) clone();
      } catch (CloneNotSupportedException e) {
        throw new AssertionError(e);
      }
    }
  }

  private final Settings settings;

  private ProgramSpec(Settings settings) {
    this.settings = settings;
  }

  /** Every rank has {@code n} shares and ends with their reductions. */
  public static ProgramSpec allReduce(String name, int ranks) {
    return of(name, "allreduce", ranks, ranks, ranks);
  }

  /** Every rank has one share and ends with all {@code n}. */
  public static ProgramSpec allGather(String name, int ranks) {
    return of(name, "allgather", ranks, 1, ranks);
  }

  /** Every rank has {@code n} shares and ends with the reduction of its own. */
  public static ProgramSpec reduceScatter(String name, int ranks) {
    return of(name, "reducescatter", ranks, ranks, 1);
  }

  /** Every rank has a share for each rank and ends with one from each. */
  public static ProgramSpec allToAll(String name, int ranks) {
    return of(name, "alltoall", ranks, ranks, ranks);
  }

  /** Every rank sends its share to the next rank and receives that of the one before. */
  public static ProgramSpec sendRecv(String name, int ranks) {
    return of(name, "sendrecv", ranks, 1, 1);
  }

  /** Every rank ends with the root's share. */
  public static ProgramSpec broadcast(String name, int ranks, int root) {
    return of(name, "broadcast", ranks, 1, 1).rooted(root);
  }

  /** The root ends with the reduction of all ranks' shares. */
  public static ProgramSpec reduce(String name, int ranks, int root) {
    return of(name, "reduce", ranks, 1, 1).rooted(root);
  }

  /** The root ends with the shares of all ranks. */
  public static ProgramSpec gather(String name, int ranks, int root) {
    return of(name, "gather", ranks, 1, ranks).rooted(root);
  }

  /** Every rank ends with one of the root's {@code n} shares. */
  public static ProgramSpec scatter(String name, int ranks, int root) {
    return of(name, "scatter", ranks, ranks, 1).rooted(root);
  }

  /** No collective: buffers of these sizes, and no promise of what happens to them. */
  public static ProgramSpec test(String name, int ranks, int inputChunks, int outputChunks) {
    return of(name, "test", ranks, inputChunks, outputChunks);
  }

  private static ProgramSpec of(
      String name, String collective, int ranks, int inputShares, int outputShares) {
    check(ranks >= 1, "ranks", ranks, "at least 1");
    check(inputShares >= 0, "inputChunks", inputShares, "at least 0");
    check(outputShares >= 0, "outputChunks", outputShares, "at least 0");
    Settings settings = new Settings();
    settings.name = name;
    settings.collective = collective;
    settings.ranks = ranks;
    settings.inputShares = inputShares;
    settings.outputShares = outputShares;
    return new ProgramSpec(settings);
  }

  private ProgramSpec rooted(int root) {
    check(root >= 0 && root < ranks(), "root", root, "a rank of " + ranks());
    return with(copy -> copy.root = root);
  }

  /** Chunks of one share: 1 unless set. */
  public ProgramSpec chunkFactor(int factor) {
    check(factor >= 1, "chunkFactor", factor, "at least 1");
    return with(copy -> copy.chunkFactor = factor);
  }

  /** Input and output are the same memory; they are not unless set. */
  public ProgramSpec inPlace() {
    return with(copy -> copy.inPlace = true);
  }

  /**
   * How often the program runs side by side, on more chunks and with more blocks: once unless set.
   */
  public ProgramSpec instances(int instances) {
    check(instances >= 1, "instances", instances, "at least 1");
    return with(copy -> copy.instances = instances);
  }

  /** {@link Protocol#SIMPLE} unless set; packets need {@link Protocol#LL}. */
  public ProgramSpec protocol(Protocol protocol) {
    return with(copy -> copy.protocol = protocol);
  }

  /** Ops stay as they are written, instead of neighbours becoming one op where one can do both. */
  public ProgramSpec noFusion() {
    return with(copy -> copy.fusion = false);
  }

  /** The author orders the ops of a block that touch the same chunks, with barriers. */
  public ProgramSpec noAutoSync() {
    return with(copy -> copy.autoSync = false);
  }

  /** {@link Replication#INTERLEAVED} unless set. */
  public ProgramSpec replication(Replication replication) {
    return with(copy -> copy.replication = replication);
  }

  /** One set-up serves all buffers of the user. */
  public ProgramSpec reuseResources() {
    return with(copy -> copy.reuseResources = true);
  }

  /** Every rank has so many thread blocks, and an op on another is refused: no limit unless set. */
  public ProgramSpec blocks(int blocks) {
    check(blocks >= 1, "blocks", blocks, "at least 1");
    return with(copy -> copy.blocks = blocks);
  }

  /** 1024 unless set. */
  public ProgramSpec threadsPerBlock(int threads) {
    check(threads >= 1, "threadsPerBlock", threads, "at least 1");
    return with(copy -> copy.threadsPerBlock = threads);
  }

  /** Launches take turns at two halves of the scratch buffer. */
  public ProgramSpec doubleScratch() {
    return with(copy -> copy.doubleScratch = true);
  }

  /** Chunks begin at multiples of so many bytes: 16 unless set. */
  public ProgramSpec bufferAlignment(int bytes) {
    check(bytes >= 1, "bufferAlignment", bytes, "at least 1");
    return with(copy -> copy.bufferAlignment = bytes);
  }

  /** The smallest message, in bytes: none is too small unless set. */
  public ProgramSpec minBytes(long bytes) {
    check(bytes >= 0, "minBytes", bytes, "at least 0");
    return with(copy -> copy.minBytes = bytes);
  }

  /** The largest message, in bytes: none is too large unless set. */
  public ProgramSpec maxBytes(long bytes) {
    check(bytes >= 0, "maxBytes", bytes, "at least 0");
    return with(copy -> copy.maxBytes = bytes);
  }

  public String name() {
    return settings.name;
  }

  /** The word of the plan format, such as {@code allreduce}. */
  public String collective() {
    return settings.collective;
  }

  public int ranks() {
    return settings.ranks;
  }

  /** Chunks of each rank's input, before they are replicated. */
  public int inputChunks() {
    return settings.inputShares * settings.chunkFactor;
  }

  /** Chunks of each rank's output, before they are replicated. */
  public int outputChunks() {
    return settings.outputShares * settings.chunkFactor;
  }

  /** The rank that a broadcast, reduce, gather or scatter is about; empty for others. */
  public OptionalInt root() {
    return settings.root < 0 ? OptionalInt.empty() : OptionalInt.of(settings.root);
  }

  public boolean isInPlace() {
    return settings.inPlace;
  }

  public int instances() {
    return settings.instances;
  }

  public Protocol protocol() {
    return settings.protocol;
  }

  public boolean fuses() {
    return settings.fusion;
  }

  public boolean syncsByItself() {
    return settings.autoSync;
  }

  public Replication replication() {
    return settings.replication;
  }

  public boolean reusesResources() {
    return settings.reuseResources;
  }

  /** Thread blocks of each rank, before they are replicated; empty if they are not limited. */
  public OptionalInt blocks() {
    return settings.blocks == 0 ? OptionalInt.empty() : OptionalInt.of(settings.blocks);
  }

  public int threadsPerBlock() {
    return settings.threadsPerBlock;
  }

  public boolean hasDoubleScratch() {
    return settings.doubleScratch;
  }

  public int bufferAlignment() {
    return settings.bufferAlignment;
  }

  public long minBytes() {
    return settings.minBytes;
  }

  /** Unsigned: {@code -1} is no limit. */
  public long maxBytes() {
    return settings.maxBytes;
  }

  private ProgramSpec with(Consumer<Settings> change) {
    Settings copy = settings.copy();
    change.accept(copy);
    return new ProgramSpec(copy);
  }

  private static void check(boolean holds, String what, long asked, String allowed) {
    if (!holds) {
      throw new ProgramException(
          "%s: %s=%d is not %s".formatted(Caller.current(), what, asked, allowed));
    }
  }
}
