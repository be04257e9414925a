package dev.jcomms.tensor.internal.cpu;

/** Between the memory of a matrix and the strips of a {@link FloatTile}, element by element. */
final class FloatStrips {
  private FloatStrips() {}

  /** Lines one after the other become elements side by side. */
  static void interleave(float[] lines, int count, int inner, float[] out, int from) {
    if (count == 8) {
      for (int x = 0, at = from; x < inner; x++, at += 8) {
        float v0 = lines[x];
        float v1 = lines[x + inner];
        float v2 = lines[x + 2 * inner];
        float v3 = lines[x + 3 * inner];
        float v4 = lines[x + 4 * inner];
        float v5 = lines[x + 5 * inner];
        float v6 = lines[x + 6 * inner];
        float v7 = lines[x + 7 * inner];
        out[at] = v0;
        out[at + 1] = v1;
        out[at + 2] = v2;
        out[at + 3] = v3;
        out[at + 4] = v4;
        out[at + 5] = v5;
        out[at + 6] = v6;
        out[at + 7] = v7;
      }
      return;
    }
    for (int line = 0; line < count; line++) {
      for (int x = 0, at = from + line; x < inner; x++, at += count) {
        out[at] = lines[line * inner + x];
      }
    }
  }

  static void gather(long from, long step, int columns, int inner, float[] out, int to) {
    for (int x = 0; x < inner; x++) {
      long row = from + x * step;
      int at = to + x * columns;
      for (int y = 0; y < columns; y++) {
        out[at + y] = Memory.ALL.get(Memory.FLOAT, row + y * 4L);
      }
    }
  }

  static void add(float[] tile, int from, long to, int columns) {
    for (int x = 0; x < columns; x++) {
      long at = to + x * 4L;
      Memory.ALL.set(Memory.FLOAT, at, Memory.ALL.get(Memory.FLOAT, at) + tile[from + x]);
    }
  }
}
