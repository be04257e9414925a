package dev.jcomms.tensor.internal.cpu.simd;

import jdk.incubator.vector.DoubleVector;

/**
 * Four rows by three vectors, for machines of wide vectors: sixteen registers are enough, and an
 * element of A is splat on its way from memory.
 */
final class SplatDoubleTile extends DoubleVectorTile {
  private static final int ROWS = 4;
  private static final int VECTORS = 3;
  private static final int COLUMNS = VECTORS * LANES;

  SplatDoubleTile() {
    super(ROWS, VECTORS, 1);
  }

  @Override
  public void multiply(int inner, double[] a, int aAt, double[] b, int bAt, double[] tile) {
    DoubleVector zero = DoubleVector.zero(SPECIES);
    DoubleVector c00 = zero, c01 = zero, c02 = zero;
    DoubleVector c10 = zero, c11 = zero, c12 = zero;
    DoubleVector c20 = zero, c21 = zero, c22 = zero;
    DoubleVector c30 = zero, c31 = zero, c32 = zero;
    for (int k = 0, x = aAt, y = bAt; k < inner; k++, x += ROWS, y += COLUMNS) {
      DoubleVector b0 = DoubleVector.fromArray(SPECIES, b, y);
      DoubleVector b1 = DoubleVector.fromArray(SPECIES, b, y + LANES);
      DoubleVector b2 = DoubleVector.fromArray(SPECIES, b, y + 2 * LANES);
      DoubleVector v;
      v = DoubleVector.broadcast(SPECIES, a[x]);
      c00 = v.fma(b0, c00);
      c01 = v.fma(b1, c01);
      c02 = v.fma(b2, c02);
      v = DoubleVector.broadcast(SPECIES, a[x + 1]);
      c10 = v.fma(b0, c10);
      c11 = v.fma(b1, c11);
      c12 = v.fma(b2, c12);
      v = DoubleVector.broadcast(SPECIES, a[x + 2]);
      c20 = v.fma(b0, c20);
      c21 = v.fma(b1, c21);
      c22 = v.fma(b2, c22);
      v = DoubleVector.broadcast(SPECIES, a[x + 3]);
      c30 = v.fma(b0, c30);
      c31 = v.fma(b1, c31);
      c32 = v.fma(b2, c32);
    }
    store(tile, 0, c00, c01, c02);
    store(tile, 1, c10, c11, c12);
    store(tile, 2, c20, c21, c22);
    store(tile, 3, c30, c31, c32);
  }

  private static void store(
      double[] tile, int row, DoubleVector a, DoubleVector b, DoubleVector c) {
    int at = row * COLUMNS;
    a.intoArray(tile, at);
    b.intoArray(tile, at + LANES);
    c.intoArray(tile, at + 2 * LANES);
  }
}
