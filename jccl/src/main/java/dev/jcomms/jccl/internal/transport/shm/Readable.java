package dev.jcomms.jccl.internal.transport.shm;

import dev.jcomms.jccl.internal.posix.PeerMemory;
import dev.jcomms.jccl.internal.transport.Bulletin;
import dev.jcomms.jccl.internal.transport.Roster;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.List;

/**
 * Whether the kernel lets the processes of a host read each other's memory: tried by each with each
 * when a communicator is opened, and agreed.
 */
public final class Readable {
  private static final long PROOF = 0x4a434f4d4d53L;

  private Readable() {}

  /** The pids of a host's ranks, if each can read all; else null, on all of them. Collective. */
  public static long[] pids(Roster roster, Bulletin bulletin, Duration timeout) {
    List<Integer> host = roster.host(roster.rank());
    MemorySegment proof = Arena.ofAuto().allocate(8, 8);
    proof.set(ValueLayout.JAVA_LONG, 0, PROOF + roster.rank());
    boolean can = PeerMemory.exists();
    List<String> addresses =
        bulletin.exchange("proof", can ? "" + proof.address() : "0", host, timeout);
    long[] pids = new long[host.size()];
    for (int i = 0; i < pids.length; i++) {
      int rank = host.get(i);
      pids[i] = roster.peers().get(rank).pid();
      can = can && proved(pids[i], Long.parseLong(addresses.get(rank)), PROOF + rank);
    }
    List<String> outcomes = bulletin.exchange("proved", "" + can, host, timeout);
    boolean all = host.stream().allMatch(r -> outcomes.get(r).equals("true"));
    java.lang.ref.Reference.reachabilityFence(proof);
    return all ? pids : null;
  }

  private static boolean proved(long pid, long address, long expected) {
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
}
