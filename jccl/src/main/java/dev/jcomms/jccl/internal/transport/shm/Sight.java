package dev.jcomms.jccl.internal.transport.shm;

import dev.jcomms.jccl.internal.posix.PeerMemory;
import dev.jcomms.jccl.internal.posix.Proc;
import dev.jcomms.jccl.internal.transport.Bulletin;
import dev.jcomms.jccl.internal.transport.Peer;
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

  private final List<Peer> peers;
  private final boolean reads;
  private final List<Neighbour> neighbours;

  private Sight(List<Peer> peers, boolean reads, List<Neighbour> neighbours) {
    this.peers = peers;
    this.reads = reads;
    this.neighbours = neighbours;
  }

  /** Nothing: for threads of one process, which need none of it. */
  public static Sight none() {
    return new Sight(List.of(), false, null);
  }

  /** What this rank's host allows, the same on all its ranks. Collective over them. */
  public static Sight of(Roster roster, Bulletin bulletin, Duration timeout) {
    List<Integer> host = roster.host(roster.rank());
    MemorySegment proof = Arena.ofAuto().allocate(8, 8);
    proof.set(ValueLayout.JAVA_LONG, 0, PROOF + roster.rank());
    List<String> offers = bulletin.exchange("sight", offer(proof), host, timeout);
    List<Peer> peers = host.stream().map(roster.peers()::get).toList();
    List<Neighbour> neighbours = new ArrayList<>();
    boolean reads = true;
    boolean maps = true;
    try {
      for (int i = 0; i < peers.size(); i++) {
        int rank = host.get(i);
        long pid = peers.get(i).pid();
        String[] offered = offers.get(rank).split(" ");
        reads = reads && isProved(pid, Long.parseLong(offered[0]), PROOF + rank);
        maps = maps && isMapped(pid, offered, neighbours);
      }
      List<String> seen = bulletin.exchange("seen", reads + " " + maps, host, timeout);
      Reference.reachabilityFence(proof);
      boolean allRead = host.stream().allMatch(r -> seen.get(r).startsWith("true "));
      boolean allMap = host.stream().allMatch(r -> seen.get(r).endsWith(" true"));
      if (!allMap) {
        neighbours.forEach(Neighbour::close);
      }
      return new Sight(peers, allRead, allMap ? neighbours : null);
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
    return reads;
  }

  /** Whether each sees the tensors of all that are in their files. */
  public boolean seesTensors() {
    return neighbours != null;
  }

  /** The process of a rank of the host, by its place there. */
  public long pid(int of) {
    return peers.get(of).pid();
  }

  /** Whether a rank of the host, by its place, is of another process, and that has ended. */
  public boolean isDead(int of) {
    if (peers.isEmpty()) {
      return false;
    }
    Peer peer = peers.get(of);
    return Proc.state(peer.pid(), peer.startTicks()) == Proc.State.DEAD;
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
