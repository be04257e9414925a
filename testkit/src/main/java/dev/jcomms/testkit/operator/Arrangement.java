package dev.jcomms.testkit.operator;

/** How a sample tensor lies in memory. */
enum Arrangement {
  /** Row by row from the start. */
  PLAIN(""),
  /** A memory of the dimensions in reverse, turned round. */
  TURNED(" turned"),
  /** Every second element of the last dimension, from the second on. */
  SPARSE(" sparse"),
  /** One row, repeated without memory. */
  EXPANDED(" expanded");

  final String label;

  Arrangement(String label) {
    this.label = label;
  }

  /** Whether it differs from {@link #PLAIN} for such a shape. */
  boolean fits(long... sizes) {
    return switch (this) {
      case PLAIN -> true;
      case TURNED -> sizes.length >= 2;
      case SPARSE -> sizes.length >= 1;
      case EXPANDED -> sizes.length >= 1 && sizes[0] > 1;
    };
  }

  /** The sizes of the memory that such a tensor is a view of. */
  long[] base(long... sizes) {
    long[] base = sizes.clone();
    switch (this) {
      case PLAIN -> {}
      case TURNED -> {
        for (int d = 0; d < sizes.length; d++) {
          base[d] = sizes[sizes.length - 1 - d];
        }
      }
      case SPARSE -> base[base.length - 1] = 2 * sizes[sizes.length - 1] + 1;
      case EXPANDED -> base[0] = 1;
    }
    return base;
  }

  /** Strides of the view, in elements. */
  long[] strides(long... sizes) {
    long[] base = base(sizes);
    long[] strides = new long[sizes.length];
    long step = 1;
    for (int d = base.length - 1; d >= 0; d--) {
      int at = this == TURNED ? sizes.length - 1 - d : d;
      strides[at] = step;
      step *= Math.max(1, base[d]);
    }
    if (this == SPARSE) {
      strides[sizes.length - 1] = 2;
    } else if (this == EXPANDED) {
      strides[0] = 0;
    }
    return strides;
  }

  long offset() {
    return this == SPARSE ? 1 : 0;
  }
}
