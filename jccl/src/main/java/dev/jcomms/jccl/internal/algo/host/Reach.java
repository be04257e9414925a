package dev.jcomms.jccl.internal.algo.host;

import java.lang.foreign.MemorySegment;

/**
 * Reaching into another rank's tensors: possible between threads of one JVM, and between processes
 * where the tensors are in symmetric memory.
 *
 * <p>A rank describes its tensor by a number, sends it along with a phase, and the others resolve
 * it. What lies before the phase is seen by who met in it.
 */
interface Reach {
  /** Says that a tensor cannot be reached. */
  long NONE = 0;

  /**
   * The description of this rank's tensor.
   *
   * @param place which of the tensors it shows in one operation; where a rank cannot show many, 0
   *     or 1
   */
  long describe(MemorySegment segment, int place);

  /** The tensor that a rank has described, at least so many bytes of it. */
  MemorySegment resolve(int rank, int place, long description, long bytes);

  /** Whether one description stands for all that a rank shows, however many. */
  boolean showsMany();

  /** Reaches nobody. */
  Reach NOBODY =
      new Reach() {
        @Override
        public long describe(MemorySegment segment, int place) {
          return NONE;
        }

        @Override
        public boolean showsMany() {
          return false;
        }

        @Override
        public MemorySegment resolve(int rank, int place, long description, long bytes) {
          throw new AssertionError("nothing was described");
        }
      };
}
