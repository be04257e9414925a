package dev.jcomms.jccl.internal.prove;

import dev.jcomms.jccl.internal.prove.Value.Term;
import dev.jcomms.jccl.plan.Plan;
import dev.jcomms.jccl.plan.RankPlan;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * What a collective promises: for each rank, of which inputs each part of its output is made. The
 * format does not say the root of a collective that has one, nor how far a send and receive goes
 * around its ring, so there is an expectation for each.
 */
final class Expectation {
  /**
   * Part of an output: byte {@code x} of the output is made of byte {@code x + shift} of inputs.
   */
  record Part(long from, long to, List<Term> terms) {}

  private final String collective;

  /** The root; of a send and receive, how many ranks further it sends; -1 for others. */
  private final int which;

  private final int world;

  private Expectation(String collective, int which, int world) {
    this.collective = collective;
    this.which = which;
    this.world = world;
  }

  /** All that the plan may mean; empty if its collective promises nothing. */
  static List<Expectation> of(Plan plan) {
    String name = normal(plan.collective());
    int world = plan.ranks().size();
    return switch (name) {
      case "allreduce", "allgather", "reducescatter", "alltoall" ->
          List.of(new Expectation(name, -1, world));
      case "sendrecv" -> each(name, 1, Math.max(2, world), world);
      case "broadcast", "reduce", "gather", "scatter" -> {
        if (plan.root().isPresent()) {
          yield List.of(new Expectation(name, plan.root().getAsInt(), world));
        }
        yield each(name, 0, world, world);
      }
      default -> List.of();
    };
  }

  private static List<Expectation> each(String name, int from, int to, int world) {
    return IntStream.range(from, to)
        .mapToObj(which -> new Expectation(name, which, world))
        .toList();
  }

  int which() {
    return which;
  }

  static String normal(String collective) {
    return collective.toLowerCase(Locale.ROOT).replace("_", "");
  }

  String claim() {
    return switch (collective) {
      case "allreduce" -> "every rank ends with the reduction of all inputs";
      case "allgather" -> "every rank ends with the inputs of all ranks, in order";
      case "reducescatter" -> "every rank ends with its part of the reduction of all inputs";
      case "alltoall" -> "every rank ends with its part of the input of every rank, in order";
      case "sendrecv" ->
          which == 1
              ? "every rank ends with the input of the rank before it"
              : "every rank ends with the input of the rank " + which + " before it";
      case "broadcast" -> "every rank ends with the input of rank " + which;
      case "reduce" -> "rank " + which + " ends with the reduction of all inputs";
      case "gather" -> "rank " + which + " ends with the inputs of all ranks, in order";
      case "scatter" -> "every rank ends with its part of the input of rank " + which;
      default -> throw new AssertionError(collective);
    };
  }

  /** What is wrong with the sizes of the buffers, if anything is. */
  Optional<String> misshape(Plan plan) {
    for (RankPlan rank : plan.ranks()) {
      int in = rank.inputChunks();
      int out = rank.outputChunks();
      boolean fits =
          switch (collective) {
            case "allreduce", "sendrecv", "broadcast" -> in == out;
            case "alltoall" -> in == out && in % world == 0;
            case "allgather" -> out == in * world;
            case "reducescatter" -> in == out * world;
            case "reduce" -> rank.rank() != which || in == out;
            case "gather" -> rank.rank() != which || out == in * world;
            case "scatter" -> plan.ranks().get(which).inputChunks() == out * world;
            default -> throw new AssertionError(collective);
          };
      if (!fits) {
        return Optional.of(
            "rank %d has %d input chunks and %d output chunks; no %s of %d ranks has"
                .formatted(rank.rank(), in, out, plan.collective(), world));
      }
    }
    return Optional.empty();
  }

  /** What the rank's output must be after a launch; no parts if it may be anything. */
  List<Part> output(int rank, long inputBytes, long outputBytes, int launch) {
    long slice = outputBytes / world;
    return switch (collective) {
      case "allreduce" -> List.of(all(launch, 0, outputBytes, 0));
      case "reducescatter" -> List.of(all(launch, 0, outputBytes, rank * outputBytes));
      case "sendrecv" ->
          List.of(one(launch, Math.floorMod(rank - which, world), 0, outputBytes, 0));
      case "broadcast" -> List.of(one(launch, which, 0, outputBytes, 0));
      case "scatter" -> List.of(one(launch, which, 0, outputBytes, rank * outputBytes));
      case "reduce" -> rank == which ? List.of(all(launch, 0, outputBytes, 0)) : List.of();
      case "gather" -> rank == which ? each(launch, inputBytes, 0) : List.of();
      case "allgather" -> each(launch, inputBytes, 0);
      case "alltoall" -> each(launch, slice, rank * slice);
      default -> throw new AssertionError(collective);
    };
  }

  private Part all(int launch, long from, long to, long shift) {
    List<Term> terms = new ArrayList<>();
    for (int rank = 0; rank < world; rank++) {
      terms.add(new Term(launch, rank, shift));
    }
    return new Part(from, to, terms);
  }

  private static Part one(int launch, int rank, long from, long to, long shift) {
    return new Part(from, to, List.of(new Term(launch, rank, shift)));
  }

  /** Of each rank so many bytes, from this byte of its input on. */
  private List<Part> each(int launch, long bytes, long begin) {
    List<Part> parts = new ArrayList<>();
    for (int rank = 0; rank < world; rank++) {
      long from = rank * bytes;
      parts.add(one(launch, rank, from, from + bytes, begin - from));
    }
    return parts;
  }
}
