package dev.jcomms.jccl.internal.posix;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** What the kernel tells of processes and of the host, under {@code /proc}. Any thread. */
public final class Proc {
  /** How a process is doing. */
  public enum State {
    ALIVE,
    /** By a signal or a debugger; it may go on. */
    STOPPED,
    /** Or never was. */
    DEAD
  }

  private static final Path PROC = Path.of("/proc");

  /** Namespaces in which two processes must both be, to share files, see pids and be neighbours. */
  private static final String[] NAMESPACES = {"mnt", "pid", "net"};

  private static final long EXITING = 0x4;
  private static final long KILL_PENDING = 1L << 9 - 1;

  private Proc() {}

  /** Equal for processes of one running kernel and the same namespaces; never blank. */
  public static String hostIdentity() {
    try {
      StringBuilder identity =
          new StringBuilder(Files.readString(PROC.resolve("sys/kernel/random/boot_id")).strip());
      for (String namespace : NAMESPACES) {
        identity.append('/').append(Files.readSymbolicLink(PROC.resolve("self/ns/" + namespace)));
      }
      return identity.toString().replace(' ', '_');
    } catch (IOException | RuntimeException e) {
      // No such kernel: this process is a host of its own, and reaches the others by TCP.
      return "unknown-" + UUID.randomUUID();
    }
  }

  /**
   * The processor's model; what Java calls its architecture where the kernel has no name for it.
   */
  public static String processor() {
    String architecture = System.getProperty("os.arch");
    try (Stream<String> lines = Files.lines(PROC.resolve("cpuinfo"), StandardCharsets.ISO_8859_1)) {
      // On ARM the kernel has numbers instead of a name.
      Map<String, String> first = new HashMap<>();
      lines
          .takeWhile(line -> !line.isBlank())
          .filter(line -> line.contains(":"))
          .forEach(
              line -> {
                int colon = line.indexOf(':');
                first.put(line.substring(0, colon).strip(), line.substring(colon + 1).strip());
              });
      return first.containsKey("model name")
          ? first.get("model name")
          : "%s %s %s"
              .formatted(
                  architecture,
                  first.getOrDefault("CPU implementer", ""),
                  first.getOrDefault("CPU part", ""))
              .strip();
    } catch (IOException | UncheckedIOException e) {
      return architecture;
    }
  }

  /**
   * When a process started, in clock ticks since boot; -1 if it is not there.
   *
   * @throws UncheckedIOException if it is there and cannot be asked, for want of descriptors say
   */
  public static long startTicks(long pid) {
    return startTicks(PROC.resolve(Long.toString(pid)));
  }

  static long startTicks(Path process) {
    try {
      String[] fields = stat(process);
      return fields == null ? -1 : Long.parseLong(fields[19]);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot tell when " + process + " started: " + e, e);
    }
  }

  /** How the process is that has this pid and started then; alive if it cannot be asked. */
  public static State state(long pid, long startTicks) {
    return state(PROC.resolve(Long.toString(pid)), startTicks);
  }

  static State state(Path process, long startTicks) {
    String[] fields;
    try {
      fields = stat(process);
    } catch (IOException e) {
      return State.ALIVE; // what fails is this process: it has no descriptor left, say
    }
    if (fields == null || Long.parseLong(fields[19]) != startTicks) {
      return State.DEAD;
    }
    return switch (fields[0].charAt(0)) {
      case 'Z', 'X', 'x' -> State.DEAD;
      case 'T', 't' -> State.STOPPED;
      default -> State.ALIVE;
    };
  }

  /**
   * Whether a process has ended, or was killed and is about to end. Whoever is killed with others
   * takes its own time to let go of its memory.
   */
  public static boolean isDoomed(long pid, long startTicks) {
    return isDoomed(PROC.resolve(Long.toString(pid)), startTicks);
  }

  static boolean isDoomed(Path process, long startTicks) {
    if (state(process, startTicks) == State.DEAD) {
      return true;
    }
    try {
      String[] fields = stat(process);
      return fields == null
          || (Long.parseLong(fields[6]) & EXITING) != 0
          || fields.length > 28 && (Long.parseLong(fields[28]) & KILL_PENDING) != 0;
    } catch (IOException e) {
      return false;
    }
  }

  /**
   * How often the first thread of a process has been given a core; -1 if it is not there. The same
   * number for as long as the process is stopped, and another one once it has gone on.
   */
  public static long turns(long pid) {
    try (Stream<String> lines =
        Files.lines(PROC.resolve(pid + "/status"), StandardCharsets.ISO_8859_1)) {
      return lines
          .filter(line -> line.contains("ctxt_switches:"))
          .mapToLong(line -> Long.parseLong(line.substring(line.indexOf(':') + 1).strip()))
          .sum();
    } catch (IOException | UncheckedIOException e) {
      return -1;
    }
  }

  /**
   * How long threads of this process with such names have run, in nanoseconds; -1 if the kernel
   * does not tell. Those that have ended do not count.
   */
  public static long nanosRun(Predicate<String> names) {
    return nanosRun(PROC.resolve("self/task"), names);
  }

  static long nanosRun(Path tasks, Predicate<String> names) {
    long nanos = -1;
    try (DirectoryStream<Path> threads = Files.newDirectoryStream(tasks)) {
      for (Path thread : threads) {
        try {
          if (names.test(Files.readString(thread.resolve("comm")).strip())) {
            String[] times = Files.readString(thread.resolve("schedstat")).split(" ");
            nanos = Math.max(0, nanos) + Long.parseLong(times[0]);
          }
        } catch (IOException | NumberFormatException e) {
          // It has ended, or the kernel does not keep the book.
        }
      }
    } catch (IOException | DirectoryIteratorException e) {
      return -1;
    }
    return nanos;
  }

  /**
   * The fields from the state on: what comes before may hold blanks and parentheses. Null if there
   * is no such process.
   */
  private static String[] stat(Path process) throws IOException {
    try {
      byte[] bytes = Files.readAllBytes(process.resolve("stat"));
      String line = new String(bytes, StandardCharsets.ISO_8859_1);
      String[] fields = line.substring(line.lastIndexOf(')') + 2).split(" ");
      return fields.length < 20 ? null : fields;
    } catch (NoSuchFileException e) {
      return null;
    } catch (IOException e) {
      if (Files.exists(process)) {
        throw e;
      }
      return null; // gone while it was being read
    }
  }
}
