package dev.jcomms.tensor.internal.cpu.simd;

import dev.jcomms.tensor.internal.cpu.Tile;
import java.util.List;
import jdk.incubator.vector.VectorShape;

/** The vector tiles that suit this machine. */
public final class VectorTiles {
  private static final boolean SHORT = VectorShape.preferredShape().vectorBitSize() <= 128;

  private VectorTiles() {}

  public static Tile<float[]> floats() {
    return SHORT ? new RepeatedFloatTile() : new SplatFloatTile();
  }

  public static Tile<double[]> doubles() {
    return SHORT ? new RepeatedDoubleTile() : new SplatDoubleTile();
  }

  /** Every tile there is, for tests. */
  public static List<Tile<float[]>> allFloats() {
    return List.of(new RepeatedFloatTile(), new SplatFloatTile());
  }

  public static List<Tile<double[]>> allDoubles() {
    return List.of(new RepeatedDoubleTile(), new SplatDoubleTile());
  }
}
