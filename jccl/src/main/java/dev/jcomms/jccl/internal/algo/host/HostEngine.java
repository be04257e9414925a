package dev.jcomms.jccl.internal.algo.host;

import dev.jcomms.Collective;
import dev.jcomms.OpOptions;
import dev.jcomms.ReduceOp;
import dev.jcomms.jccl.internal.algo.Engine;
import dev.jcomms.jccl.internal.reduce.Reducer;
import dev.jcomms.jccl.internal.reduce.Reducers;
import dev.jcomms.jccl.internal.reduce.Terms;
import dev.jcomms.jccl.internal.transport.Deadline;
import dev.jcomms.jccl.internal.transport.Facts;
import dev.jcomms.jccl.internal.transport.shm.Floor;
import dev.jcomms.jccl.internal.transport.shm.HostMemory;
import dev.jcomms.jccl.internal.transport.shm.SymmetricMemory;
import dev.jcomms.tensor.Tensor;
import java.lang.foreign.MemorySegment;

/**
 * Collectives among the ranks of one host: takes operations apart and gives each to the algorithm
 * its size calls for.
 */
public final class HostEngine implements Engine {
  private final Floor floor;
  private final SymmetricMemory symmetric;
  private final boolean local;
  private final FlatReduce flatReduce;
  private final StagedReduce stagedReduce;
  private final DirectReduce directReduce;
  private final StagedMove stagedMove;
  private final DirectMove directMove;
  private final StagedReduceScatter stagedReduceScatter;
  private final DirectReduceScatter directReduceScatter;
  private volatile HostSelector last = HostSelector.FLAT;

  public HostEngine(Floor floor, HostMemory memory, SymmetricMemory symmetric) {
    this.floor = floor;
    this.symmetric = symmetric;
    this.local = memory.shown() != null;
    Reach reach =
        local ? new LocalReach(memory.shown(), floor.rank()) : new SymmetricReach(symmetric);
    Terms terms = new Terms();
    this.flatReduce = new FlatReduce(floor, terms);
    this.stagedReduce = new StagedReduce(floor, terms);
    this.directReduce = new DirectReduce(floor, terms, reach);
    this.stagedMove = new StagedMove(floor);
    this.directMove = new DirectMove(floor, reach);
    this.stagedReduceScatter = new StagedReduceScatter(floor, terms);
    this.directReduceScatter = new DirectReduceScatter(floor, terms, reach);
  }

  @Override
  public int rank() {
    return floor.rank();
  }

  @Override
  public int size() {
    return floor.size();
  }

  @Override
  public void perform(Collective op, OpOptions options, Deadline deadline) {
    Turn turn = new Turn(floor, Facts.head(op, options), Facts.count(op), deadline);
    switch (op) {
      case Collective.AllReduce(Tensor output, Tensor input, ReduceOp redop) ->
          reduce(Fold.of(input, output, redop, Fold.ALL), options, turn);
      case Collective.Reduce(Tensor tensor, int root, ReduceOp redop) ->
          reduce(Fold.of(tensor, floor.rank() == root ? tensor : null, redop, root), options, turn);
      case Collective.ReduceScatter(Tensor output, _, ReduceOp redop) ->
          reduceScatter(op, output, redop, options, turn);
      case Collective.ReduceScatterV(Tensor output, _, ReduceOp redop) ->
          reduceScatter(op, output, redop, options, turn);
      case Collective.ReduceScatterSingle(Tensor output, _, ReduceOp redop) ->
          reduceScatter(op, output, redop, options, turn);
      case Collective.Barrier _ -> turn.part();
      default -> move(op, options, turn);
    }
  }

  private void reduce(Fold fold, OpOptions options, Turn turn) {
    HostSelector choice = select(options, fold.bytes());
    if (choice == HostSelector.FLAT) {
      flatReduce.run(fold, turn);
    } else if (choice == HostSelector.STAGED || !directReduce.run(fold, turn)) {
      stagedReduce.run(fold, turn);
    }
  }

  private void reduceScatter(
      Collective op, Tensor output, ReduceOp redop, OpOptions options, Turn turn) {
    Move move = Move.of(op, floor.rank(), floor.size());
    Reducer reducer = Reducers.of(output.dtype(), redop);
    double factor = Fold.factor(redop);
    MemorySegment target = output.segment();
    boolean direct = select(options, move.largest()) == HostSelector.DIRECT;
    if (!direct || !directReduceScatter.run(move, target, reducer, factor, turn)) {
      stagedReduceScatter.run(move, target, reducer, factor, turn);
    }
  }

  private void move(Collective op, OpOptions options, Turn turn) {
    Move move = Move.of(op, floor.rank(), floor.size());
    boolean direct = select(options, move.largest()) == HostSelector.DIRECT;
    if (!direct || !directMove.run(move, turn)) {
      stagedMove.run(move, turn);
    }
  }

  private HostSelector select(OpOptions options, long bytes) {
    boolean reachable = local || !symmetric.isEmpty();
    return last = HostSelector.select(options, bytes, floor.stageBytes(), reachable);
  }

  @Override
  public boolean wasPrompt() {
    return floor.wasPrompt() && last == HostSelector.FLAT;
  }

  /** The one used last: it is asked for after the operation, in its turn. */
  @Override
  public String algorithm(Collective op, OpOptions options) {
    return last.label();
  }

  /** The memory is its maker's to free. */
  @Override
  public void close() {
    floor.leave();
  }
}
