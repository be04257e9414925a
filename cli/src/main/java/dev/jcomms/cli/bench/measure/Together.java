package dev.jcomms.cli.bench.measure;

import dev.jcomms.Collective;
import dev.jcomms.Comm;
import dev.jcomms.OpOptions;
import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;

/**
 * What all ranks know alike: numbers of every rank, gathered by the communicator under test. Every
 * decision of the bench follows from such numbers, so all ranks decide the same. Used by one
 * thread.
 */
final class Together {
  private static final int WIDTH = 4;

  private final int ranks;
  private final int rank;
  private final Tensor mine = Tensor.zeros(DType.F64, Shape.of(WIDTH));
  private final Tensor all;
  private final Comm comm;
  private final Collective gather;

  Together(Comm comm) {
    this.comm = comm;
    this.rank = comm.rank();
    this.ranks = comm.size();
    this.all = Tensor.zeros(DType.F64, Shape.of((long) ranks * WIDTH));
    this.gather = new Collective.AllGatherSingle(all, mine);
  }

  /** Waits for all ranks. */
  void meet() {
    most(0);
  }

  /** The largest of all ranks' numbers, position by position. */
  double[] most(double... numbers) {
    gather(numbers);
    double[] most = new double[numbers.length];
    for (int i = 0; i < numbers.length; i++) {
      most[i] = all.getDouble(i);
      for (int r = 1; r < ranks; r++) {
        most[i] = Math.max(most[i], all.getDouble((long) r * WIDTH + i));
      }
    }
    return most;
  }

  /** The sum of all ranks' numbers. */
  long sum(long number) {
    gather(number);
    double sum = 0;
    for (int r = 0; r < ranks; r++) sum += all.getDouble((long) r * WIDTH);
    return (long) sum;
  }

  /**
   * Whether all ranks gave the same number, which is not 0; who is not heard, because the backend
   * moves nothing, is taken to have done so.
   */
  boolean isAlike(double number) {
    gather(number);
    for (int r = 0; r < ranks; r++) {
      double other = all.getDouble((long) r * WIDTH);
      if (other != number && other != 0) return false;
    }
    return true;
  }

  private void gather(double... numbers) {
    for (int i = 0; i < numbers.length; i++) mine.setDouble(numbers[i], i);
    comm.run(gather, OpOptions.DEFAULT);
    // Whatever the backend under test has made of it, this rank's own numbers count.
    for (int i = 0; i < numbers.length; i++) all.setDouble(numbers[i], (long) rank * WIDTH + i);
  }
}
