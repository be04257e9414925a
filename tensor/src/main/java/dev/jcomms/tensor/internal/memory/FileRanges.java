package dev.jcomms.tensor.internal.memory;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/**
 * Ranges of the {@link MemoryFile}, handed out and taken back. A range that came back has no pages
 * and serves the next who asks for its class. Any thread.
 */
public final class FileRanges {
  private final List<ConcurrentLinkedDeque<MemorySegment>> hollow;
  private final AtomicLong end = new AtomicLong(MemoryFile.HEADER);
  private final AtomicLong used = new AtomicLong();

  /** Of so many classes. The file is made when a range is first asked for. */
  public FileRanges(int classes) {
    this.hollow =
        Stream.generate(ConcurrentLinkedDeque<MemorySegment>::new).limit(classes).toList();
  }

  /** A range of zeros, of so many bytes as all of its class; null if there is no room. */
  public MemorySegment take(int index, long bytes) {
    MemoryFile file = MemoryFile.own();
    if (file == null) {
      return null;
    }
    if (used.addAndGet(bytes) > file.mostBytes()) {
      used.addAndGet(-bytes);
      return null;
    }
    MemorySegment range = hollow.get(index).pollLast();
    return range != null ? range : fresh(file, bytes);
  }

  private MemorySegment fresh(MemoryFile file, long bytes) {
    long offset = end.getAndAdd(bytes);
    if (offset + bytes > file.memory().byteSize()) {
      end.addAndGet(-bytes);
      used.addAndGet(-bytes);
      return null;
    }
    return file.memory().asSlice(offset, bytes);
  }

  /** Takes a range back, and gives its pages to the system. */
  public void give(int index, MemorySegment range) {
    MemoryFile file = MemoryFile.own();
    file.release(range.address() - file.memory().address(), range.byteSize());
    used.addAndGet(-range.byteSize());
    hollow.get(index).addLast(range);
  }
}
