package dev.jcomms.jccl.internal.tune;

import dev.jcomms.Collective;
import dev.jcomms.ReduceOp;
import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Tensor;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongToDoubleFunction;

/**
 * One collective of one size on one rank, ready to run and to be looked at afterwards. Elements are
 * small whole numbers that tell the rank and the position, so that every dtype holds their
 * reductions exactly. One thread.
 */
final class Exercise {
  /** Values repeat after so many positions; no section of a power of two is a multiple. */
  private static final int PERIOD = 7;

  private final String collective;
  private final int rank;
  private final int ranks;
  private final ReduceOp op;
  private final long section;
  private final Tensor input;
  private final Tensor output;
  private final Collective operation;
  private final List<Collective> forms;
  private final List<Tensor> outputs;
  private final long bytes;

  Exercise(String collective, long wanted, Memory memory, ReduceOp op, int rank, int ranks) {
    DType dtype = memory.dtype();
    this.collective = collective;
    this.rank = rank;
    this.ranks = ranks;
    this.op = op;
    boolean whole = List.of("all_reduce", "reduce", "broadcast").contains(collective);
    this.section = Math.max(1, wanted / (dtype.bytes() * (whole ? 1L : ranks)));
    this.bytes = collective.equals("barrier") ? 0 : section * dtype.bytes() * (whole ? 1 : ranks);
    this.input = memory.input(section * sections("reduce_scatter all_to_all scatter"));
    this.output = whole ? input : memory.output(section * sections("all_gather all_to_all gather"));
    this.operation = make();
    if (collective.equals("all_reduce")) {
      Tensor apart = memory.output(section);
      this.forms = List.of(operation, new Collective.AllReduce(apart, input, op));
      this.outputs = List.of(output, apart);
    } else {
      this.forms = List.of(operation);
      this.outputs = List.of(output);
    }
  }

  private long sections(String ofCollectives) {
    return List.of(ofCollectives.split(" ")).contains(collective) ? ranks : 1;
  }

  private Collective make() {
    return switch (collective) {
      case "all_reduce" -> new Collective.AllReduce(output, input, op);
      case "reduce" -> new Collective.Reduce(output, 0, op);
      case "broadcast" -> new Collective.Broadcast(output, 0);
      case "all_gather" -> new Collective.AllGatherSingle(output, input);
      case "reduce_scatter" -> new Collective.ReduceScatterSingle(output, input, op);
      case "all_to_all" -> new Collective.AllToAllSingle(output, input);
      case "gather" -> new Collective.GatherSingle(output, input, 0);
      case "scatter" -> {
        List<Tensor> parts = new ArrayList<>();
        for (int r = 0; r < ranks; r++) {
          parts.add(input.narrow(0, r * section, section));
        }
        yield new Collective.Scatter(output, parts, 0);
      }
      case "barrier" -> new Collective.Barrier();
      default -> throw new IllegalArgumentException("no collective '" + collective + "'");
    };
  }

  Collective operation() {
    return operation;
  }

  /** What is timed: in place, as gradients are, and out of place, which may prefer another way. */
  List<Collective> forms() {
    return forms;
  }

  /** Of the whole buffer: what was wanted, in whole elements. */
  long bytes() {
    return bytes;
  }

  /** Numbers that tell; what only comes out is zero before. */
  void fill() {
    outputs.forEach(Tensor::zero);
    write(input, 0, input.elements(), i -> value(rank, i));
  }

  /** Zeros, which stay zeros however often they are reduced. */
  void clear() {
    outputs.forEach(Tensor::zero);
    input.zero();
  }

  /** How many elements are not what they must be, of all forms. */
  long wrong() {
    boolean mine =
        switch (collective) {
          case "barrier" -> false;
          case "reduce", "gather" -> rank == 0;
          default -> true;
        };
    if (!mine) {
      return 0;
    }
    Tensor expected = Tensor.zeros(output.dtype(), output.shape());
    for (long at = 0; at < output.elements(); at += section) {
      int part = (int) (at / section);
      write(expected, at, section, i -> expected(part, i));
    }
    return outputs.stream().mapToLong(found -> wrong(found, expected)).sum();
  }

  private static long wrong(Tensor found, Tensor expected) {
    if (found.segment().mismatch(expected.segment()) < 0) {
      return 0;
    }
    long wrong = 0;
    for (long i = 0; i < found.elements(); i++) {
      wrong += found.getDouble(i) == expected.getDouble(i) ? 0 : 1;
    }
    return wrong;
  }

  /** An element of a section of the output. */
  private double expected(int part, long i) {
    return switch (collective) {
      case "all_reduce", "reduce" -> reduced(i);
      case "reduce_scatter" -> reduced(rank * section + i);
      case "broadcast" -> value(0, i);
      case "scatter" -> value(0, rank * section + i);
      case "all_gather", "gather" -> value(part, i);
      case "all_to_all" -> value(part, rank * section + i);
      default -> throw new AssertionError(collective);
    };
  }

  /** Writes elements that repeat: the first few one by one, the rest as copies of them. */
  private static void write(Tensor to, long at, long count, LongToDoubleFunction value) {
    long done = Math.min(count, PERIOD);
    for (long i = 0; i < done; i++) {
      to.set(value.applyAsDouble(i), at + i);
    }
    int unit = to.dtype().bytes();
    MemorySegment memory = to.segment().asSlice(at * unit, count * unit);
    while (done < count) {
      long more = Math.min(done, count - done);
      MemorySegment.copy(memory, 0, memory, done * unit, more * unit);
      done += more;
    }
  }

  private static double value(int rank, long position) {
    return 1 + (position + 3L * rank) % PERIOD % 2;
  }

  private double reduced(long position) {
    double result = value(0, position);
    for (int r = 1; r < ranks; r++) {
      double next = value(r, position);
      result =
          switch (op) {
            case ReduceOp.Standard.PRODUCT -> result * next;
            case ReduceOp.Standard.MIN -> Math.min(result, next);
            case ReduceOp.Standard.MAX -> Math.max(result, next);
            default -> result + next;
          };
    }
    return result;
  }
}
