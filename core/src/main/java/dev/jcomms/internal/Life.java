package dev.jcomms.internal;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;

/**
 * A process as the others of its host can ask for it.
 *
 * @param host equal for processes that see each other: of one running kernel, the same namespaces
 *     and the same user
 * @param pid as the host numbers them
 * @param started in clock ticks since the host started: tells it from a later one of the same pid
 */
record Life(String host, long pid, long started) {
  private static final Path PROC = Path.of("/proc");

  /** This process. */
  static final Life OWN = own();

  private static Life own() {
    long pid = ProcessHandle.current().pid();
    try {
      return of(pid);
    } catch (IOException | RuntimeException e) {
      // No such kernel: nobody else can be asked for it.
      return new Life("unknown-" + UUID.randomUUID(), pid, 0);
    }
  }

  /** A process of this host. */
  static Life of(long pid) throws IOException {
    String host =
        Files.readString(PROC.resolve("sys/kernel/random/boot_id")).strip()
            + Files.readSymbolicLink(PROC.resolve("self/ns/mnt"))
            + Files.readSymbolicLink(PROC.resolve("self/ns/pid"))
            + System.getProperty("user.name");
    return new Life(host.replaceAll("\\s", "_"), pid, Long.parseLong(stat(pid)[19]));
  }

  String encode() {
    return pid + " " + started + " " + host;
  }

  /** What {@link #encode} has written. */
  static Life decode(String text) {
    String[] parts = text.split(" ", 3);
    return new Life(parts[2], Long.parseLong(parts[0]), Long.parseLong(parts[1]));
  }

  /** Whether this process can tell how it is. */
  boolean isHere() {
    return host.equals(OWN.host);
  }

  /** Whether it is here and is no more. */
  boolean hasEnded() {
    if (!isHere() || equals(OWN)) {
      return false;
    }
    try {
      String[] stat = stat(pid);
      return Long.parseLong(stat[19]) != started || "ZXx".contains(stat[0]);
    } catch (IOException | RuntimeException e) {
      // If it is there, what fails is this process: it has no descriptor left, say.
      return !Files.exists(PROC.resolve(Long.toString(pid)));
    }
  }

  /**
   * Which stop this is, of a process that is here and is stopped: another number once it has run in
   * between. -1 of all others.
   */
  long stop() {
    try {
      return isHere() && !equals(OWN) && "Tt".contains(stat(pid)[0]) ? turns() : -1;
    } catch (IOException | RuntimeException e) {
      return -1; // it has ended, say
    }
  }

  /** How often its first thread has been given a core. */
  private long turns() throws IOException {
    Path status = PROC.resolve(pid + "/status");
    return Files.readAllLines(status, StandardCharsets.ISO_8859_1).stream()
        .filter(line -> line.contains("ctxt_switches:"))
        .mapToLong(line -> Long.parseLong(line.substring(line.indexOf(':') + 1).strip()))
        .sum();
  }

  /** The fields from the state on: what comes before may hold blanks and parentheses. */
  private static String[] stat(long pid) throws IOException {
    byte[] bytes = Files.readAllBytes(PROC.resolve(pid + "/stat"));
    String line = new String(bytes, StandardCharsets.ISO_8859_1);
    return line.substring(line.lastIndexOf(')') + 2).split(" ");
  }
}
