package dev.jcomms.jccl.internal.exec;

import dev.jcomms.ReduceOp;
import dev.jcomms.jccl.internal.prove.Prover;
import dev.jcomms.jccl.plan.Op;
import dev.jcomms.jccl.plan.Plan;
import dev.jcomms.jccl.plan.PlanLayout;
import dev.jcomms.tensor.DType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * What a plan's collective should give, worked out naively from inputs that look random, each by
 * its rank, position and launch. All values and results are small whole numbers, which every dtype
 * of two bytes and more holds exactly, so equal means equal.
 */
final class Reference {
  /** Values are at most so far from 0: the sum of 32 of them is exact in every dtype. */
  private static final int MOST = 7;

  private final Plan plan;
  private final int rank;
  private final DType dtype;
  private final PlanLayout layout;
  private final ReduceOp reduction;

  /** How many ranks further a send and receive goes; 0 until it is asked. */
  private int distance;

  Reference(Plan plan, int rank, long messageBytes, DType dtype) {
    this.plan = plan;
    this.rank = rank;
    this.dtype = dtype;
    this.layout = PlanLayout.forMessage(plan, rank, messageBytes);
    this.reduction = reduction(plan);
  }

  /** Whether it is known what the collective gives. */
  static boolean knows(Plan plan) {
    return switch (plan.collective()) {
      case "allreduce", "allgather", "reducescatter", "alltoall", "sendrecv" -> true;
      case "broadcast", "reduce", "gather", "scatter" -> plan.root().isPresent();
      default -> false;
    };
  }

  /** The one operation that all of a plan's reductions use. */
  private static ReduceOp reduction(Plan plan) {
    Set<String> names = new TreeSet<>();
    ReduceOp found = ReduceOp.SUM;
    for (Op op :
        plan.ranks().stream()
            .flatMap(r -> r.blocks().stream())
            .flatMap(block -> block.ops().stream())
            .flatMap(op -> op instanceof Op.Pipeline loop ? loop.ops().stream() : Stream.of(op))
            .toList()) {
      ReduceOp one =
          switch (op) {
            case Op.Reduce reduce -> reduce.reduction();
            case Op.ReducePackets reduce -> reduce.reduction();
            case Op.SwitchReduce reduce -> reduce.reduction();
            case Op.SwitchReduceStore reduce -> reduce.reduction();
            default -> null;
          };
      if (one != null) {
        found = one;
        names.add(one.opName());
      }
    }
    if (names.size() > 1) {
      throw new IllegalArgumentException(
          "plan '%s' reduces by %s: no one result to compare with".formatted(plan.name(), names));
    }
    return found;
  }

  private int value(int of, long element, int launch) {
    // Mixed as SplittableRandom does it: ranks and places that look alike would hide mistakes.
    long mixed = (of * 0x632BE59BD9B4E019L + launch) * 0x9E3779B97F4A7C15L + element;
    mixed = (mixed ^ mixed >>> 30) * 0xBF58476D1CE4E5B9L;
    mixed = (mixed ^ mixed >>> 27) * 0x94D049BB133111EBL;
    mixed ^= mixed >>> 31;
    return reduction == ReduceOp.PRODUCT
        ? 1 - 2 * (int) (mixed & 1)
        : (int) ((mixed >>> 33) % (2 * MOST + 1)) - MOST;
  }

  void fill(MemorySegment input, int launch) {
    for (long i = 0; i < input.byteSize() / dtype.bytes(); i++) {
      set(input, i, value(rank, i, launch));
    }
  }

  /** Something that no result is, so that what was not written shows. */
  void spoil(MemorySegment output) {
    for (long i = 0; i < output.byteSize() / dtype.bytes(); i++) {
      set(output, i, 99);
    }
  }

  /** The first place where an output is not as it should be; null if there is none. */
  String difference(MemorySegment output, int launch) {
    long elements = isAnything() ? 0 : output.byteSize() / dtype.bytes();
    for (long i = 0; i < elements; i++) {
      double expected = expected(i, elements, launch);
      double found = get(output, i);
      if (found != expected) {
        return "launch %d, rank %d, element %d of %d: %s instead of %s"
            .formatted(launch, rank, i, elements, found, expected);
      }
    }
    return null;
  }

  /** Whether the collective gives this rank nothing. */
  private boolean isAnything() {
    boolean gathers = plan.collective().equals("reduce") || plan.collective().equals("gather");
    return gathers && plan.root().orElseThrow() != rank;
  }

  private double expected(long i, long elements, int launch) {
    int n = plan.ranks().size();
    return switch (plan.collective()) {
      case "allreduce", "reduce" -> folded(i, launch);
      case "reducescatter" -> folded(rank * elements + i, launch);
      case "allgather", "gather" -> {
        long each = elements / n;
        yield value((int) (i / each), i % each, launch);
      }
      case "alltoall" -> {
        long each = elements / n;
        yield value((int) (i / each), rank * each + i % each, launch);
      }
      case "sendrecv" -> value(Math.floorMod(rank - distance(), n), i, launch);
      case "broadcast" -> value(plan.root().orElseThrow(), i, launch);
      case "scatter" -> value(plan.root().orElseThrow(), rank * elements + i, launch);
      default -> throw new IllegalArgumentException("collective " + plan.collective());
    };
  }

  private int distance() {
    if (distance == 0) {
      distance = Prover.distance(plan);
    }
    return distance;
  }

  private double folded(long i, int launch) {
    double result = value(0, i, launch);
    for (int r = 1; r < plan.ranks().size(); r++) {
      double next = value(r, i, launch);
      result =
          switch ((ReduceOp.Standard) reduction) {
            case SUM -> result + next;
            case MIN -> Math.min(result, next);
            case MAX -> Math.max(result, next);
            case PRODUCT -> result * next;
            default -> throw new IllegalArgumentException("reduce op " + reduction.opName());
          };
    }
    return result;
  }

  PlanLayout layout() {
    return layout;
  }

  private void set(MemorySegment memory, long i, int value) {
    switch (dtype) {
      case F64 -> memory.setAtIndex(ValueLayout.JAVA_DOUBLE_UNALIGNED, i, value);
      case F32 -> memory.setAtIndex(ValueLayout.JAVA_FLOAT_UNALIGNED, i, value);
      case F16 ->
          memory.setAtIndex(ValueLayout.JAVA_SHORT_UNALIGNED, i, Float.floatToFloat16(value));
      case BF16 ->
          memory.setAtIndex(
              ValueLayout.JAVA_SHORT_UNALIGNED,
              i,
              (short) (Float.floatToRawIntBits(value) >>> Short.SIZE));
      case I64 -> memory.setAtIndex(ValueLayout.JAVA_LONG_UNALIGNED, i, value);
      case I32 -> memory.setAtIndex(ValueLayout.JAVA_INT_UNALIGNED, i, value);
      case I16 -> memory.setAtIndex(ValueLayout.JAVA_SHORT_UNALIGNED, i, (short) value);
      default -> throw new IllegalArgumentException("a trial of " + dtype);
    }
  }

  private double get(MemorySegment memory, long i) {
    return switch (dtype) {
      case F64 -> memory.getAtIndex(ValueLayout.JAVA_DOUBLE_UNALIGNED, i);
      case F32 -> memory.getAtIndex(ValueLayout.JAVA_FLOAT_UNALIGNED, i);
      case F16 -> Float.float16ToFloat(memory.getAtIndex(ValueLayout.JAVA_SHORT_UNALIGNED, i));
      case BF16 ->
          Float.intBitsToFloat(
              memory.getAtIndex(ValueLayout.JAVA_SHORT_UNALIGNED, i) << Short.SIZE);
      case I64 -> memory.getAtIndex(ValueLayout.JAVA_LONG_UNALIGNED, i);
      case I32 -> memory.getAtIndex(ValueLayout.JAVA_INT_UNALIGNED, i);
      case I16 -> memory.getAtIndex(ValueLayout.JAVA_SHORT_UNALIGNED, i);
      default -> throw new IllegalArgumentException("a trial of " + dtype);
    };
  }
}
