package dev.jcomms.fake;

import dev.jcomms.Collective;
import dev.jcomms.OpOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * What a fake backend is to do, and what it was asked: shared by all ranks that open it. Any
 * thread.
 *
 * <p>Rules are tried in the order they were added; the first that matches decides and, unless it is
 * for always, is used up. An operation that no rule matches completes at once.
 */
public final class FakeScript {
  /** An operation that reached the backend, in order of arrival. */
  public record Submitted(String comm, int rank, Collective op, OpOptions options) {}

  /** What becomes of an operation. */
  sealed interface Fate {
    record Fails(Supplier<? extends RuntimeException> failure) implements Fate {}

    record Delays(Duration delay) implements Fate {}

    record NeverEnds() implements Fate {}
  }

  private static final class Rule {
    final Predicate<Submitted> matches;
    final Fate fate;
    int uses;

    Rule(Predicate<Submitted> matches, Fate fate, int uses) {
      this.matches = matches;
      this.fate = fate;
      this.uses = uses;
    }
  }

  private final List<Rule> rules = new ArrayList<>();
  private final List<Submitted> submitted = new ArrayList<>();

  /** A script without rules. */
  public FakeScript() {}

  /** The next operation of that kind fails with this, inside {@code submit}. */
  public FakeScript failOnce(
      Class<? extends Collective> kind, Supplier<? extends RuntimeException> failure) {
    return add(kind, new Fate.Fails(failure), 1);
  }

  /** Every operation of that kind fails with this, inside {@code submit}. */
  public FakeScript failAlways(
      Class<? extends Collective> kind, Supplier<? extends RuntimeException> failure) {
    return add(kind, new Fate.Fails(failure), Integer.MAX_VALUE);
  }

  /** Every operation of that kind ends so much later, after {@code submit} has returned. */
  public FakeScript delay(Class<? extends Collective> kind, Duration delay) {
    return add(kind, new Fate.Delays(delay), Integer.MAX_VALUE);
  }

  /** The next operation of that kind blocks until its timeout, an abort or an interrupt. */
  public FakeScript hangOnce(Class<? extends Collective> kind) {
    return add(kind, new Fate.NeverEnds(), 1);
  }

  private synchronized FakeScript add(Class<? extends Collective> kind, Fate fate, int uses) {
    rules.add(new Rule(call -> kind.isInstance(call.op()), fate, uses));
    return this;
  }

  /** What reached the backend so far. */
  public synchronized List<Submitted> submitted() {
    return List.copyOf(submitted);
  }

  /** Notes an operation and says what becomes of it; null: it completes. */
  synchronized Fate next(Submitted call) {
    submitted.add(call);
    for (Rule rule : rules) {
      if (rule.uses > 0 && rule.matches.test(call)) {
        if (rule.uses < Integer.MAX_VALUE) {
          rule.uses--;
        }
        return rule.fate;
      }
    }
    return null;
  }
}
