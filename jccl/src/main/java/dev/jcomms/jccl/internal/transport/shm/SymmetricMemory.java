package dev.jcomms.jccl.internal.transport.shm;

import dev.jcomms.BackendException;
import dev.jcomms.jccl.internal.transport.Bulletin;
import dev.jcomms.jccl.internal.transport.Roster;
import dev.jcomms.spi.Fingerprint;
import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Memory of which every rank of a host has a part of its own, at the same offset, and sees all
 * parts.
 *
 * <p>Pieces are made collectively and in the same order on all ranks, and freed together. Any place
 * in a piece has a description that means the same place to every rank. Any thread, but {@link
 * #allocate} one at a time.
 */
public final class SymmetricMemory implements AutoCloseable {
  private static final int OFFSET_BITS = 44;
  private static final long ALIGNMENT = 4096;
  private static final String ASKED = ".asked";

  private final Roster roster;
  private final Bulletin bulletin;
  private final String fileName;
  private final Arena lifetime = Arena.ofShared();
  private final List<HostMemory> pieces = new CopyOnWriteArrayList<>();

  /** How often ranks have asked for some, also in vain. */
  private int asked;

  public SymmetricMemory(Roster roster, Bulletin bulletin, String fileName) {
    this.roster = roster;
    this.bulletin = bulletin;
    this.fileName = fileName;
  }

  /** What a rank has asked for, as others can see. */
  public record Asked(
      String topic, Fingerprint fingerprint, DType dtype, Shape shape, long bytes) {}

  /** Says what this rank asks for, and waits for nobody. {@link #allocate} follows. */
  public Asked ask(DType dtype, Shape shape) {
    long bytes = Math.multiplyExact(shape.elements(), dtype.bytes());
    if (bytes > Long.MAX_VALUE / roster.size() - ALIGNMENT) {
      throw new IllegalArgumentException(
          "symmetric: shape=%s of %s on ranks=%d has more bytes than a long can count"
              .formatted(shape, dtype, roster.size()));
    }
    Asked mine =
        new Asked("symmetric/" + asked++, Fingerprint.symmetric(dtype, shape), dtype, shape, bytes);
    bulletin.post(mine.topic + ASKED, mine.fingerprint.encode());
    return mine;
  }

  /**
   * A new tensor of zeros, this rank's own. Collective over the communicator.
   *
   * @throws dev.jcomms.CommMismatchException if ranks ask for different things
   * @throws BackendException on all ranks, if one cannot have it: then none has
   */
  public Tensor allocate(Asked wanted, Duration timeout) {
    List<Integer> host = roster.host(roster.rank());
    Fingerprint mine = wanted.fingerprint;
    List<String> all = bulletin.posted(wanted.topic + ASKED, mine.encode(), timeout);
    for (int r = 0; r < all.size(); r++) {
      mine.requireSame(roster.rank(), r, Fingerprint.decode(all.get(r)));
    }
    long part = Math.max(1, Math.ceilDiv(wanted.bytes, ALIGNMENT)) * ALIGNMENT;
    HostMemory piece = share(wanted.topic, part * host.size(), timeout);
    pieces.add(piece);
    MemorySegment section =
        piece.segment().asSlice(host.indexOf(roster.rank()) * part, wanted.bytes);
    return Tensor.wrap(own(section), wanted.dtype, wanted.shape);
  }

  /** A piece for this host, if all hosts have got one. */
  private HostMemory share(String topic, long bytes, Duration timeout) {
    HostMemory piece = null;
    String failure = "";
    try {
      piece = HostMemory.share(roster, bulletin, topic, fileName, bytes, timeout);
    } catch (BackendException e) {
      failure = e.detail();
    }
    try {
      // The ranks of one host have compared notes already.
      List<String> failures =
          roster.oneHost()
              ? List.of(failure)
              : bulletin.exchange(topic + ".made", failure, timeout);
      for (String found : failures) {
        if (!found.isEmpty()) {
          throw new BackendException(found, null);
        }
      }
      return piece;
    } catch (RuntimeException e) {
      if (piece != null) {
        piece.close();
      }
      throw e;
    }
  }

  /** Memory that refuses access once this rank has closed, also while others still use theirs. */
  @SuppressWarnings("restricted")
  private MemorySegment own(MemorySegment part) {
    return MemorySegment.ofAddress(part.address()).reinterpret(part.byteSize(), lifetime, null);
  }

  /** Whether there is any. The same on all ranks, between operations. */
  public boolean isEmpty() {
    return pieces.isEmpty();
  }

  /** The description of a place in a piece; 0 for any other memory. */
  public long describe(MemorySegment segment) {
    if (!segment.isNative()) {
      return 0;
    }
    long address = segment.address();
    for (int i = 0; i < pieces.size(); i++) {
      MemorySegment piece = pieces.get(i).segment();
      long offset = address - piece.address();
      if (offset >= 0 && offset <= piece.byteSize() - segment.byteSize()) {
        return (i + 1L) << OFFSET_BITS | offset;
      }
    }
    return 0;
  }

  /** The place that was described, so many bytes of it. */
  public MemorySegment resolve(long description, long bytes) {
    int piece = (int) (description >>> OFFSET_BITS) - 1;
    return pieces.get(piece).segment().asSlice(description & (1L << OFFSET_BITS) - 1, bytes);
  }

  /** Frees everything. Tensors over it refuse to be touched from now on. */
  @Override
  public void close() {
    HostMemory.free(lifetime);
    pieces.forEach(HostMemory::close);
  }
}
