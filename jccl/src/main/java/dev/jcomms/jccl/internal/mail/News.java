package dev.jcomms.jccl.internal.mail;

import dev.jcomms.CommAbortedException;
import dev.jcomms.CommException;
import dev.jcomms.CommMismatchException;
import dev.jcomms.CommTimeoutException;
import dev.jcomms.PeerLostException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.TreeSet;

/** Failures as frames: how a rank tells the others why it goes no further. Stateless. */
final class News {
  /** Bytes of a frame of news: so many ranks and so much text as fit. */
  static final int MOST_BYTES = 4096;

  /** In place of a rank that hears of a failure: one that it is not about. */
  static final int ANYBODY = -1;

  private static final int MOST_RANKS = 256;
  private static final long FOUND = 0;
  private static final long KNOWN = 1;

  private News() {}

  /** What there is to tell of a failure. */
  private record Item(Kind kind, Set<Integer> ranks, String text) {
    static Item of(CommException failure) {
      return switch (failure) {
        case PeerLostException lost -> new Item(Kind.LOST, lost.missingRanks(), lost.detail());
        case CommMismatchException mismatch ->
            new Item(Kind.MISMATCH, mismatch.missingRanks(), mismatch.detail());
        case CommAbortedException aborted ->
            new Item(Kind.ABORTED, aborted.missingRanks(), aborted.reason());
        case CommTimeoutException late ->
            new Item(Kind.GAVE_UP, late.missingRanks(), late.getMessage());
        default -> new Item(Kind.ABORTED, Set.of(), failure.getMessage());
      };
    }

    /** The failure as a rank reports it that has heard of it. */
    CommException heard(int rank, int from) {
      return switch (kind) {
        case LOST ->
            ranks.contains(rank)
                ? new PeerLostException(
                    Set.of(from), "rank " + from + " has given this rank up: " + text)
                : new PeerLostException(ranks, text);
        case MISMATCH -> new CommMismatchException(text, others(rank));
        case GAVE_UP ->
            new CommAbortedException("rank " + from + " has given up: " + text, others(rank));
        default -> new CommAbortedException("rank " + from + ": " + text, others(rank));
      };
    }

    private Set<Integer> others(int rank) {
      Set<Integer> others = new TreeSet<>(ranks);
      others.remove(rank);
      return others;
    }
  }

  /** The frame that tells of a failure that this rank has found. */
  static Note of(CommException failure) {
    return of(failure, FOUND);
  }

  /** The frame that tells of a failure of which this rank has told or heard before. */
  static Note again(CommException failure) {
    return of(failure, KNOWN);
  }

  private static Note of(CommException failure, long how) {
    Item item = Item.of(failure);
    byte[] words = String.valueOf(item.text).getBytes(StandardCharsets.UTF_8);
    int count = Math.min(item.ranks.size(), MOST_RANKS);
    int length = Math.min(words.length, MOST_BYTES - 4 * count);
    ByteBuffer payload = ByteBuffer.allocate(4 * count + length).order(ByteOrder.LITTLE_ENDIAN);
    item.ranks.stream().limit(count).forEach(payload::putInt);
    payload.put(words, 0, length);
    Header header = new Header().of(item.kind);
    header.tag = count;
    header.id = how;
    return new Note(header, MemorySegment.ofArray(payload.array()));
  }

  /** Whether a frame tells what its sender has found itself, and not told before. */
  static boolean isFirst(Header header) {
    return header.id == FOUND;
  }

  /** Refuses a frame of news that is none. */
  static void check(Header header) {
    if (header.payload > MOST_BYTES
        || header.tag < 0
        || header.tag > MOST_RANKS
        || 4 * header.tag > header.payload) {
      throw new BadFrameException(
          header + " has ranks=" + header.tag + " in bytes=" + header.payload);
    }
  }

  /**
   * The failure that a frame tells of, as this rank reports it.
   *
   * @param from who sent it
   */
  static CommException read(Kind kind, int count, MemorySegment payload, int rank, int from) {
    byte[] bytes = payload.toArray(ValueLayout.JAVA_BYTE);
    ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    Set<Integer> ranks = new TreeSet<>();
    for (int i = 0; i < count; i++) {
      ranks.add(buffer.getInt());
    }
    String text = new String(bytes, buffer.position(), buffer.remaining(), StandardCharsets.UTF_8);
    return new Item(kind, ranks, text).heard(rank, from);
  }

  /** A failure of one rank as another one reports it that has heard of it. */
  static CommException heard(CommException failure, int rank, int from) {
    return Item.of(failure).heard(rank, from);
  }
}
