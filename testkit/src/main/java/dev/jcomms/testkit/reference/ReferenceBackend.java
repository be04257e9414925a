package dev.jcomms.testkit.reference;

import dev.jcomms.Collective;
import dev.jcomms.CommMismatchException;
import dev.jcomms.OpOptions;
import dev.jcomms.ReduceOp;
import dev.jcomms.Work;
import dev.jcomms.spi.AbortableBackend;
import dev.jcomms.spi.BackendContext;
import dev.jcomms.spi.Fingerprint;
import dev.jcomms.spi.WindowBackend;
import dev.jcomms.store.Store;
import dev.jcomms.store.StoreException;
import dev.jcomms.tensor.Tensor;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * One rank of the reference: what each operation posts, and what it makes of what all have posted.
 */
final class ReferenceBackend implements AbortableBackend, WindowBackend {
  /** The part that every rank reads; a part for one rank has that rank's number as its name. */
  private static final String ALL = "all";

  private final Store store;
  private final int rank;
  private final int size;
  private final Waits waits;
  private final Rounds rounds;
  private final Letters letters;
  private long windows;

  ReferenceBackend(BackendContext context) {
    this.store = context.store();
    this.rank = context.rank();
    this.size = context.size();
    this.waits = new Waits(store, rank);
    this.rounds = new Rounds("round", store, waits, rank, size);
    this.letters = new Letters(store, waits, rank);
  }

  @Override
  public Set<Class<? extends Collective>> supports() {
    return Collective.kinds().stream()
        .filter(kind -> kind != Collective.MonitoredBarrier.class)
        .collect(Collectors.toSet());
  }

  @Override
  public String transport() {
    return "store";
  }

  @Override
  public Work submit(Collective op, OpOptions options) {
    try {
      return perform(op, Deadline.of(options));
    } catch (StoreException e) {
      throw Waits.meaning(e);
    }
  }

  private Work perform(Collective op, Deadline deadline) {
    letters.settle(Stream.concat(op.inputs().stream(), op.outputs().stream()).toList(), deadline);
    switch (op) {
      case Collective.Send send -> letters.send(send);
      case Collective.Recv recv -> {
        return letters.receive(List.of(recv), deadline);
      }
      case Collective.SendRecvBatch(List<Collective.PointToPoint> parts) -> {
        List<Collective.Recv> receives = new ArrayList<>();
        for (Collective.PointToPoint part : parts) {
          switch (part) {
            case Collective.Send send -> letters.send(send);
            case Collective.Recv recv -> receives.add(recv);
          }
        }
        return letters.receive(receives, deadline);
      }
      default -> collective(op, deadline);
    }
    return Work.completed();
  }

  private void collective(Collective op, Deadline deadline) {
    Rounds.Round round = rounds.begin(Fingerprint.of(op), parts(op), deadline);
    switch (op) {
      case Collective.Broadcast(Tensor tensor, int root) -> copy(round, root, ALL, tensor);
      case Collective.AllReduce(Tensor output, _, ReduceOp redop) ->
          reduce(round, ALL, redop, output);
      case Collective.Reduce(Tensor tensor, int root, ReduceOp redop) -> {
        if (rank == root) {
          reduce(round, ALL, redop, tensor);
        }
      }
      case Collective.AllGather(List<Tensor> outputs, _) -> copyAll(round, ALL, outputs::get);
      case Collective.AllGatherV(List<Tensor> outputs, _) -> copyAll(round, ALL, outputs::get);
      case Collective.AllGatherSingle(Tensor output, _) -> copyAll(round, ALL, sections(output));
      case Collective.ReduceScatter(Tensor output, _, ReduceOp redop) ->
          reduce(round, "" + rank, redop, output);
      case Collective.ReduceScatterV(Tensor output, _, ReduceOp redop) ->
          reduce(round, "" + rank, redop, output);
      case Collective.ReduceScatterSingle(Tensor output, _, ReduceOp redop) ->
          reduce(round, "" + rank, redop, output);
      case Collective.AllToAll(List<Tensor> outputs, _) -> copyAll(round, "" + rank, outputs::get);
      case Collective.AllToAllSingle(Tensor output, _) ->
          copyAll(round, "" + rank, sections(output));
      case Collective.AllToAllVSingle(Tensor output, _, List<Long> splits, _) ->
          copyAll(round, "" + rank, rows(output, splits));
      case Collective.Scatter(Tensor output, _, int root) -> copy(round, root, "" + rank, output);
      case Collective.Gather(List<Tensor> outputs, _, int root) -> {
        if (rank == root) {
          copyAll(round, ALL, outputs::get);
        }
      }
      case Collective.GatherSingle(Tensor output, _, int root) -> {
        if (rank == root) {
          copyAll(round, ALL, sections(output));
        }
      }
      case Collective.Barrier _ -> {}
      case Collective.PointToPoint _, Collective.SendRecvBatch _, Collective.MonitoredBarrier _ ->
          throw new AssertionError(op);
    }
  }

  /** What this rank posts, by name. */
  private Map<String, byte[]> parts(Collective op) {
    return switch (op) {
      case Collective.Broadcast(Tensor tensor, int root) ->
          rank == root ? Map.of(ALL, Bytes.of(tensor)) : Map.of();
      case Collective.AllReduce(_, Tensor input, ReduceOp redop) ->
          Map.of(ALL, NaiveReduction.contribution(input, redop));
      case Collective.Reduce(Tensor tensor, _, ReduceOp redop) ->
          Map.of(ALL, NaiveReduction.contribution(tensor, redop));
      case Collective.AllGather(_, Tensor input) -> Map.of(ALL, Bytes.of(input));
      case Collective.AllGatherV(_, Tensor input) -> Map.of(ALL, Bytes.of(input));
      case Collective.AllGatherSingle(_, Tensor input) -> Map.of(ALL, Bytes.of(input));
      case Collective.Gather(_, Tensor input, _) -> Map.of(ALL, Bytes.of(input));
      case Collective.GatherSingle(_, Tensor input, _) -> Map.of(ALL, Bytes.of(input));
      case Collective.ReduceScatter(_, List<Tensor> inputs, ReduceOp redop) ->
          perRank(r -> NaiveReduction.contribution(inputs.get(r), redop));
      case Collective.ReduceScatterV(_, List<Tensor> inputs, ReduceOp redop) ->
          perRank(r -> NaiveReduction.contribution(inputs.get(r), redop));
      case Collective.ReduceScatterSingle(_, Tensor input, ReduceOp redop) ->
          perRank(r -> NaiveReduction.contribution(sections(input).apply(r), redop));
      case Collective.AllToAll(_, List<Tensor> inputs) -> perRank(r -> Bytes.of(inputs.get(r)));
      case Collective.AllToAllSingle(_, Tensor input) ->
          perRank(r -> Bytes.of(sections(input).apply(r)));
      case Collective.AllToAllVSingle(_, Tensor input, _, List<Long> splits) ->
          perRank(r -> Bytes.of(rows(input, splits).apply(r)));
      case Collective.Scatter(_, List<Tensor> inputs, int root) ->
          rank == root ? perRank(r -> Bytes.of(inputs.get(r))) : Map.of();
      case Collective.Barrier _ -> Map.of();
      case Collective.PointToPoint _, Collective.SendRecvBatch _, Collective.MonitoredBarrier _ ->
          throw new AssertionError(op);
    };
  }

  private Map<String, byte[]> perRank(IntFunction<byte[]> bytes) {
    Map<String, byte[]> parts = new HashMap<>();
    for (int r = 0; r < size; r++) {
      parts.put("" + r, bytes.apply(r));
    }
    return parts;
  }

  private void reduce(Rounds.Round round, String part, ReduceOp redop, Tensor output) {
    List<byte[]> contributions = new ArrayList<>();
    for (int r = 0; r < size; r++) {
      contributions.add(round.part(r, part));
    }
    NaiveReduction.reduce(contributions, redop, output);
  }

  private void copyAll(Rounds.Round round, String part, IntFunction<Tensor> outputs) {
    for (int r = 0; r < size; r++) {
      copy(round, r, part, outputs.apply(r));
    }
  }

  private void copy(Rounds.Round round, int src, String part, Tensor output) {
    byte[] bytes = round.part(src, part);
    if (bytes.length != output.bytes()) {
      // Sizes per pair of ranks are in no fingerprint: they show only here.
      throw new CommMismatchException(
          "rank "
              + src
              + " sends bytes="
              + bytes.length
              + ", rank "
              + rank
              + " expects bytes="
              + output.bytes(),
          Set.of(src));
    }
    Bytes.write(output, bytes);
  }

  private IntFunction<Tensor> sections(Tensor tensor) {
    Tensor flat = tensor.flatten();
    long each = flat.elements() / size;
    return r -> flat.narrow(0, r * each, each);
  }

  private static IntFunction<Tensor> rows(Tensor tensor, List<Long> splits) {
    Tensor rows = tensor.shape().dims() == 0 ? tensor.flatten() : tensor;
    return r ->
        rows.narrow(0, splits.subList(0, r).stream().mapToLong(n -> n).sum(), splits.get(r));
  }

  @Override
  public RegisteredWindow register(Tensor tensor, OpOptions options) {
    String key;
    synchronized (this) {
      key = "window/" + windows++;
    }
    return new StoreWindow(key, store, waits, rank, size, tensor, Deadline.of(options));
  }

  @Override
  public void abort(String reason) {
    waits.abort(reason);
  }

  /** The last to close leaves nothing behind. */
  @Override
  public void close() {
    try {
      if (store.add("closed", 1) == size) {
        store.listKeys().forEach(store::delete);
      }
    } catch (StoreException | IllegalStateException e) {
      // The store has gone, or cannot list its keys: nobody will miss them.
    }
  }
}
