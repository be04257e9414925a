package dev.jcomms.tensor.internal.cpu.simd;

import dev.jcomms.tensor.internal.cpu.DoubleTile;
import dev.jcomms.tensor.internal.cpu.FloatTile;
import jdk.incubator.vector.VectorShape;

/** The vector tiles that suit this machine. */
public final class VectorTiles {
  private static final boolean SHORT = VectorShape.preferredShape().vectorBitSize() <= 128;

  private VectorTiles() {}

  public static FloatTile floats() {
    return SHORT ? new RepeatedFloatTile() : new SplatFloatTile();
  }

  public static DoubleTile doubles() {
    return SHORT ? new RepeatedDoubleTile() : new SplatDoubleTile();
  }

  /** Every tile there is, for tests. */
  public static FloatTile[] allFloats() {
    return new FloatTile[] {new RepeatedFloatTile(), new SplatFloatTile()};
  }

  public static DoubleTile[] allDoubles() {
    return new DoubleTile[] {new RepeatedDoubleTile(), new SplatDoubleTile()};
  }
}
