package dev.jcomms.tensor.internal.memory;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.stream.Stream;

/**
 * Ranges of the {@link MemoryFile}, handed out and taken back. A range that came back has no pages
 * and serves the next who asks for its class, unless it was withdrawn from the file. Any thread.
 */
public final class FileRanges {
  private final List<ConcurrentLinkedDeque<MemorySegment>> hollow;

  /** Of so many classes. The file is made when a range is first asked for. */
  public FileRanges(int classes) {
    this.hollow =
        Stream.generate(ConcurrentLinkedDeque<MemorySegment>::new).limit(classes).toList();
  }

  /** A range of zeros, of so many bytes as all of its class; null if there is no room. */
  public MemorySegment take(int index, long bytes) {
    MemoryFile file = MemoryFile.own();
    if (file == null || !file.claim(bytes)) {
      return null;
    }
    MemorySegment range = hollow.get(index).pollLast();
    if (range == null) {
      range = file.fresh(bytes);
    }
    if (range == null) {
      file.unclaim(bytes);
    }
    return range;
  }

  /** Takes a range back, and gives its pages to the system. */
  public void give(int index, MemorySegment range) {
    MemoryFile file = MemoryFile.own();
    boolean usable = file.release(range);
    file.unclaim(range.byteSize());
    if (usable) {
      hollow.get(index).addLast(range);
    }
  }

  /** Whether a range is not in the file any more: another serves the next better. */
  public boolean isWithdrawn(MemorySegment range) {
    return MemoryFile.own().isWithdrawn(range);
  }
}
