package dev.jcomms.tensor.internal.cpu.simd;

import dev.jcomms.tensor.internal.cpu.Memory;
import dev.jcomms.tensor.internal.cpu.Strips;
import dev.jcomms.tensor.internal.cpu.Tile;
import java.nio.ByteOrder;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;

/** A tile whose rows are whole vectors of {@code float}. */
abstract class FloatVectorTile extends Tile<float[]> {
  static final VectorSpecies<Float> SPECIES = FloatVector.SPECIES_PREFERRED;
  static final int LANES = SPECIES.length();

  private final int width;

  /**
   * @param vectors in a row
   */
  FloatVectorTile(int rows, int vectors, int copies) {
    super(Strips.FLOATS, rows, vectors * LANES, copies);
    width = vectors * LANES;
  }

  @Override
  public final void gather(long from, long step, int inner, float[] b, int bAt) {
    long row = from;
    for (int x = 0, at = bAt; x < inner; x++, at += width, row += step) {
      for (int c = 0; c < width; c += LANES) {
        read(row + (long) c * Float.BYTES).intoArray(b, at + c);
      }
    }
  }

  @Override
  public final void add(float[] tile, int row, long to) {
    for (int c = 0; c < width; c += LANES) {
      long at = to + (long) c * Float.BYTES;
      read(at)
          .add(FloatVector.fromArray(SPECIES, tile, row * width + c))
          .intoMemorySegment(Memory.ALL, at, ByteOrder.nativeOrder());
    }
  }

  private static FloatVector read(long at) {
    return FloatVector.fromMemorySegment(SPECIES, Memory.ALL, at, ByteOrder.nativeOrder());
  }
}
