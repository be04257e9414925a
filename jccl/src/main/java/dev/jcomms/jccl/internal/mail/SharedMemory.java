package dev.jcomms.jccl.internal.mail;

import java.lang.foreign.MemorySegment;

/** Memory that ranks of a host can reach in each other: what a mailroom is told about it. */
public interface SharedMemory {
  /** Nothing is shared. */
  SharedMemory NONE =
      new SharedMemory() {
        @Override
        public long describe(MemorySegment segment) {
          return 0;
        }

        @Override
        public MemorySegment resolve(int rank, long description, long bytes) {
          throw new AssertionError("nothing was described");
        }
      };

  /** A number by which the other ranks of the host find a segment; 0 if they cannot. */
  long describe(MemorySegment segment);

  /** So many bytes of what a rank of the host has described. */
  MemorySegment resolve(int rank, long description, long bytes);
}
