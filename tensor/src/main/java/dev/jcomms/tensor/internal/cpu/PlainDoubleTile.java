package dev.jcomms.tensor.internal.cpu;

/** The tile for a JVM without vectors, or whose compiler has not come to them yet. */
final class PlainDoubleTile extends Tile<double[]> {
  private static final int ROWS = 4;
  private static final int COLUMNS = 8;

  PlainDoubleTile() {
    super(Strips.DOUBLES, ROWS, COLUMNS, 1);
  }

  @Override
  public void multiply(int inner, double[] a, int aAt, double[] b, int bAt, double[] tile) {
    for (int row = 0; row < ROWS; row++) {
      double s0 = 0, s1 = 0, s2 = 0, s3 = 0, s4 = 0, s5 = 0, s6 = 0, s7 = 0;
      for (int k = 0, x = aAt + row, y = bAt; k < inner; k++, x += ROWS, y += COLUMNS) {
        double v = a[x];
        s0 = Math.fma(v, b[y], s0);
        s1 = Math.fma(v, b[y + 1], s1);
        s2 = Math.fma(v, b[y + 2], s2);
        s3 = Math.fma(v, b[y + 3], s3);
        s4 = Math.fma(v, b[y + 4], s4);
        s5 = Math.fma(v, b[y + 5], s5);
        s6 = Math.fma(v, b[y + 6], s6);
        s7 = Math.fma(v, b[y + 7], s7);
      }
      int at = row * COLUMNS;
      tile[at] = s0;
      tile[at + 1] = s1;
      tile[at + 2] = s2;
      tile[at + 3] = s3;
      tile[at + 4] = s4;
      tile[at + 5] = s5;
      tile[at + 6] = s6;
      tile[at + 7] = s7;
    }
  }
}
