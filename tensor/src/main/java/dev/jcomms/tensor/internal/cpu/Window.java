package dev.jcomms.tensor.internal.cpu;

/**
 * A window that slides along one dimension: the arithmetic that convolutions and poolings share.
 *
 * @param size of the input
 * @param length of the window, in taps {@code dilation} apart
 */
record Window(int size, int length, int stride, int padding, int dilation) {
  /** Positions of the window over the padded input. */
  int positions() {
    return positions(false);
  }

  /** With {@code ceil}, also one that begins inside and ends outside. */
  int positions(boolean ceil) {
    long room = size + 2L * padding - dilation * (length - 1L) - 1 + (ceil ? stride - 1 : 0);
    long count = Math.floorDiv(room, stride) + 1;
    if (ceil && (count - 1) * stride >= (long) size + padding) {
      count--;
    }
    return Math.toIntExact(count);
  }

  /** Where a tap lies in the input; outside it, in the padding. */
  int at(int position, int tap) {
    return position * stride - padding + tap * dilation;
  }
}
