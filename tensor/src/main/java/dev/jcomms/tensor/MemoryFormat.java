package dev.jcomms.tensor;

/** The order of dimensions in memory that an operator is asked to give its result. */
public enum MemoryFormat {
  /** Row by row: the last dimension is dense. */
  CONTIGUOUS,
  /** As the input has it. */
  PRESERVE,
  CHANNELS_LAST,
  CHANNELS_LAST_3D
}
