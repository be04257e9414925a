package dev.jcomms.tensor;

/** How elements are kept: by strides. Operators that take PyTorch's layout accept this one. */
public enum Layout {
  STRIDED
}
