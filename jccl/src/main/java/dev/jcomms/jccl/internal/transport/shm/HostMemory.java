package dev.jcomms.jccl.internal.transport.shm;

import dev.jcomms.BackendException;
import dev.jcomms.jccl.internal.posix.SharedFile;
import dev.jcomms.jccl.internal.transport.Bulletin;
import dev.jcomms.jccl.internal.transport.Roster;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A piece of zeroed memory that all ranks of a host see: a file in {@code /dev/shm} that is
 * unlinked once all have mapped it, or plain memory where they are threads of one JVM.
 *
 * <p>Made collectively by the host's ranks; the first of them makes it. All know the file's name
 * before there is one, so whoever is left unlinks it, also when the store has died with its maker.
 * Any thread.
 */
public final class HostMemory implements AutoCloseable {
  /** Pieces of this JVM by name, until the last of those who hold them lets go. */
  private static final ConcurrentHashMap<String, Piece> LOCAL = new ConcurrentHashMap<>();

  private static final String FILE = "file ";
  private static final String HEAP = "heap ";
  private static final String FAILED = "failed ";

  /**
   * Memory of this JVM, the objects its ranks show each other, and how many hold it: the ranks that
   * have joined and, until they all have, its maker.
   */
  private record Piece(MemorySegment segment, Object[] shown, Arena arena, int holders) {
    /** With so many more, or null when none is left. */
    Piece withHolders(int more) {
      return holders + more == 0 ? null : new Piece(segment, shown, arena, holders + more);
    }
  }

  private final MemorySegment segment;
  private final Arena arena;
  private final String localName;
  private final Object[] shown;

  private HostMemory(MemorySegment segment, Arena arena, String localName, Object[] shown) {
    this.segment = segment;
    this.arena = arena;
    this.localName = localName;
    this.shown = shown;
  }

  /**
   * A piece of so many bytes for the ranks of this rank's host.
   *
   * @param topic under which they meet on the bulletin, used once
   * @param fileName what files of this communicator begin with, and no others
   */
  public static HostMemory share(
      Roster roster,
      Bulletin bulletin,
      String topic,
      String fileName,
      long bytes,
      Duration timeout) {
    List<Integer> host = roster.host(roster.rank());
    int leader = host.getFirst();
    boolean leading = roster.rank() == leader;
    boolean local = roster.oneProcess();
    String planned = FILE + fileName + "-" + topic.replace('/', '.') + "." + leader;
    String name = leading ? make(local, planned, bytes, host.size()) : "";
    HostMemory memory = null;
    try {
      String made = bulletin.exchange(topic, name, host, timeout).get(leader);
      String outcome = "ok";
      try {
        memory = open(made, planned, bytes);
      } catch (IOException | RuntimeException e) {
        outcome = FAILED + e.getMessage();
      }
      requireAll(host, bulletin.exchange(topic + ".mapped", outcome, host, timeout));
      return memory;
    } catch (RuntimeException e) {
      if (memory != null) {
        memory.close();
      }
      throw e;
    } finally {
      if (leading) {
        release(name);
      }
      if (!local) {
        unlink(planned); // also after the leader, which may have died before it did
      }
    }
  }

  private static HostMemory open(String made, String planned, long bytes) throws IOException {
    if (made.startsWith(FAILED)) {
      throw new IOException(made.substring(FAILED.length()));
    }
    if (made.startsWith(HEAP)) {
      return join(made);
    }
    if (!made.equals(planned)) {
      throw new IOException("what was made is not what was agreed on");
    }
    return map(planned, bytes);
  }

  private static void requireAll(List<Integer> host, List<String> outcomes) {
    for (int r : host) {
      if (outcomes.get(r).startsWith(FAILED)) {
        throw new BackendException(
            "shared memory: rank " + r + ": " + outcomes.get(r).substring(FAILED.length()), null);
      }
    }
  }

  private static String make(boolean local, String planned, long bytes, int ranks) {
    try {
      if (local) {
        String name = HEAP + UUID.randomUUID();
        Arena arena = Arena.ofShared();
        MemorySegment memory = arena.allocate(bytes, 4096);
        LOCAL.put(name, new Piece(memory, new Object[ranks], arena, 1));
        return name;
      }
      SharedFile.create(SharedFile.path(planned.substring(FILE.length())), bytes);
      return planned;
    } catch (IOException | RuntimeException | OutOfMemoryError e) {
      return FAILED + e.getMessage();
    }
  }

  private static HostMemory join(String name) throws IOException {
    Piece piece = LOCAL.computeIfPresent(name, (_, found) -> found.withHolders(1));
    if (piece == null) {
      throw new IOException("the memory is not in this process");
    }
    return new HostMemory(piece.segment, piece.arena, name, piece.shown);
  }

  private static HostMemory map(String name, long bytes) throws IOException {
    Arena arena = Arena.ofShared();
    try {
      Path path = SharedFile.path(name.substring(FILE.length()));
      return new HostMemory(SharedFile.map(path, bytes, arena), arena, null, null);
    } catch (IOException | RuntimeException e) {
      arena.close();
      throw e;
    }
  }

  private static void unlink(String name) {
    try {
      Files.deleteIfExists(SharedFile.path(name.substring(FILE.length())));
    } catch (IOException e) {
      // It holds nothing of worth, and the next start of the system clears it; or it is not ours.
      System.getLogger("dev.jcomms.jccl").log(System.Logger.Level.WARNING, "cannot unlink", e);
    }
  }

  public MemorySegment segment() {
    return segment;
  }

  /**
   * Objects that ranks of one JVM show each other, one place a rank of the host; null where they
   * are processes.
   */
  public Object[] shown() {
    return shown;
  }

  /** Lets go of it; memory of one JVM is freed by the last of its ranks. Called once. */
  @Override
  public void close() {
    if (localName != null) {
      release(localName);
    } else {
      free(arena);
    }
  }

  /** One holder less of memory of this JVM; the last one frees it. */
  private static void release(String name) {
    Piece piece = LOCAL.get(name);
    if (piece != null && LOCAL.computeIfPresent(name, (_, p) -> p.withHolders(-1)) == null) {
      free(piece.arena);
    }
  }

  /** Whether memory of this JVM has not been freed. */
  static boolean isHeld(String name) {
    return LOCAL.containsKey(name);
  }

  /** Closes an arena that a thread may still be asleep in for a moment. */
  static void free(Arena arena) {
    for (int attempt = 0; attempt < 100; attempt++) {
      try {
        arena.close();
        return;
      } catch (IllegalStateException inUse) {
        try {
          Thread.sleep(2);
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          return;
        }
      }
    }
  }
}
