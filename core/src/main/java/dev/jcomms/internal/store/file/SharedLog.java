package dev.jcomms.internal.store.file;

import dev.jcomms.internal.store.Backoff;
import dev.jcomms.internal.store.Deadline;
import dev.jcomms.internal.store.Interrupts;
import dev.jcomms.internal.store.RefusedException;
import dev.jcomms.store.StoreException;
import dev.jcomms.store.StoreTimeoutException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The file of a store and what has been read of it. Opens the file anew for each transaction, since
 * a {@code flock} belongs to an open file: so transactions exclude each other whether they are of
 * one process or of many. Any thread.
 */
final class SharedLog {
  /** A transaction's view: the file's content as of its lock, and a way to append. */
  interface Transaction<T> {
    T run(Map<String, byte[]> values, Appender appender) throws IOException;
  }

  /** Appends a record to the file and the view. */
  interface Appender {
    void append(byte[] record) throws IOException;
  }

  private final Path path;
  private final ReentrantLock lock = new ReentrantLock();
  private final Map<String, byte[]> values = new HashMap<>();
  private long position;

  SharedLog(Path path) {
    this.path = path;
  }

  Path path() {
    return path;
  }

  /** Runs a transaction that may write; the file is made if there is none. */
  <T> T write(String what, Deadline deadline, Transaction<T> body) {
    return transact(what, deadline, PosixFile.LOCK_EXCLUSIVE, body);
  }

  /** Runs a transaction that only reads; without a file, on nothing. */
  <T> T read(String what, Deadline deadline, Transaction<T> body) {
    return transact(what, deadline, PosixFile.LOCK_SHARED, body);
  }

  /** Removes the file. */
  void remove() {
    try {
      Files.deleteIfExists(path);
    } catch (IOException e) {
      // Whoever removes the folder around it removes the file too.
    }
  }

  private <T> T transact(String what, Deadline deadline, int kind, Transaction<T> body) {
    enter(what, deadline);
    boolean writes = kind == PosixFile.LOCK_EXCLUSIVE;
    try (PosixFile file = openLocked(what, deadline, kind)) {
      refresh(file);
      return body.run(
          values,
          record -> {
            file.append(record);
            position += FileRecords.replay(record, values);
          });
    } catch (NoSuchFileException e) {
      if (writes) throw failed(what, e);
      forget();
      return run(what, body);
    } catch (IOException e) {
      throw failed(what, e);
    } catch (RefusedException e) {
      throw new StoreException(what + " at file " + path + ": " + e.getMessage());
    } finally {
      lock.unlock();
    }
  }

  private <T> T run(String what, Transaction<T> body) {
    try {
      return body.run(
          values,
          _ -> {
            throw new AssertionError("reads do not append");
          });
    } catch (IOException e) {
      throw failed(what, e);
    }
  }

  private void enter(String what, Deadline deadline) {
    Interrupts.check(what + " at " + path);
    if (lock.tryLock()) return;
    try {
      if (lock.tryLock(Math.max(0, deadline.nanos()), TimeUnit.NANOSECONDS)) return;
    } catch (InterruptedException e) {
      throw Interrupts.during(what + " at " + path, e);
    }
    throw locked(what, deadline);
  }

  /** The file that is at the path once the lock is held, and not one that was removed by then. */
  private PosixFile openLocked(String what, Deadline deadline, int kind) throws IOException {
    while (true) {
      PosixFile file = PosixFile.open(path, kind == PosixFile.LOCK_EXCLUSIVE);
      boolean ours = false;
      try {
        lockFile(what, deadline, file, kind);
        ours = file.isAt(path);
        if (ours) return file;
      } finally {
        if (!ours) file.close();
      }
    }
  }

  /**
   * Asks again and again: a {@code flock} that blocks has no deadline and cannot be interrupted.
   */
  private void lockFile(String what, Deadline deadline, PosixFile file, int kind)
      throws IOException {
    for (Backoff backoff = new Backoff(deadline); !file.tryLock(kind); backoff.pause()) {
      Interrupts.check(what + " at " + path);
      if (deadline.passed()) throw locked(what, deadline);
    }
  }

  private void refresh(PosixFile file) throws IOException {
    long length = file.length();
    if (length < position) forget(); // It was removed and made anew.
    if (length == position) return;
    if (length - position > Integer.MAX_VALUE - 8) {
      throw new IOException("bytes=" + length + " is too long for a store");
    }
    byte[] news = file.read(position, (int) (length - position));
    position += FileRecords.replay(news, values);
    if (position < length) {
      // The lock is held, so nobody is still writing it.
      throw new IOException(
          "record at offset " + position + " is cut short; its writer died, or this is no store");
    }
  }

  private void forget() {
    values.clear();
    position = 0;
  }

  private StoreException failed(String what, IOException cause) {
    return new StoreException(what + " at file " + path + ": " + cause.getMessage(), cause);
  }

  private StoreTimeoutException locked(String what, Deadline deadline) {
    return new StoreTimeoutException(
        what + " (file is locked)", List.of(), deadline.timeout(), "file " + path);
  }
}
