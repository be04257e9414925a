package dev.jcomms.jccl;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * One way to do one collective: a value that users write, make from a plan ({@link
 * Algorithms#ofPlan}), compile at run time ({@link NativeAlgorithm}) or take from {@link
 * AlgorithmCollection#defaults}. Immutable; any thread.
 *
 * <p>It says what it is for, and {@link #prepare} makes it ready on one communicator. All ranks
 * have equal algorithms and come to the same answers, so nothing here may depend on the rank.
 *
 * <p>Sizes are those of the whole buffer, as {@code jcomms bench} counts them: of the buffer for
 * {@code all_reduce}, {@code reduce} and {@code broadcast}, of all ranks' sections together for the
 * others.
 */
public interface Algorithm {
  /**
   * What hints, tables and records call it: {@code ring}. Lower-case letters, digits, {@code _}.
   */
  String name();

  /**
   * What it does: {@code all_reduce}, {@code all_gather}, {@code reduce_scatter}, {@code
   * all_to_all}, {@code broadcast}, {@code reduce}, {@code gather}, {@code scatter} or {@code
   * barrier}. Forms of one collective, such as lists and single tensors, are one.
   */
  String collective();

  /** How it does it, in one sentence. */
  String description();

  /** The smallest size it is for. */
  default long minBytes() {
    return 0;
  }

  /** The largest size it is for. */
  default long maxBytes() {
    return Long.MAX_VALUE;
  }

  /** Where it wants input and output. */
  default BufferMode bufferMode() {
    return BufferMode.ANY;
  }

  /** The ranks it is for. */
  default Constraint constraint() {
    return Constraint.NONE;
  }

  /** Numbers for selectors to look at; they mean nothing here. */
  default Map<String, Long> tags() {
    return Map.of();
  }

  /** Launch parameters, each with the values worth trying; the first is taken unless told. */
  default Map<String, List<Long>> parameters() {
    return Map.of();
  }

  /**
   * Why it cannot serve a request that its range and constraint admit; empty if it can. A question
   * about what all ranks know: nothing is set up, and all answer alike.
   */
  default Optional<String> refuses(Selector.Request request) {
    return Optional.empty();
  }

  /**
   * What a preparation depends on: requests of equal keys, with equal launch parameters, share one.
   * Unless told otherwise one preparation serves all.
   */
  default Object key(Selector.Request request) {
    return "";
  }

  /**
   * Makes ready on one rank whatever requests of one key need. Collective: called on all ranks,
   * before the first operation that needs it, in turn with other operations. It is feasible if it
   * is on all ranks; if one says {@link Infeasible}, or throws, all take it so.
   */
  Preparation prepare(Setup setup);

  /**
   * Where an algorithm wants its buffers; what a caller has is brought there by a copy if need be.
   */
  enum BufferMode {
    ANY,
    /** The input is a part of the output, or the output of the input. */
    IN_PLACE,
    /** Input and output do not overlap. */
    OUT_OF_PLACE
  }

  /**
   * The ranks an algorithm is for.
   *
   * @param world how many; 0 for any number
   * @param ranksPerHost how many share a host, on each; 0 for any number
   */
  record Constraint(int world, int ranksPerHost) {
    public static final Constraint NONE = new Constraint(0, 0);

    public Constraint {
      if (world < 0 || ranksPerHost < 0) {
        throw new IllegalArgumentException(
            "constraint: world=%d, ranks_per_host=%d; 0 is any number, less is none"
                .formatted(world, ranksPerHost));
      }
    }
  }

  /** What came of a {@link #prepare}. */
  sealed interface Preparation {
    /** Ready: this runs it. */
    static Preparation ready(Run run) {
      return new Ready(run, () -> {});
    }

    /** Not here, and why. */
    static Preparation infeasible(String reason) {
      return new Infeasible(reason);
    }
  }

  /**
   * Ready to run.
   *
   * @param run called for every operation, on all ranks in the same order
   * @param close frees what was set up; called once, when the communicator closes
   */
  record Ready(Run run, Runnable close) implements Preparation {
    public Ready {
      Objects.requireNonNull(run);
      Objects.requireNonNull(close);
    }
  }

  /** It cannot be done on this communicator. */
  record Infeasible(String reason) implements Preparation {
    public Infeasible {
      Objects.requireNonNull(reason);
    }
  }

  /** Does one operation; returns when this rank is done. What it throws ends the communicator. */
  @FunctionalInterface
  interface Run {
    void run(Task task);
  }
}
