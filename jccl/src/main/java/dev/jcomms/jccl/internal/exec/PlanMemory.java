package dev.jcomms.jccl.internal.exec;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.jcomms.jccl.internal.transport.shm.HostMemory;
import dev.jcomms.jccl.internal.transport.shm.SymmetricMemory;
import dev.jcomms.jccl.plan.BufferType;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.util.List;

/**
 * The memory of a prepared plan: the parts of this host's ranks, which all of them see, and the way
 * to the others'. Any thread.
 */
final class PlanMemory implements AutoCloseable {
  private static final VarHandle LONG = JAVA_LONG.varHandle();
  private static final int NOBODY = -1;

  /** What a rank shows to those of its JVM: input and output of odd and even launches. */
  private static final class Shown {
    final MemorySegment[][] segments = new MemorySegment[2][2];
  }

  private final HostMemory memory;
  private final MemorySegment all;
  private final SymmetricMemory symmetric;
  private final int rank;
  private final RankMemory[] layouts;
  private final int[] places;
  private final long[] parts;
  private final Shown mine = new Shown();

  /** Null if all ranks are of this host. */
  private Far far;

  /**
   * @param host the ranks that share the memory, in order
   */
  PlanMemory(
      HostMemory memory,
      SymmetricMemory symmetric,
      int rank,
      List<Integer> host,
      RankMemory[] layouts) {
    this.memory = memory;
    this.all = memory.segment();
    this.symmetric = symmetric;
    this.rank = rank;
    this.layouts = layouts;
    this.parts = new long[layouts.length];
    this.places = new int[layouts.length];
    for (int r = 0; r < layouts.length; r++) {
      places[r] = host.indexOf(r);
    }
    long at = 0;
    for (int r : host) {
      parts[r] = at;
      at += layouts[r].bytes();
    }
    if (memory.shown() != null) {
      memory.shown()[places[rank]] = mine;
    }
  }

  static long bytes(RankMemory[] layouts, List<Integer> host) {
    return host.stream().mapToLong(r -> layouts[r].bytes()).sum();
  }

  /** This rank's part. */
  MemorySegment part() {
    return all.asSlice(parts[rank], layouts[rank].bytes());
  }

  void reach(Far others) {
    far = others;
  }

  Far far() {
    return far;
  }

  boolean isFar(int peer) {
    return places[peer] == NOBODY;
  }

  /** Whether ranks of the host see each other's objects. */
  boolean isLocal() {
    return memory.shown() != null;
  }

  int ranks() {
    return layouts.length;
  }

  MemorySegment all() {
    return all;
  }

  RankMemory layout(int of) {
    return layouts[of];
  }

  /** Where a rank of this host has its part. */
  long part(int of) {
    return parts[of];
  }

  /** A number in this rank's part. */
  long number(long offset) {
    return (long) LONG.getAcquire(all, parts[rank] + offset);
  }

  /** The last launch that a rank is known to be through with. */
  long finished(int peer) {
    return isFar(peer)
        ? number(layouts[rank].news(peer) + RankMemory.FINISHED)
        : (long) LONG.getAcquire(all, parts[peer] + layouts[peer].finished());
  }

  /** Says that this rank is through with a launch. */
  void finish(long launch) {
    LONG.setRelease(all, parts[rank] + layouts[rank].finished(), launch);
    tell(RankMemory.FINISHED, launch);
  }

  /** Says that this rank has failed, and touches nobody's buffers any more. */
  void leave() {
    LONG.setRelease(all, parts[rank] + layouts[rank].left(), 1L);
  }

  /** Whether a rank of this host has said so. */
  boolean hasLeft(int peer) {
    return (long) LONG.getAcquire(all, parts[peer] + layouts[peer].left()) != 0;
  }

  private void tell(long what, long launch) {
    for (int peer = 0; far != null && peer < layouts.length; peer++) {
      if (isFar(peer)) {
        far.tell(peer, layouts[peer].news(rank) + what, launch);
      }
    }
  }

  /** Adds one to a count in a rank's part; all that was written before is seen with it. */
  void add(int peer, long offset) {
    if (isFar(peer)) {
      far.add(peer, offset);
    } else {
      LONG.getAndAddRelease(all, parts[peer] + offset, 1L);
    }
  }

  /**
   * Where the others find a buffer of this rank: a number for {@link #show}, 0 if nowhere but in a
   * stage.
   */
  long describe(MemorySegment segment) {
    return isLocal() ? 1 : symmetric.describe(segment);
  }

  /** What is said of a buffer that begins at an offset in this rank's part. */
  static long staged(long offset) {
    return -offset;
  }

  /** Shows input and output to the others, for one launch. */
  void show(long launch, MemorySegment input, long inputAt, MemorySegment output, long outputAt) {
    long note = parts[rank] + layouts[rank].note(launch);
    mine.segments[(int) (launch & 1)][0] = input;
    mine.segments[(int) (launch & 1)][1] = output;
    LONG.set(all, note + RankMemory.INPUT, inputAt);
    LONG.set(all, note + RankMemory.OUTPUT, outputAt);
    LONG.setRelease(all, note, launch);
    tell(RankMemory.ENTERED, launch);
  }

  /** Forgets what was shown. */
  void hide(long launch) {
    mine.segments[(int) (launch & 1)][0] = null;
    mine.segments[(int) (launch & 1)][1] = null;
  }

  /** Shows nothing any more, but for who of this host has seen it: it may be using it. */
  void withdraw(long launch) {
    LONG.setVolatile(all, parts[rank] + layouts[rank].note(launch), 0L);
  }

  /** Whether a rank has shown its buffers for a launch. */
  boolean hasShown(int peer, long launch) {
    return isFar(peer)
        ? number(layouts[rank].news(peer) + RankMemory.ENTERED) >= launch
        : (long) LONG.getAcquire(all, parts[peer] + layouts[peer].note(launch)) >= launch;
  }

  /** The input or output that a rank of this host has shown. */
  MemorySegment shown(int peer, long launch, BufferType buffer, long bytes) {
    boolean input = buffer == BufferType.INPUT;
    long note = parts[peer] + layouts[peer].note(launch);
    long at = (long) LONG.get(all, note + (input ? RankMemory.INPUT : RankMemory.OUTPUT));
    if (at <= 0) {
      return all.asSlice(parts[peer] - at, bytes);
    }
    return isLocal()
        ? ((Shown) memory.shown()[places[peer]]).segments[(int) (launch & 1)][input ? 0 : 1]
        : symmetric.resolve(at, bytes);
  }

  @Override
  public void close() {
    memory.close();
  }
}
