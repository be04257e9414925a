package dev.jcomms.tensor;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Native memory for small tensors: pieces of slabs, taken one after the other, each thread from a
 * slab of its own. A slab is freed by the garbage collector after the last of its pieces; no piece
 * is used twice, so all are zero as new native memory is. One arena for many tensors is what makes
 * a small result cheap: an arena each costs a microsecond.
 */
final class Slabs {
  private static final long SLAB = 64 << 10;

  /** The largest piece: a tensor that lives on should not keep much more than itself. */
  static final long PIECE = 1 << 10;

  private static final ThreadLocal<Slabs> OWN = ThreadLocal.withInitial(Slabs::new);

  private MemorySegment slab = fresh(SLAB);
  private long used;

  private Slabs() {}

  /** Zeroed, aligned to {@link Storage#ALIGNMENT} bytes; at most a {@link #PIECE}. */
  static MemorySegment allocate(long bytes) {
    return Thread.currentThread().isVirtual() ? fresh(bytes) : OWN.get().take(bytes);
  }

  private MemorySegment take(long bytes) {
    long room = (bytes + Storage.ALIGNMENT - 1) & -Storage.ALIGNMENT;
    if (used + room > SLAB) {
      slab = fresh(SLAB);
      used = 0;
    }
    MemorySegment piece = slab.asSlice(used, bytes);
    used += room;
    return piece;
  }

  private static MemorySegment fresh(long bytes) {
    return Arena.ofAuto().allocate(bytes, Storage.ALIGNMENT);
  }
}
