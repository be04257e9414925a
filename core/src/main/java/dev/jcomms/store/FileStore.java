package dev.jcomms.store;

import dev.jcomms.internal.store.file.FileClient;
import java.nio.file.Path;
import java.time.Duration;

/**
 * A store in a file that all ranks can reach, in PyTorch's format: Java and Python ranks may share
 * one. Any thread may call any method, and any number of stores, in one process or many, may use
 * the file at once; {@code flock(2)} keeps them apart.
 *
 * <p>The file is a log, so it grows with every write, and those who wait look at it again and again
 * (every 10 ms at worst). It is made for one job's rendezvous: a name that no job has used before.
 * What it costs in return for needing no server and no port: there are no queues ({@link
 * UnsupportedOperationException}).
 *
 * <p>A file that this store makes is readable by its user only. Needs a POSIX system.
 */
public sealed interface FileStore extends Store permits FileClient {

  /** The file. */
  Path path();

  /**
   * Opens the store of {@code worldSize} ranks at {@code path}, making the file if there is none.
   * When as many have closed it as there are ranks, and none has it open, the last one removes the
   * file; with a negative world size it stays.
   */
  static FileStore open(Path path, int worldSize, Duration timeout) {
    return FileClient.open(path, worldSize, timeout);
  }

  /** Opens a store that stays when all have closed it, with PyTorch's default timeout, 300 s. */
  static FileStore open(Path path) {
    return open(path, -1, Duration.ofSeconds(300));
  }
}
