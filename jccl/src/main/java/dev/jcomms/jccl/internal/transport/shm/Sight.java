package dev.jcomms.jccl.internal.transport.shm;

import dev.jcomms.jccl.internal.posix.PeerMemory;
import dev.jcomms.jccl.internal.transport.Bulletin;
import dev.jcomms.jccl.internal.transport.Roster;
import dev.jcomms.tensor.spi.TensorMemory;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.ref.Reference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * What the processes of a host can see of each other's memory: tensors where they are, if each can
 * map the file that the others have theirs in; any memory, if the kernel lets each read all. Tried
 * by each with each when a communicator is opened, and agreed. Any thread.
 */
public final class Sight implements AutoCloseable {
  private static final long PROOF = 0x4a434f4d4d53L;
  private static final String NONE = "-";

  private final long[] pids;
  private final List<Neighbour> neighbours;

  private Sight(long[] pids, List<Neighbour> neighbours) {
    this.pids = pids;
    this.neighbours = neighbours;
  }

  /** Nothing: for threads of one process, which need none of it. */
  public static Sight none() {
    return new Sight(null, null);
  }

  /** What this rank's host allows, the same on all its ranks. Collective over them. */
  public static Sight of(Roster roster, Bulletin bulletin, Duration timeout) {
    List<Integer> host = roster.host(roster.rank());
    MemorySegment proof = Arena.ofAuto().allocate(8, 8);
    proof.set(ValueLayout.JAVA_LONG, 0, PROOF + roster.rank());
    List<String> offers = bulletin.exchange("sight", offer(proof), host, timeout);
    long[] pids = new long[host.size()];
    List<Neighbour> neighbours = new ArrayList<>();
    boolean reads = true;
    boolean maps = true;
    try {
      for (int i = 0; i < pids.length; i++) {
        int rank = host.get(i);
        String[] offered = offers.get(rank).split(" ");
        pids[i] = roster.peers().get(rank).pid();
        reads = reads && isProved(pids[i], Long.parseLong(offered[0]), PROOF + rank);
        maps = maps && isMapped(pids[i], offered, neighbours);
      }
      List<String> seen = bulletin.exchange("seen", reads + " " + maps, host, timeout);
      Reference.reachabilityFence(proof);
      boolean allRead = host.stream().allMatch(r -> seen.get(r).startsWith("true "));
      boolean allMap = host.stream().allMatch(r -> seen.get(r).endsWith(" true"));
      if (!allMap) {
        neighbours.forEach(Neighbour::close);
      }
      return new Sight(allRead ? pids : null, allMap ? neighbours : null);
    } catch (RuntimeException e) {
      neighbours.forEach(Neighbour::close);
      throw e;
    }
  }

  /** Where a proof is to be read, and the file that tensors are in. */
  private static String offer(MemorySegment proof) {
    String address = PeerMemory.exists() ? "" + proof.address() : "0";
    TensorMemory own = TensorMemory.own();
    return own == null
        ? address + " " + NONE
        : address + " " + own.descriptor() + " " + own.identity() + " " + own.bytes();
  }

  private static boolean isProved(long pid, long address, long expected) {
    if (address == 0) {
      return false;
    }
    MemorySegment read = Arena.ofAuto().allocate(8, 8);
    try {
      new PeerMemory().read(pid, address, read, 0, 8);
      return read.get(ValueLayout.JAVA_LONG, 0) == expected;
    } catch (IOException e) {
      return false;
    }
  }

  private static boolean isMapped(long pid, String[] offered, List<Neighbour> neighbours) {
    if (offered[1].equals(NONE)) {
      return false;
    }
    TensorMemory memory =
        new TensorMemory(
            pid,
            Integer.parseInt(offered[1]),
            UUID.fromString(offered[2]),
            Long.parseLong(offered[3]));
    try {
      return neighbours.add(Neighbour.open(memory));
    } catch (IOException | OutOfMemoryError e) {
      return false;
    }
  }

  /** Whether each can read all memory of all, through the kernel. */
  public boolean reads() {
    return pids != null;
  }

  /** Whether each sees the tensors of all that are in their files. */
  public boolean seesTensors() {
    return neighbours != null;
  }

  /** The process of a rank of the host, by its place there. */
  public long pid(int of) {
    return pids[of];
  }

  /** A description of memory of this rank that the others see; 0 if they do not. */
  public long describe(MemorySegment segment) {
    return neighbours == null ? 0 : TensorMemory.offset(segment);
  }

  /** What a rank has described, so many bytes of it. */
  public MemorySegment resolve(int of, long description, long bytes) {
    return neighbours.get(of).tensors().asSlice(description, bytes);
  }

  /**
   * Makes sure that what others still write to memory of this rank does not come here: they do not
   * see it any more.
   *
   * @throws IOException if the system does not permit it
   */
  public void withdraw(MemorySegment segment) throws IOException {
    if (neighbours != null) {
      TensorMemory.withdraw(segment);
    }
  }

  /** Lets go of what was mapped. Called once. */
  @Override
  public void close() {
    if (neighbours != null) {
      neighbours.forEach(Neighbour::close);
    }
  }
}
