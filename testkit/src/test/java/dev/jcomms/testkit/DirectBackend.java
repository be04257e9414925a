package dev.jcomms.testkit;

import dev.jcomms.Collective;
import dev.jcomms.CommMismatchException;
import dev.jcomms.OpOptions;
import dev.jcomms.ReduceOp;
import dev.jcomms.Work;
import dev.jcomms.fake.FakeProvider;
import dev.jcomms.spi.BackendContext;
import dev.jcomms.spi.BackendProvider;
import dev.jcomms.spi.Fingerprint;
import dev.jcomms.spi.SymmetricBackend;
import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Storage;
import dev.jcomms.tensor.Tensor;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * A backend as somebody else might write it, in a different way from the reference at every turn:
 * threads that read each other's tensors, everything done inside {@code submit}, sends that wait
 * for their receive, no capability but symmetric memory, sums from the last rank to the first.
 */
final class DirectBackend implements SymmetricBackend {
  private record Letter(int src, int dst, int tag, Tensor tensor) {}

  private final int rank;
  private final int size;
  private final Table table;
  private final Arena memory = Arena.ofShared();
  private long rounds;

  private DirectBackend(BackendContext context) {
    this.rank = context.rank();
    this.size = context.size();
    if (rank == 0) {
      context.store().set("table", UUID.randomUUID().toString().getBytes());
    }
    this.table = Table.named(new String(context.store().get("table", context.timeout())), size);
  }

  static BackendProvider provider() {
    return new FakeProvider(DirectBackend::new);
  }

  @Override
  public Set<Class<? extends Collective>> supports() {
    return Collective.kinds().stream()
        .filter(kind -> kind != Collective.MonitoredBarrier.class)
        .collect(Collectors.toSet());
  }

  @Override
  public void close() {
    memory.close();
  }

  /** Any memory will do: the ranks are threads, and reach all of it. */
  @Override
  public Tensor symmetric(DType dtype, Shape shape, OpOptions options) {
    Fingerprint mine = Fingerprint.symmetric(dtype, shape);
    Object[] all = table.exchange(rounds++, rank, mine, options.timeout().orElseThrow());
    for (int r = 0; r < size; r++) {
      mine.requireSame(rank, r, fingerprint(all[r]));
    }
    MemorySegment segment = memory.allocate(shape.elements() * dtype.bytes(), 64);
    return Tensor.over(Storage.of(segment), dtype, shape);
  }

  @Override
  public Work submit(Collective op, OpOptions options) {
    Duration timeout = options.timeout().orElseThrow();
    switch (op) {
      case Collective.PointToPoint one -> letters(List.of(one), timeout);
      case Collective.SendRecvBatch(var ops) -> letters(ops, timeout);
      default -> collective(op, timeout);
    }
    return Work.completed();
  }

  private void letters(List<Collective.PointToPoint> ops, Duration timeout) {
    List<Letter> sent = new ArrayList<>();
    for (Collective.PointToPoint op : ops) {
      if (op instanceof Collective.Send(Tensor tensor, int dst, int tag)) {
        // What is sent may be what is received into, before it was taken.
        sent.add(new Letter(rank, dst, tag, ops.size() > 1 ? tensor.copy() : tensor));
        table.post(sent.getLast());
      }
    }
    for (Collective.PointToPoint op : ops) {
      if (op instanceof Collective.Recv(Tensor tensor, int src, int tag)) {
        Letter letter =
            table.find(
                Letter.class,
                l -> l.src() == src && l.dst() == rank && l.tag() == tag,
                src,
                timeout);
        fits(src, letter.tensor(), tensor);
        tensor.flatten().copyFrom(letter.tensor().flatten());
        table.take(letter);
      }
    }
    for (Letter letter : sent) {
      table.awaitTaken(letter, letter.dst(), timeout);
    }
  }

  private void fits(int src, Tensor theirs, Tensor mine) {
    if (theirs.dtype() != mine.dtype() || theirs.elements() != mine.elements()) {
      throw new CommMismatchException(
          "rank "
              + src
              + " has "
              + theirs.elements()
              + " x "
              + theirs.dtype()
              + ", rank "
              + rank
              + " has "
              + mine.elements()
              + " x "
              + mine.dtype(),
          Set.of(src));
    }
  }

  private void collective(Collective op, Duration timeout) {
    Object[] all = table.exchange(rounds++, rank, op, timeout);
    Collective[] ops = new Collective[size];
    for (int r = 0; r < size; r++) {
      Fingerprint.of(op).requireSame(rank, r, fingerprint(all[r]));
      ops[r] = (Collective) all[r];
    }
    List<Tensor> outputs = new ArrayList<>();
    List<Tensor> results = new ArrayList<>();
    compute(op, ops, outputs, results);
    // All have read before anybody writes: what is written may be what another reads.
    table.exchange(rounds++, rank, true, timeout);
    for (int i = 0; i < outputs.size(); i++) {
      outputs.get(i).flatten().copyFrom(results.get(i).flatten());
    }
  }

  private static Fingerprint fingerprint(Object laid) {
    return laid instanceof Collective op ? Fingerprint.of(op) : (Fingerprint) laid;
  }

  /** The tensors to write, and what is to be in them. */
  private void compute(
      Collective op, Collective[] ops, List<Tensor> outputs, List<Tensor> results) {
    switch (op) {
      case Collective.Broadcast(Tensor tensor, int root) -> {
        outputs.add(tensor);
        results.add(ops[root].inputs().getFirst().copy());
      }
      case Collective.AllReduce(Tensor output, _, _) -> {
        outputs.add(output);
        results.add(reduced(ops, 0, 1));
      }
      case Collective.Reduce(Tensor tensor, int root, _) -> {
        if (rank == root) {
          outputs.add(tensor);
          results.add(reduced(ops, 0, 1));
        }
      }
      case Collective.ReduceScatter(Tensor output, _, _) -> {
        outputs.add(output);
        results.add(reduced(ops, rank, 1));
      }
      case Collective.ReduceScatterV(Tensor output, _, _) -> {
        outputs.add(output);
        results.add(reduced(ops, rank, 1));
      }
      case Collective.ReduceScatterSingle(Tensor output, _, _) -> {
        outputs.add(output);
        results.add(reduced(ops, rank, size));
      }
      case Collective.AllGather(List<Tensor> tensors, _) -> gather(tensors, ops, outputs, results);
      case Collective.AllGatherV(List<Tensor> tensors, _) -> gather(tensors, ops, outputs, results);
      case Collective.AllGatherSingle(Tensor output, _) ->
          gather(sections(output), ops, outputs, results);
      case Collective.Gather(List<Tensor> tensors, _, int root) -> {
        if (rank == root) {
          gather(tensors, ops, outputs, results);
        }
      }
      case Collective.GatherSingle(Tensor output, _, int root) -> {
        if (rank == root) {
          gather(sections(output), ops, outputs, results);
        }
      }
      case Collective.Scatter(Tensor output, _, int root) -> {
        outputs.add(output);
        results.add(ops[root].inputs().get(rank).copy());
      }
      case Collective.AllToAll(List<Tensor> tensors, _) -> {
        for (int r = 0; r < size; r++) {
          Tensor theirs = ops[r].inputs().get(rank);
          fits(r, theirs, tensors.get(r));
          outputs.add(tensors.get(r));
          results.add(theirs.copy());
        }
      }
      case Collective.AllToAllSingle(Tensor output, _) -> {
        for (int r = 0; r < size; r++) {
          outputs.add(sections(output).get(r));
          results.add(sections(ops[r].inputs().getFirst()).get(rank).copy());
        }
      }
      case Collective.AllToAllVSingle mine -> {
        long row = 0;
        for (int r = 0; r < size; r++) {
          Collective.AllToAllVSingle theirs = (Collective.AllToAllVSingle) ops[r];
          long start = theirs.inputSplits().subList(0, rank).stream().mapToLong(n -> n).sum();
          outputs.add(mine.output().narrow(0, row, mine.outputSplits().get(r)));
          results.add(theirs.input().narrow(0, start, theirs.inputSplits().get(rank)).copy());
          fits(r, results.getLast(), outputs.getLast());
          row += mine.outputSplits().get(r);
        }
      }
      case Collective.Barrier _ -> {}
      case Collective.PointToPoint _, Collective.SendRecvBatch _, Collective.MonitoredBarrier _ ->
          throw new AssertionError(op);
    }
  }

  private void gather(
      List<Tensor> tensors, Collective[] ops, List<Tensor> outputs, List<Tensor> results) {
    for (int r = 0; r < size; r++) {
      outputs.add(tensors.get(r));
      results.add(ops[r].inputs().getFirst().copy());
    }
  }

  private List<Tensor> sections(Tensor tensor) {
    return sections(tensor, size);
  }

  private static List<Tensor> sections(Tensor tensor, int parts) {
    long each = tensor.elements() / parts;
    List<Tensor> sections = new ArrayList<>();
    for (int r = 0; r < parts; r++) {
      sections.add(tensor.flatten().narrow(0, r * each, each));
    }
    return sections;
  }

  /** The reduction of one input of all ranks, or of one section of it, from the last rank down. */
  private Tensor reduced(Collective[] ops, int which, int parts) {
    ReduceOp op = ((Collective.Reduction) ops[rank]).op();
    Tensor acc = null;
    for (int r = size - 1; r >= 0; r--) {
      List<Tensor> inputs = ops[r].inputs();
      Tensor mine = parts == 1 ? inputs.get(which) : sections(inputs.getFirst(), parts).get(which);
      Tensor term = Tensor.empty(wide(mine.dtype()), Shape.of(mine.elements()));
      term.copyFrom(mine.flatten());
      if (((Collective.Reduction) ops[r]).op() instanceof ReduceOp.PremulSum(double factor)) {
        for (long i = 0; i < term.elements(); i++) {
          term.setDouble(term.getDouble(i) * factor, i);
        }
      }
      if (acc == null) {
        acc = term;
      } else {
        combine(acc, term, op);
      }
    }
    for (long i = 0; op == ReduceOp.AVG && i < acc.elements(); i++) {
      if (acc.dtype().isFloating()) {
        acc.setDouble(acc.getDouble(i) * (1.0 / size), i);
      } else {
        acc.setLong(acc.getLong(i) / size, i);
      }
    }
    return acc;
  }

  private static DType wide(DType dtype) {
    return dtype.isFloating() ? (dtype == DType.F64 ? DType.F64 : DType.F32) : DType.I64;
  }

  private static void combine(Tensor acc, Tensor term, ReduceOp op) {
    for (long i = 0; i < acc.elements(); i++) {
      if (acc.dtype().isFloating()) {
        double a = acc.getDouble(i);
        double b = term.getDouble(i);
        acc.setDouble(
            switch (op.opName()) {
              case "product" -> a * b;
              case "min" -> Math.min(a, b);
              case "max" -> Math.max(a, b);
              default -> a + b;
            },
            i);
      } else {
        long a = acc.getLong(i);
        long b = term.getLong(i);
        acc.setLong(
            switch (op.opName()) {
              case "product" -> a * b;
              case "min" -> Math.min(a, b);
              case "max" -> Math.max(a, b);
              case "band" -> a & b;
              case "bor" -> a | b;
              case "bxor" -> a ^ b;
              default -> a + b;
            },
            i);
      }
    }
  }
}
