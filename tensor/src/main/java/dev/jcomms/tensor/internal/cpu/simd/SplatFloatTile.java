package dev.jcomms.tensor.internal.cpu.simd;

import jdk.incubator.vector.FloatVector;

/**
 * Four rows by three vectors, for machines of wide vectors: sixteen registers are enough, and an
 * element of A is splat on its way from memory.
 */
final class SplatFloatTile extends FloatVectorTile {
  private static final int ROWS = 4;
  private static final int VECTORS = 3;
  private static final int COLUMNS = VECTORS * LANES;

  SplatFloatTile() {
    super(ROWS, VECTORS, 1);
  }

  @Override
  public void multiply(int inner, float[] a, int aAt, float[] b, int bAt, float[] tile) {
    FloatVector zero = FloatVector.zero(SPECIES);
    FloatVector c00 = zero, c01 = zero, c02 = zero;
    FloatVector c10 = zero, c11 = zero, c12 = zero;
    FloatVector c20 = zero, c21 = zero, c22 = zero;
    FloatVector c30 = zero, c31 = zero, c32 = zero;
    for (int k = 0, x = aAt, y = bAt; k < inner; k++, x += ROWS, y += COLUMNS) {
      FloatVector b0 = FloatVector.fromArray(SPECIES, b, y);
      FloatVector b1 = FloatVector.fromArray(SPECIES, b, y + LANES);
      FloatVector b2 = FloatVector.fromArray(SPECIES, b, y + 2 * LANES);
      FloatVector v;
      v = FloatVector.broadcast(SPECIES, a[x]);
      c00 = v.fma(b0, c00);
      c01 = v.fma(b1, c01);
      c02 = v.fma(b2, c02);
      v = FloatVector.broadcast(SPECIES, a[x + 1]);
      c10 = v.fma(b0, c10);
      c11 = v.fma(b1, c11);
      c12 = v.fma(b2, c12);
      v = FloatVector.broadcast(SPECIES, a[x + 2]);
      c20 = v.fma(b0, c20);
      c21 = v.fma(b1, c21);
      c22 = v.fma(b2, c22);
      v = FloatVector.broadcast(SPECIES, a[x + 3]);
      c30 = v.fma(b0, c30);
      c31 = v.fma(b1, c31);
      c32 = v.fma(b2, c32);
    }
    store(tile, 0, c00, c01, c02);
    store(tile, 1, c10, c11, c12);
    store(tile, 2, c20, c21, c22);
    store(tile, 3, c30, c31, c32);
  }

  private static void store(float[] tile, int row, FloatVector a, FloatVector b, FloatVector c) {
    int at = row * COLUMNS;
    a.intoArray(tile, at);
    b.intoArray(tile, at + LANES);
    c.intoArray(tile, at + 2 * LANES);
  }
}
