package dev.jcomms.jccl.internal.transport;

import dev.jcomms.jccl.internal.posix.Proc;
import java.util.UUID;

/**
 * Where a rank lives: what it tells the others about itself when a communicator is opened.
 *
 * @param host equal for ranks that can share memory and see each other's processes: the kernel's
 *     boot id and the process's namespaces, since host names lie
 * @param process equal for ranks of one JVM
 * @param pid of its process, as the host numbers them
 * @param startTicks when the process started: tells it from a later one of the same pid
 */
public record Peer(String host, String process, long pid, long startTicks) {
  private static final String PROCESS = UUID.randomUUID().toString();

  /** This JVM. */
  public static Peer self() {
    long pid = ProcessHandle.current().pid();
    return new Peer(Proc.hostIdentity(), PROCESS, pid, Proc.startTicks(pid));
  }

  public boolean sameHost(Peer other) {
    return host.equals(other.host);
  }

  public boolean sameProcess(Peer other) {
    return process.equals(other.process);
  }

  /** One line, for the store. */
  public String encode() {
    return host + " " + process + " " + pid + " " + startTicks;
  }

  /** What {@link #encode} has written. */
  public static Peer decode(String line) {
    String[] parts = line.split(" ");
    if (parts.length != 4) {
      throw new IllegalArgumentException("not a peer: '" + line + "'");
    }
    return new Peer(parts[0], parts[1], Long.parseLong(parts[2]), Long.parseLong(parts[3]));
  }
}
