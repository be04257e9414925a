package dev.jcomms.jccl.plan;

import dev.jcomms.jccl.plan.Finding.Severity;
import java.util.List;

/**
 * A way in which a {@link Plan} can go wrong. Made by {@link Plan#check}.
 *
 * @param places where; first the op that suffers, then the other side of it if there is one
 * @param problem a sentence that stands without the places
 */
public record Flaw(Kind kind, List<Place> places, String problem) {
  /** What goes wrong. */
  public enum Kind {
    /** The plan cannot be run at all: an error of {@link Plan#validate}. */
    INVALID(Severity.ERROR),

    /** Nobody can go on. */
    DEADLOCK(Severity.ERROR),

    /** Two touch the same bytes in no order, and one of them writes. */
    RACE(Severity.ERROR),

    /** An output is not what the collective promises. */
    WRONG_RESULT(Severity.ERROR),

    /** A launch leaves signals or semaphores otherwise than it found them. */
    UNBALANCED(Severity.ERROR),

    /** The plan is too large for the bounds of the check. */
    UNDECIDED(Severity.ERROR),

    /**
     * Threads of one block are in no order, as the format says they are without a nop. Harmless
     * only where a block is one thread, as here.
     */
    MISSING_NOP(Severity.ERROR),

    /** Blocks compete for one count: only some of the orders were tried. */
    COMPETITION(Severity.WARNING),

    /** As a missing nop, unless packets that one of the ops waits for put them in an order. */
    UNSURE_NOP(Severity.WARNING),

    /** A plan that is not in place writes to its input. */
    INPUT_WRITTEN(Severity.WARNING);

    private final Severity severity;

    Kind(Severity severity) {
      this.severity = severity;
    }

    public Severity severity() {
      return severity;
    }

    /** As {@code wrong result}. */
    public String words() {
      return name().toLowerCase(java.util.Locale.ROOT).replace('_', ' ');
    }
  }

  public Flaw {
    places = List.copyOf(places);
    if (places.isEmpty()) {
      throw new IllegalArgumentException("a flaw is somewhere: " + problem);
    }
  }

  public boolean isError() {
    return kind.severity() == Severity.ERROR;
  }

  /** As {@code race: rank 0 block 1 op 6 and rank 1 block 0 op 0: …}. */
  @Override
  public String toString() {
    String where = String.join(" and ", places.stream().map(Place::toString).toList());
    return kind.words() + ": " + where + ": " + problem;
  }
}
