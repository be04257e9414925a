package dev.jcomms.jccl.internal.mail;

import dev.jcomms.CommException;
import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;

/** News of a failure on their way in. Under the guard. */
final class Told implements Sink {
  private final Kind kind;
  private final boolean first;
  private final int ranks;
  private final MemorySegment memory;
  private final Consumer<Told> then;

  /** News whose header was checked; what is to be done when all of it has come. */
  Told(Header header, Consumer<Told> then) {
    this.kind = header.kind;
    this.first = News.isFirst(header);
    this.ranks = header.tag;
    this.memory = MemorySegment.ofArray(new byte[header.payload]);
    this.then = then;
  }

  Kind kind() {
    return kind;
  }

  /** Whether the sender has found it itself, and not told before. */
  boolean isFirst() {
    return first;
  }

  /** What they tell, as a rank reports it that has heard it from another. */
  CommException failure(int rank, int from) {
    return News.read(kind, ranks, memory, rank, from);
  }

  @Override
  public MemorySegment memory() {
    return memory;
  }

  @Override
  public void filled() {
    then.accept(this);
  }

  @Override
  public void spoiled(RuntimeException e) {
    throw e;
  }
}
