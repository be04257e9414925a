package dev.jcomms.jccl.internal.prove;

import dev.jcomms.jccl.plan.Finding;
import dev.jcomms.jccl.plan.Finding.Severity;
import dev.jcomms.jccl.plan.Flaw.Kind;
import dev.jcomms.jccl.plan.Place;
import dev.jcomms.jccl.plan.Plan;
import dev.jcomms.jccl.plan.Proof;
import dev.jcomms.jccl.plan.Schedule;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Proves what a plan promises, or finds why not: validation first, then a {@link Machine}. */
public final class Prover {
  /**
   * Two halves of scratch come round again in the third launch; one scratch, and every count, in
   * the second.
   */
  private static final int LAUNCHES = 3;

  /** Clocks of all actors for all ops, in ints: beyond it a check would not fit in 2 GiB. */
  private static final long MOST_CLOCKS = 60_000_000;

  private static final String NO_CLAIM = "there is no race and no deadlock";

  private Prover() {}

  public static Proof prove(Plan plan) {
    Flaws flaws = new Flaws();
    errors(plan.validate())
        .forEach(
            finding -> flaws.add(Kind.INVALID, List.of(finding.place()), "%s", finding.problem()));
    List<Expectation> expectations = Expectation.of(plan);
    String claim = expectations.isEmpty() ? NO_CLAIM : expectations.getFirst().claim();
    if (!errors(plan.validateOps()).isEmpty()) {
      return new Proof(claim, flaws.sorted(), List.of(), 0);
    }
    // Where only counts are wrong, a run shows what comes of it, and where.
    List<Long> tried = new ArrayList<>();
    Budget budget = new Budget();
    try {
      long ops =
          plan.ranks().stream()
              .flatMap(rank -> rank.blocks().stream())
              .mapToLong(block -> 1 + block.ops().size())
              .sum();
      if (ops * Resources.countActors(plan) > MOST_CLOCKS) {
        throw new Budget.Spent();
      }
      for (long chunkBytes : Samples.of(plan)) {
        Machine machine = run(plan, chunkBytes, flaws, budget, false);
        tried.add(chunkBytes);
        claim = machine.outcome().meant().map(Expectation::claim).orElse(NO_CLAIM);
        if (!flaws.hasErrors() && flaws.has(Kind.COMPETITION)) {
          run(plan, chunkBytes, flaws, budget, true);
        }
        if (flaws.hasErrors()) {
          break;
        }
      }
    } catch (Budget.Spent _) {
      flaws.add(
          Kind.UNDECIDED,
          List.of(Place.PLAN),
          "too large to be proved; chunks of %s bytes were, as far as the check came",
          tried);
    }
    return new Proof(claim, flaws.sorted(), tried, LAUNCHES);
  }

  /**
   * How many ranks further a {@code sendrecv} plan sends: the format does not say it, so one launch
   * shows it. 1, the next rank, if it shows nothing.
   */
  public static int distance(Plan plan) {
    if (!errors(plan.validateOps()).isEmpty()) {
      return 1;
    }
    try {
      long chunkBytes = Samples.of(plan).getFirst();
      Machine machine = new Machine(plan, chunkBytes, 1, new Flaws(), new Budget(), Tracer.NONE);
      machine.run();
      return machine.outcome().meant().map(Expectation::which).orElse(1);
    } catch (Budget.Spent _) {
      return 1;
    }
  }

  public static Schedule schedule(Plan plan) {
    errors(plan.validateOps())
        .forEach(
            finding -> {
              throw new IllegalArgumentException(finding.place() + ": " + finding.problem());
            });
    List<Long> sizes = new ArrayList<>(Samples.of(plan));
    // The largest that can be drawn: it shows how units of a pipeline follow each other.
    sizes.sort(Comparator.reverseOrder());
    for (long chunkBytes : sizes) {
      try {
        return schedule(plan, chunkBytes);
      } catch (Budget.Spent _) {
        // A smaller one may have fewer units.
      }
    }
    throw new IllegalArgumentException("the plan is too large to be drawn");
  }

  private static Schedule schedule(Plan plan, long chunkBytes) {
    Tracer.Recorder recorder = new Tracer.Recorder();
    Flaws flaws = new Flaws();
    new Machine(plan, chunkBytes, 1, flaws, new Budget(), recorder).run();
    List<Place> stuck =
        flaws.sorted().stream()
            .filter(flaw -> flaw.kind() == Kind.DEADLOCK)
            .map(flaw -> flaw.places().getFirst())
            .toList();
    return new Schedule(recorder.steps(), recorder.links(), stuck);
  }

  private static List<Finding> errors(List<Finding> findings) {
    return findings.stream().filter(finding -> finding.severity() == Severity.ERROR).toList();
  }

  private static Machine run(
      Plan plan, long chunkBytes, Flaws flaws, Budget budget, boolean reversed) {
    Machine machine = new Machine(plan, chunkBytes, LAUNCHES, flaws, budget, Tracer.NONE);
    if (reversed) {
      machine.reverse();
    }
    machine.run();
    return machine;
  }
}
