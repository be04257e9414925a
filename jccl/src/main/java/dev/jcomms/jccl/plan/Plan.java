package dev.jcomms.jccl.plan;

import java.util.List;

/**
 * An execution plan: for each rank, what its thread blocks do to carry out one collective.
 *
 * <p>Made by {@code read} from the JSON of MSCCL++'s DSL or of ours, or by our DSL. Immutable, like
 * everything in it: any thread may use it. A plan that was read need not make sense: see {@link
 * #validate}.
 *
 * @param collective the format's word, such as {@code allreduce}
 * @param inPlace whether input and output are the same memory
 * @param reuseResources whether one set-up serves all buffers
 * @param doubleScratch whether launches take turns at two halves of the scratch buffer
 * @param bufferAlignment bytes; chunks begin at multiples of it
 * @param minBytes the smallest message, unsigned
 * @param maxBytes the largest message, unsigned: {@code -1} is no limit
 */
public record Plan(
    String name,
    String collective,
    Protocol protocol,
    boolean inPlace,
    boolean reuseResources,
    int threadsPerBlock,
    boolean doubleScratch,
    int bufferAlignment,
    long minBytes,
    long maxBytes,
    List<RankPlan> ranks,
    Extras extras) {
  /** What the format supposes where the text is silent. */
  static final int DEFAULT_THREADS_PER_BLOCK = 1024;

  static final int DEFAULT_ALIGNMENT = 16;

  public Plan {
    ranks = List.copyOf(ranks);
  }

  /** The same plan with other ranks, and so without {@link #extras}. */
  public Plan withRanks(List<RankPlan> others) {
    return new Plan(
        name,
        collective,
        protocol,
        inPlace,
        reuseResources,
        threadsPerBlock,
        doubleScratch,
        bufferAlignment,
        minBytes,
        maxBytes,
        others,
        Extras.NONE);
  }
}
