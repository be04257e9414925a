package dev.jcomms.jccl.internal.prove;

import dev.jcomms.ReduceOp;
import dev.jcomms.jccl.internal.prove.Region.Piece;
import dev.jcomms.jccl.internal.prove.Value.Term;
import dev.jcomms.jccl.plan.Flaw.Kind;
import dev.jcomms.jccl.plan.Place;
import dev.jcomms.jccl.plan.Plan;
import dev.jcomms.jccl.plan.PlanLayout;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** Compares outputs with what the collective promises, whatever its root. */
final class Outcome {
  private final List<Expectation> expectations;
  private final Map<Expectation, Flaws> wrongs = new LinkedHashMap<>();
  private final Texts texts;
  private ReduceOp reduction;

  Outcome(Plan plan, Texts texts) {
    this.texts = texts;
    expectations = Expectation.of(plan);
    for (Expectation expectation : expectations) {
      Flaws flaws = new Flaws();
      expectation
          .misshape(plan)
          .ifPresent(problem -> flaws.add(Kind.WRONG_RESULT, List.of(Place.PLAN), "%s", problem));
      wrongs.put(expectation, flaws);
    }
  }

  /** A rank's output after a launch, and who wrote each piece of it. */
  void output(
      PlanLayout layout, int launch, List<Piece> pieces, Function<Piece, Set<Touch>> writers) {
    int rank = layout.rank().rank();
    for (Expectation expectation : expectations) {
      Flaws flaws = wrongs.get(expectation);
      if (flaws.has(Kind.WRONG_RESULT) && flaws.size() > 50) {
        continue;
      }
      for (Expectation.Part part :
          expectation.output(rank, layout.inputBytes(), layout.outputBytes(), launch)) {
        for (Piece piece : pieces) {
          long from = Math.max(part.from(), piece.from());
          long to = Math.min(part.to(), piece.to());
          if (from < to) {
            compare(flaws, rank, launch, part, piece, writers, from, to);
          }
        }
      }
    }
  }

  private void compare(
      Flaws flaws,
      int rank,
      int launch,
      Expectation.Part part,
      Piece piece,
      Function<Piece, Set<Touch>> writers,
      long from,
      long to) {
    Value value = piece.value();
    boolean right = value.isMadeOf(part.terms());
    boolean sameReduction =
        value.reduction() == null || reduction == null || reduction == value.reduction();
    if (right && sameReduction) {
      reduction = value.reduction() == null ? reduction : value.reduction();
      return;
    }
    List<Place> places = new ArrayList<>(List.of(Place.rank(rank)));
    List<Touch> last =
        writers.apply(piece).stream().filter(touch -> touch.place().block() >= 0).toList();
    last.stream().limit(3).forEach(touch -> places.add(touch.place()));
    String holds =
        right
            ? "is reduced by %s, other parts by %s"
                .formatted(value.reduction().opName(), reduction.opName())
            : difference(value, part.terms(), from);
    flaws.add(
        Kind.WRONG_RESULT,
        places,
        "output %s of rank %d %s after launch %d%s",
        texts.chunks(from, to),
        rank,
        holds,
        launch,
        last.isEmpty()
            ? "; no op of this launch wrote it"
            : "; last written by " + last.getFirst().what());
  }

  private String difference(Value value, List<Term> expected, long at) {
    return switch (value.state()) {
      case UNDEFINED -> "is undefined";
      case SPOILT -> "is reduced out of something undefined";
      case EXCESSIVE -> "holds far too many inputs";
      case KNOWN -> {
        List<Term> surplus = new ArrayList<>(value.terms());
        List<Term> missing = new ArrayList<>(expected);
        expected.forEach(surplus::remove);
        value.terms().forEach(missing::remove);
        List<String> parts = new ArrayList<>();
        if (!missing.isEmpty()) {
          parts.add("lacks " + names(missing, at, expected));
        }
        if (!surplus.isEmpty()) {
          parts.add("has " + names(surplus, at, expected) + " too much");
        }
        yield parts.isEmpty()
            ? "is reduced otherwise than it should be"
            : String.join(" and ", parts);
      }
    };
  }

  private String names(List<Term> terms, long at, List<Term> expected) {
    int launch = expected.getFirst().launch();
    List<String> names = new ArrayList<>();
    for (Term term : terms.subList(0, Math.min(4, terms.size()))) {
      long from = at + term.shift();
      names.add(
          "input %s of rank %d%s"
              .formatted(
                  texts.position(from),
                  term.rank(),
                  term.launch() == launch ? "" : " of launch " + term.launch()));
    }
    return String.join(", ", names) + (terms.size() > 4 ? ", …" : "");
  }

  /** The root that fits, or fits best. */
  Optional<Expectation> meant() {
    return expectations.stream()
        .min(Comparator.comparingInt(expectation -> wrongs.get(expectation).size()));
  }

  void report(Flaws flaws) {
    meant().ifPresent(expectation -> flaws.addAll(wrongs.get(expectation)));
  }
}
