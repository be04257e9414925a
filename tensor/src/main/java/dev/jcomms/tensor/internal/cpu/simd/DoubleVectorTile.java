package dev.jcomms.tensor.internal.cpu.simd;

import dev.jcomms.tensor.internal.cpu.Memory;
import dev.jcomms.tensor.internal.cpu.Strips;
import dev.jcomms.tensor.internal.cpu.Tile;
import java.nio.ByteOrder;
import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.VectorSpecies;

/** A tile whose rows are whole vectors of {@code double}. */
abstract class DoubleVectorTile extends Tile<double[]> {
  static final VectorSpecies<Double> SPECIES = DoubleVector.SPECIES_PREFERRED;
  static final int LANES = SPECIES.length();

  private final int width;

  /**
   * @param vectors in a row
   */
  DoubleVectorTile(int rows, int vectors, int copies) {
    super(Strips.DOUBLES, rows, vectors * LANES, copies);
    width = vectors * LANES;
  }

  @Override
  public final void gather(long from, long step, int inner, double[] b, int bAt) {
    long row = from;
    for (int x = 0, at = bAt; x < inner; x++, at += width, row += step) {
      for (int c = 0; c < width; c += LANES) {
        read(row + (long) c * Double.BYTES).intoArray(b, at + c);
      }
    }
  }

  @Override
  public final void add(double[] tile, int row, long to) {
    for (int c = 0; c < width; c += LANES) {
      long at = to + (long) c * Double.BYTES;
      read(at)
          .add(DoubleVector.fromArray(SPECIES, tile, row * width + c))
          .intoMemorySegment(Memory.ALL, at, ByteOrder.nativeOrder());
    }
  }

  private static DoubleVector read(long at) {
    return DoubleVector.fromMemorySegment(SPECIES, Memory.ALL, at, ByteOrder.nativeOrder());
  }
}
