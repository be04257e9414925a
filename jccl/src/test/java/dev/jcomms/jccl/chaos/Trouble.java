package dev.jcomms.jccl.chaos;

import dev.jcomms.Comm;
import dev.jcomms.CommAbortedException;
import java.util.List;
import java.util.Random;

/** What one rank does at one step that the others do not. */
record Trouble(Kind kind, int rank, Script.Step step) {
  /** What it does. */
  enum Kind {
    NONE,
    /** Calls the operation with one element more. */
    DISAGREES,
    ABORTS,
    CLOSES,
    IS_INTERRUPTED
  }

  static final Trouble NONE = new Trouble(Kind.NONE, -1, null);

  /** At any step that the rank takes part in with others. */
  static Trouble any(Kind kind, Script script, int size, long seed) {
    Random random = new Random(seed + 99);
    int rank = random.nextInt(size);
    List<Script.Step> fit =
        script.steps().stream()
            .filter(step -> step.node().ranks().size() > 1 && step.node().ranks().contains(rank))
            .filter(step -> fits(kind, step))
            .toList();
    return kind == Kind.NONE || fit.isEmpty()
        ? NONE
        : new Trouble(kind, rank, fit.get(random.nextInt(fit.size())));
  }

  private static boolean fits(Kind kind, Script.Step step) {
    return switch (step.kind()) {
      case BLOCKING, STREAM -> kind != Kind.DISAGREES || RandomCall.comparesElements(step.seed());
      case ASYNC ->
          kind != Kind.IS_INTERRUPTED
              && (kind != Kind.DISAGREES || RandomCall.comparesElements(step.seed()));
      case PARALLEL, CLOSE -> false;
      default -> kind == Kind.ABORTS || kind == Kind.CLOSES;
    };
  }

  boolean strikes(int rank, Script.Step step) {
    return this.rank == rank && step.equals(this.step);
  }

  /** Does it, and tells whether the call itself is to be another than the others'. */
  boolean make(Comm comm) {
    switch (kind) {
      case ABORTS -> comm.abort("had enough");
      case CLOSES -> {
        comm.close();
        throw new CommAbortedException("this rank has closed it");
      }
      case IS_INTERRUPTED -> Thread.currentThread().interrupt();
      case NONE, DISAGREES -> {}
    }
    return kind == Kind.DISAGREES;
  }
}
