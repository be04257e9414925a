package dev.jcomms.jccl.internal.algo.tcp;

import dev.jcomms.Collective;
import dev.jcomms.OpOptions;
import dev.jcomms.ReduceOp;
import dev.jcomms.jccl.internal.algo.Engine;
import dev.jcomms.jccl.internal.algo.message.AllToAllTask;
import dev.jcomms.jccl.internal.algo.message.Arithmetic;
import dev.jcomms.jccl.internal.algo.message.BarrierTask;
import dev.jcomms.jccl.internal.algo.message.Blocks;
import dev.jcomms.jccl.internal.algo.message.BroadcastTask;
import dev.jcomms.jccl.internal.algo.message.GatherTask;
import dev.jcomms.jccl.internal.algo.message.MessageAlgorithm;
import dev.jcomms.jccl.internal.algo.message.ReduceScatterTask;
import dev.jcomms.jccl.internal.algo.message.ReduceTask;
import dev.jcomms.jccl.internal.algo.message.ScatterTask;
import dev.jcomms.jccl.internal.algo.message.Task;
import dev.jcomms.jccl.internal.algo.message.Workspace;
import dev.jcomms.jccl.internal.transport.Deadline;
import dev.jcomms.jccl.internal.transport.Facts;
import dev.jcomms.jccl.internal.transport.UserMemory;
import dev.jcomms.jccl.internal.transport.Uses;
import dev.jcomms.jccl.internal.transport.tcp.Lines;
import dev.jcomms.jccl.internal.transport.tcp.TcpFabric;
import dev.jcomms.tensor.Tensor;
import java.util.List;
import java.util.stream.Stream;

/**
 * Collectives among ranks that are reached by TCP. An operation becomes a task, its {@link Menu}
 * chooses an algorithm, and that runs on the calling thread.
 */
public final class TcpEngine implements Engine {
  /**
   * Less than this is not worth a lane of its own: short bursts on many connections are held back
   * by congestion control, which has learnt little of each.
   */
  private static final long LANE_BYTES = 4 << 20;

  /** From so many bytes a rank on each way has a connection of its own. */
  private static final long APART_BYTES = 32 << 10;

  /** Lines of one engine differ in this, the engines themselves in the bits below. */
  private static final int LANE_BIT = 24;

  private final Lanes lanes;

  /**
   * An engine among some ranks, this one among them.
   *
   * @param group a number of its own for each engine of the fabric, the same on all its ranks
   * @param ranks in the order in which the engine counts them
   */
  public TcpEngine(TcpFabric fabric, int group, List<Integer> ranks) {
    this.lanes = new Lanes(lane -> fabric.lines(lane << LANE_BIT | group, ranks), fabric.lanes());
  }

  @Override
  public int rank() {
    return lanes.first().rank();
  }

  @Override
  public int size() {
    return lanes.first().size();
  }

  @Override
  public void perform(Collective op, OpOptions options, Deadline deadline) {
    Plan<?> plan = plan(op, options);
    deadline.begun();
    if (size() == 1) {
      Alone.perform(op);
      return;
    }
    Plan<?> mine = plan.parts > 1 && isOfOneThread(op) ? plan.onOneThread() : plan;
    lanes.operation(mine.parts, Facts.head(op, options), Facts.count(op), deadline, mine);
  }

  private boolean isOfOneThread(Collective op) {
    Uses uses = Uses.of(op, rank());
    return Stream.concat(uses.reads().stream(), uses.writes().stream())
        .anyMatch(tensor -> !UserMemory.isEverybodys(tensor.segment()));
  }

  @Override
  public void agree(long head, long count, Deadline deadline) {
    if (size() > 1) {
      Plan<?> barrier = plan(new Collective.Barrier(), OpOptions.DEFAULT);
      lanes.operation(barrier.parts, head, count, deadline, barrier);
    }
  }

  @Override
  public String algorithm(Collective op, OpOptions options) {
    return plan(op, options).algorithm.name();
  }

  /** A task, the algorithm for it, and how many parts of it are done side by side. */
  private record Plan<T extends Task<T>>(
      T task, MessageAlgorithm<T> algorithm, int parts, boolean apart, boolean isOfOneThread)
      implements Lanes.Work {
    Plan<T> onOneThread() {
      return new Plan<>(task, algorithm, parts, apart, true);
    }

    @Override
    public void run(int part, Lines lines, Workspace space) {
      algorithm.run(parts == 1 ? task : task.part(part, parts), lines, space);
    }
  }

  private <T extends Task<T>> Plan<T> choose(Menu<T> menu, T task, long bytes, OpOptions options) {
    String named = options.hints().get("algorithm");
    MessageAlgorithm<T> algorithm = menu.choose(task, bytes, size(), named);
    int parts = Math.clamp(bytes / LANE_BYTES, 1, lanes.most());
    return new Plan<>(task, algorithm, parts, bytes >= APART_BYTES * size(), false);
  }

  private Plan<?> plan(Collective op, OpOptions options) {
    return switch (op) {
      case Collective.AllReduce(Tensor output, Tensor input, ReduceOp redop) -> {
        ReduceTask task = ReduceTask.of(output, input, redop, -1);
        yield choose(Menus.ALL_REDUCE, task, input.bytes(), options);
      }
      case Collective.Reduce(Tensor tensor, int root, ReduceOp redop) -> {
        ReduceTask task = ReduceTask.of(root == rank() ? tensor : null, tensor, redop, root);
        yield choose(Menus.REDUCE, task, tensor.bytes(), options);
      }
      case Collective.Broadcast(Tensor tensor, int root) -> {
        BroadcastTask task = new BroadcastTask(tensor.segment(), tensor.bytes(), root);
        yield choose(Menus.BROADCAST, task, tensor.bytes(), options);
      }
      case Collective.AllGather(List<Tensor> outputs, Tensor input) ->
          allGather(Blocks.of(outputs), input, true, options);
      case Collective.AllGatherV(List<Tensor> outputs, Tensor input) ->
          allGather(Blocks.of(outputs), input, false, options);
      case Collective.AllGatherSingle(Tensor output, Tensor input) ->
          allGather(Blocks.sections(output, size()), input, true, options);
      case Collective.ReduceScatter(Tensor output, List<Tensor> inputs, ReduceOp redop) ->
          reduceScatter(output, Blocks.of(inputs), redop, options);
      case Collective.ReduceScatterV(Tensor output, List<Tensor> inputs, ReduceOp redop) ->
          reduceScatter(output, Blocks.of(inputs), redop, options);
      case Collective.ReduceScatterSingle(Tensor output, Tensor input, ReduceOp redop) ->
          reduceScatter(output, Blocks.sections(input, size()), redop, options);
      case Collective.AllToAll(List<Tensor> outputs, List<Tensor> inputs) ->
          allToAll(Blocks.of(outputs), Blocks.of(inputs), false, options);
      case Collective.AllToAllSingle(Tensor output, Tensor input) ->
          allToAll(Blocks.sections(output, size()), Blocks.sections(input, size()), true, options);
      case Collective.AllToAllVSingle(
              Tensor output,
              Tensor input,
              List<Long> outputRows,
              List<Long> inputRows) ->
          allToAll(Blocks.rows(output, outputRows), Blocks.rows(input, inputRows), false, options);
      case Collective.Gather(List<Tensor> outputs, Tensor input, int root) ->
          gather(root == rank() ? Blocks.of(outputs) : null, input, root, options);
      case Collective.GatherSingle(Tensor output, Tensor input, int root) ->
          gather(root == rank() ? Blocks.sections(output, size()) : null, input, root, options);
      case Collective.Scatter(Tensor output, List<Tensor> inputs, int root) -> {
        Blocks blocks = root == rank() ? Blocks.of(inputs) : null;
        ScatterTask task = new ScatterTask(blocks, output.segment(), output.bytes(), root);
        yield choose(Menus.SCATTER, task, size() * output.bytes(), options);
      }
      case Collective.Barrier() -> choose(Menus.BARRIER, new BarrierTask(), 0, options);
      case Collective.PointToPoint _, Collective.SendRecvBatch _, Collective.MonitoredBarrier _ ->
          throw new IllegalArgumentException(op.opName() + " is not an engine's to perform");
    };
  }

  private Plan<?> allGather(Blocks outputs, Tensor input, boolean equal, OpOptions options) {
    GatherTask task = new GatherTask(outputs, input.segment(), input.bytes(), equal, -1);
    return choose(Menus.ALL_GATHER, task, outputs.total(), options);
  }

  private Plan<?> gather(Blocks outputs, Tensor input, int root, OpOptions options) {
    GatherTask task = new GatherTask(outputs, input.segment(), input.bytes(), true, root);
    return choose(Menus.GATHER, task, size() * input.bytes(), options);
  }

  private Plan<?> reduceScatter(Tensor output, Blocks inputs, ReduceOp redop, OpOptions options) {
    Arithmetic arithmetic = Arithmetic.of(output.dtype(), redop);
    ReduceScatterTask task = new ReduceScatterTask(inputs, output.segment(), 0, rank(), arithmetic);
    return choose(Menus.REDUCE_SCATTER, task, inputs.total(), options);
  }

  /** Ranks need not agree on sizes, so the choice looks at them only where they must. */
  private Plan<?> allToAll(Blocks outputs, Blocks inputs, boolean equal, OpOptions options) {
    AllToAllTask task = new AllToAllTask(outputs, inputs, equal);
    return choose(Menus.ALL_TO_ALL, task, equal ? inputs.total() : 0, options);
  }

  @Override
  public void close() {
    lanes.close();
  }
}
