package dev.jcomms.tensor.internal.cpu;

/**
 * A window that slides along one dimension: the arithmetic that convolutions and poolings share.
 *
 * @param size of the input
 * @param length of the window, in taps {@code dilation} apart
 * @param positions of the window over the padded input
 */
record Window(int size, int length, int stride, int padding, int dilation, int positions) {
  /** As many positions as fit; with {@code ceil}, also one that begins inside and ends outside. */
  static Window over(int size, int length, int stride, int padding, int dilation, boolean ceil) {
    long room = size + 2L * padding - dilation * (length - 1L) - 1 + (ceil ? stride - 1 : 0);
    long count = Math.floorDiv(room, stride) + 1;
    if (ceil && (count - 1) * stride >= (long) size + padding) {
      count--;
    }
    return new Window(size, length, stride, padding, dilation, Math.toIntExact(count));
  }

  /** Where a tap lies in the input; outside it, in the padding. */
  int at(int position, int tap) {
    return position * stride - padding + tap * dilation;
  }

  /** Where the first tap lies that is not before the input; it may be behind it. */
  int firstAt(int position) {
    int at = at(position, 0);
    return at >= 0 ? at : Math.floorMod(at, dilation);
  }
}
