package dev.jcomms.jccl;

import dev.jcomms.Comm;
import dev.jcomms.ReduceOp;
import dev.jcomms.jccl.internal.tune.Session;
import dev.jcomms.tensor.DType;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.LongStream;

/**
 * Measures which algorithm is the fastest for each size, on the communicator it is given. Every
 * rank makes an equal one and calls {@link #tune}, which is collective.
 *
 * <p>For each collective and size, jccl's own choice and every algorithm that is for the size, with
 * each combination of its launch parameters, is first checked: what is infeasible or gives wrong
 * results takes no part. The others are timed in turns; a time is that of the slowest rank, and
 * what counts is the median. A challenger wins if it is faster than jccl's own choice by more than
 * the noise, twice: among all, and alone against it. Immutable; any thread.
 *
 * @param comm on which to measure; made by {@link Jccl} with the same algorithms, or plainly for
 *     jccl's own
 * @param algorithms those to try
 * @param collectives what to measure
 * @param sizes in bytes, as {@link Algorithm} counts them
 * @param dtype of the elements
 * @param op of reductions: sum, product, min or max
 * @param symmetric whether tensors are symmetric; the communicator has such memory from then on, so
 *     that ordinary tensors are to be measured before, or on another
 * @param turn how long each way is measured at a time
 * @param rounds how often
 */
public record Tuner(
    Comm comm,
    AlgorithmCollection algorithms,
    List<String> collectives,
    List<Long> sizes,
    DType dtype,
    ReduceOp op,
    boolean symmetric,
    Duration turn,
    int rounds) {

  public Tuner {
    collectives = List.copyOf(collectives);
    sizes = List.copyOf(sizes);
    for (String collective : collectives) {
      if (!AlgorithmCollection.collectives().contains(collective)) {
        throw new IllegalArgumentException(
            "no collective '%s'; there are %s"
                .formatted(collective, String.join(", ", AlgorithmCollection.collectives())));
      }
    }
    if (sizes.isEmpty() || sizes.stream().anyMatch(size -> size < 1)) {
      throw new IllegalArgumentException("sizes=" + sizes + " are not positive numbers of bytes");
    }
    if (rounds < 1 || turn.isNegative() || turn.isZero()) {
      throw new IllegalArgumentException(
          "turn=%s, rounds=%d: both must be positive".formatted(turn, rounds));
    }
    if (!op.accepts(dtype)
        || !List.of(ReduceOp.SUM, ReduceOp.PRODUCT, ReduceOp.MIN, ReduceOp.MAX).contains(op)) {
      throw new IllegalArgumentException(
          "op=%s of %s is not tuned; sum, product, min and max are".formatted(op.opName(), dtype));
    }
  }

  /** All-reduces of f32 from 1 KiB to 128 MiB, with jccl's own algorithms. */
  public static Tuner of(Comm comm) {
    return new Tuner(
        comm,
        AlgorithmCollection.defaults(),
        List.of("all_reduce"),
        LongStream.iterate(1 << 10, size -> size <= 128 << 20, size -> 2 * size).boxed().toList(),
        DType.F32,
        ReduceOp.SUM,
        false,
        Duration.ofMillis(10),
        7);
  }

  /** This tuner with these algorithms to try, which the communicator must know. */
  public Tuner withAlgorithms(AlgorithmCollection other) {
    return new Tuner(comm, other, collectives, sizes, dtype, op, symmetric, turn, rounds);
  }

  /** This tuner for these collectives. */
  public Tuner withCollectives(List<String> others) {
    return new Tuner(comm, algorithms, others, sizes, dtype, op, symmetric, turn, rounds);
  }

  /** This tuner for these sizes. */
  public Tuner withSizes(List<Long> others) {
    return new Tuner(comm, algorithms, collectives, others, dtype, op, symmetric, turn, rounds);
  }

  /** This tuner for these elements. */
  public Tuner withElements(DType type, ReduceOp how) {
    return new Tuner(comm, algorithms, collectives, sizes, type, how, symmetric, turn, rounds);
  }

  /** This tuner with symmetric tensors, or with ordinary ones. */
  public Tuner withSymmetric(boolean whether) {
    return new Tuner(comm, algorithms, collectives, sizes, dtype, op, whether, turn, rounds);
  }

  /** This tuner with turns so long, and so many. */
  public Tuner withTurns(Duration each, int times) {
    return new Tuner(comm, algorithms, collectives, sizes, dtype, op, symmetric, each, times);
  }

  /**
   * What is known of one size, for who watches.
   *
   * @param done how many sizes are done, of all collectives, this one included
   * @param total how many there are
   * @param entry what the table gets
   * @param defaults what jccl's own choice is, by {@link TuningTable#candidates}
   * @param micros the median of each way that took part, by its text
   * @param skipped why others took no part, by their text
   */
  public record Progress(
      int done,
      int total,
      String collective,
      TuningTable.Entry entry,
      List<Selector.Choice> defaults,
      Map<String, Double> micros,
      Map<String, String> skipped) {}

  /** Measures everything. Collective; all ranks get the same. */
  public TuningTable.Profile tune() {
    return tune(_ -> {});
  }

  /**
   * Measures everything. Collective; all ranks get the same.
   *
   * @param watcher hears of each size when it is done, on this thread
   */
  public TuningTable.Profile tune(Consumer<Progress> watcher) {
    return Session.run(this, watcher);
  }
}
