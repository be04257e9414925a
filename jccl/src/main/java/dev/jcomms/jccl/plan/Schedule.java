package dev.jcomms.jccl.plan;

import java.util.List;

/**
 * The first launch of a {@link Plan}, every op as early as what it waits for allows; for people to
 * look at. Made by {@link Plan#schedule}.
 *
 * <p>Time is in steps: a signal or a wait takes one, an op that moves data four, however many
 * bytes.
 *
 * @param steps in an order in which they can run
 * @param links what leads from one step to another
 * @param stuck ops that wait for ever; none for a sound plan
 */
public record Schedule(List<Step> steps, List<Link> links, List<Place> stuck) {
  /** One run of an op: inside a pipeline it has several. */
  public record Step(Place place, Op op, int start, int end) {}

  /** Something that the second step needs of the first; both are positions among the steps. */
  public record Link(Kind kind, int from, int to) {
    /** What goes over. */
    public enum Kind {
      DATA,
      PACKETS,
      SIGNAL
    }
  }

  public Schedule {
    steps = List.copyOf(steps);
    links = List.copyOf(links);
    stuck = List.copyOf(stuck);
  }

  /** When the last step ends. */
  public int end() {
    return steps.stream().mapToInt(Step::end).max().orElse(0);
  }
}
