package dev.jcomms.jccl.internal.select;

import static dev.jcomms.jccl.plan.BufferType.INPUT;
import static dev.jcomms.jccl.plan.BufferType.OUTPUT;

import dev.jcomms.ReduceOp;
import dev.jcomms.jccl.Algorithm;
import dev.jcomms.jccl.Selector.Request;
import dev.jcomms.jccl.Setup;
import dev.jcomms.jccl.internal.exec.Grain;
import dev.jcomms.jccl.internal.exec.PacketType;
import dev.jcomms.jccl.internal.exec.PreparedPlan;
import dev.jcomms.jccl.plan.BufferType;
import dev.jcomms.jccl.plan.Finding;
import dev.jcomms.jccl.plan.Op;
import dev.jcomms.jccl.plan.Plan;
import dev.jcomms.jccl.plan.PlanLayout;
import dev.jcomms.jccl.plan.RankPlan;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A plan as an algorithm: the executor runs it. Preparations are for sizes up to a power of two of
 * the smallest message, so that a handful of them serve all.
 */
public final class PlanAlgorithm implements Algorithm {
  private static final Map<String, String> COLLECTIVES =
      Map.of(
          "allreduce", "all_reduce",
          "allgather", "all_gather",
          "reducescatter", "reduce_scatter",
          "alltoall", "all_to_all",
          "broadcast", "broadcast",
          "reduce", "reduce",
          "gather", "gather",
          "scatter", "scatter");

  private static final Set<String> ROOTED = Set.of("broadcast", "reduce", "gather", "scatter");

  /** In place of bytes: the collective asks for no such buffer. */
  private static final long UNASKED = -1;

  private final Plan plan;
  private final String name;
  private final String collective;
  private final Set<ReduceOp> reductions;
  private final PacketType packets;

  /** The bytes that every message is a multiple of. */
  private final long unit;

  public PlanAlgorithm(Plan plan) {
    this.plan = plan;
    this.name = plan.name().toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "_");
    this.collective = COLLECTIVES.get(plan.collective());
    if (collective == null) {
      throw new IllegalArgumentException(
          "plan '%s' is for %s; algorithms are made of plans for %s"
              .formatted(
                  plan.name(), plan.collective(), COLLECTIVES.keySet().stream().sorted().toList()));
    }
    if (ROOTED.contains(collective) && plan.root().isEmpty()) {
      throw new IllegalArgumentException(
          "plan '%s' is for %s and does not say its root; the key is \"root\""
              .formatted(plan.name(), plan.collective()));
    }
    Optional<Finding> error =
        plan.validate().stream()
            .filter(finding -> finding.severity() == Finding.Severity.ERROR)
            .findFirst();
    if (error.isPresent()) {
      throw new IllegalArgumentException(
          "plan '%s' cannot run: %s".formatted(plan.name(), error.get()));
    }
    this.reductions = reductions(plan);
    this.packets = plan.bufferAlignment() % 8 == 0 ? PacketType.LL16 : PacketType.LL8;
    int chunks =
        plan.ranks().stream().mapToInt(its -> PlanLayout.messageChunks(plan, its)).max().orElse(0);
    this.unit = (long) Math.max(1, chunks) * plan.bufferAlignment();
  }

  private static Set<ReduceOp> reductions(Plan plan) {
    return plan.ranks().stream()
        .flatMap(rank -> rank.blocks().stream())
        .flatMap(block -> block.ops().stream())
        .flatMap(op -> op instanceof Op.Pipeline loop ? loop.ops().stream() : Stream.of(op))
        .flatMap(
            op ->
                switch (op) {
                  case Op.Reduce reduce -> Stream.of(reduce.reduction());
                  case Op.ReducePackets reduce -> Stream.of(reduce.reduction());
                  case Op.SwitchReduce reduce -> Stream.of(reduce.reduction());
                  case Op.SwitchReduceStore reduce -> Stream.of(reduce.reduction());
                  default -> Stream.of();
                })
        .collect(Collectors.toUnmodifiableSet());
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public String collective() {
    return collective;
  }

  @Override
  public String description() {
    return "The plan '%s' for %d ranks, run block by block."
        .formatted(plan.name(), plan.ranks().size());
  }

  @Override
  public long minBytes() {
    return Math.max(1, plan.minBytes() < 0 ? Long.MAX_VALUE : plan.minBytes());
  }

  @Override
  public long maxBytes() {
    return plan.maxBytes() < 0 ? Long.MAX_VALUE : plan.maxBytes();
  }

  /** An in-place plan finds its buffers itself. */
  @Override
  public BufferMode bufferMode() {
    return plan.inPlace() ? BufferMode.ANY : BufferMode.OUT_OF_PLACE;
  }

  @Override
  public Constraint constraint() {
    return new Constraint(plan.ranks().size(), 0);
  }

  @Override
  public Optional<String> refuses(Request request) {
    if (request.op() != null && !Set.of(request.op()).containsAll(reductions)) {
      return Optional.of(
          "it reduces by %s, not by %s"
              .formatted(
                  reductions.stream().map(ReduceOp::opName).sorted().toList(),
                  request.op().opName()));
    }
    if (ROOTED.contains(collective) && plan.root().getAsInt() != request.root()) {
      return Optional.of(
          "its root is rank %d, not %d".formatted(plan.root().getAsInt(), request.root()));
    }
    if (plan.bufferAlignment() % request.dtype().bytes() != 0) {
      return Optional.of(
          "its chunks are multiples of %d bytes, an element of %s has %d"
              .formatted(plan.bufferAlignment(), request.dtype(), request.dtype().bytes()));
    }
    try {
      Grain.require(plan, request.dtype(), packets);
      for (int r = 0; r < plan.ranks().size(); r++) {
        requireFit(r, PlanLayout.forMessage(plan, r, request.bytes()), request.bytes());
      }
      return Optional.empty();
    } catch (IllegalArgumentException e) {
      return Optional.of(e.getMessage());
    }
  }

  /** All ranks look at all of them, so that all refuse alike. */
  private void requireFit(int rank, PlanLayout layout, long message) {
    for (BufferType buffer : List.of(INPUT, OUTPUT)) {
      long given = given(buffer, rank, message);
      int chunks = layout.rank().chunks(buffer);
      if (chunks > 0 && given != UNASKED && given != layout.bytes(buffer)) {
        throw new IllegalArgumentException(
            "plan '%s': %s has %d bytes for rank %d's %s, and its %d chunks of %d bytes are %d"
                .formatted(
                    plan.name(),
                    collective,
                    given,
                    rank,
                    buffer.name().toLowerCase(Locale.ROOT),
                    chunks,
                    layout.chunkBytes(),
                    layout.bytes(buffer)));
      }
    }
  }

  /** The bytes that a message has for one buffer of a rank. */
  private long given(BufferType buffer, int rank, long message) {
    boolean input = buffer == INPUT;
    long share = message / plan.ranks().size();
    return switch (collective) {
      case "all_gather" -> input ? share : message;
      case "reduce_scatter" -> input ? message : share;
      case "reduce" -> input || isRoot(rank) ? message : UNASKED;
      case "gather" -> input ? share : isRoot(rank) ? message : UNASKED;
      case "scatter" -> !input ? share : isRoot(rank) ? message : UNASKED;
      default -> message;
    };
  }

  private boolean isRoot(int rank) {
    return plan.root().getAsInt() == rank;
  }

  /** The largest message of the preparation that this one belongs to. */
  @Override
  public Long key(Request request) {
    long units = Math.ceilDiv(request.bytes(), unit);
    long rounded = units <= 1 ? 1 : Long.highestOneBit(units - 1) << 1;
    return Math.min(rounded * unit, maxBytes() / unit * unit);
  }

  @Override
  public Preparation prepare(Setup setup) {
    RankSetup rank = (RankSetup) setup;
    Map<Plan, PreparedPlan> plans = rank.plans();
    plans.put(plan, rank.executor().prepare(plan, key(setup.request()), setup.left()));
    return Preparation.ready(
        task -> {
          Tensor input = task.input() == null ? unasked(task.output(), INPUT, rank) : task.input();
          Tensor output = task.output() == null ? unasked(input, OUTPUT, rank) : task.output();
          // A later preparation for larger messages has taken the place of this one.
          plans
              .get(plan)
              .run(input.segment(), output.segment(), input.dtype(), packets, rank.deadline());
        });
  }

  /** A buffer that plans have on every rank, for a rank that the collective asks for none. */
  private Tensor unasked(Tensor other, BufferType buffer, RankSetup setup) {
    RankPlan its = plan.ranks().get(setup.rank());
    int chunks = its.chunks(buffer == INPUT ? OUTPUT : INPUT);
    return Tensor.zeros(other.dtype(), Shape.of(other.elements() / chunks * its.chunks(buffer)));
  }

  @Override
  public String toString() {
    return collective + "/" + name;
  }
}
