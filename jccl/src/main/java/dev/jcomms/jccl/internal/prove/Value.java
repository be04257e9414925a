package dev.jcomms.jccl.internal.prove;

import dev.jcomms.ReduceOp;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * What a run of bytes holds, whatever the data: inputs of ranks, combined. There is nothing that
 * takes a term out again, so a value with too many is wrong for good and need not be kept in full.
 *
 * @param state {@link State#KNOWN} or why there are no terms
 * @param terms sorted; more than once is said as often, but for reductions that do not mind
 * @param reduction what combines them; {@code null} for a single term
 */
record Value(State state, List<Term> terms, ReduceOp reduction) {
  enum State {
    KNOWN,

    /** Never written, or left by the caller. */
    UNDEFINED,

    /** Combined out of something undefined, or by two reductions. */
    SPOILT,

    /** More terms than any collective has. */
    EXCESSIVE
  }

  /**
   * The input of a rank in a launch: byte {@code x} of the value is byte {@code x + shift} of it.
   */
  record Term(int launch, int rank, long shift) implements Comparable<Term> {
    @Override
    public int compareTo(Term other) {
      int order = Integer.compare(launch, other.launch);
      order = order != 0 ? order : Integer.compare(rank, other.rank);
      return order != 0 ? order : Long.compare(shift, other.shift);
    }
  }

  static final Value UNDEFINED = new Value(State.UNDEFINED, List.of(), null);
  private static final Value SPOILT = new Value(State.SPOILT, List.of(), null);
  private static final Value EXCESSIVE = new Value(State.EXCESSIVE, List.of(), null);

  static Value of(Term term) {
    return new Value(State.KNOWN, List.of(term), null);
  }

  static Value of(List<Term> terms, ReduceOp reduction) {
    return new Value(
        State.KNOWN, terms.stream().sorted().toList(), terms.size() == 1 ? null : reduction);
  }

  /** The same bytes, counted from elsewhere. */
  Value shifted(long by) {
    if (by == 0 || state != State.KNOWN) {
      return this;
    }
    List<Term> moved = new ArrayList<>(terms.size());
    for (Term term : terms) {
      moved.add(new Term(term.launch(), term.rank(), term.shift() + by));
    }
    return new Value(state, moved, reduction);
  }

  static Value combine(ReduceOp reduction, List<Value> values, int most) {
    if (values.size() == 1) {
      return values.getFirst();
    }
    List<Term> terms = new ArrayList<>();
    for (Value value : values) {
      if (value.state == State.EXCESSIVE) {
        return EXCESSIVE;
      }
      boolean mixed = value.reduction != null && value.reduction != reduction;
      if (value.state != State.KNOWN || mixed) {
        return SPOILT;
      }
      terms.addAll(value.terms);
    }
    terms.sort(null);
    if (isIdempotent(reduction)) {
      terms = new ArrayList<>(terms.stream().distinct().toList());
    }
    if (terms.size() > most) {
      return EXCESSIVE;
    }
    return new Value(State.KNOWN, List.copyOf(terms), terms.size() == 1 ? null : reduction);
  }

  private static boolean isIdempotent(ReduceOp reduction) {
    return reduction == ReduceOp.MIN
        || reduction == ReduceOp.MAX
        || reduction == ReduceOp.BAND
        || reduction == ReduceOp.BOR;
  }

  /** Whether these are the terms, by any reduction. */
  boolean isMadeOf(List<Term> expected) {
    return state == State.KNOWN && Objects.equals(terms, expected);
  }
}
