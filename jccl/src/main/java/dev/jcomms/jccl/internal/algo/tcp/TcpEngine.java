package dev.jcomms.jccl.internal.algo.tcp;

import dev.jcomms.Collective;
import dev.jcomms.OpOptions;
import dev.jcomms.ReduceOp;
import dev.jcomms.jccl.internal.algo.Engine;
import dev.jcomms.jccl.internal.transport.Deadline;
import dev.jcomms.jccl.internal.transport.Facts;
import dev.jcomms.jccl.internal.transport.tcp.Lines;
import dev.jcomms.tensor.Tensor;

/** Collectives among ranks that are reached by TCP. */
public final class TcpEngine implements Engine {
  private final Lines lines;
  private final Workspace space = new Workspace();

  /** An engine over lines, which it closes. */
  public TcpEngine(Lines lines) {
    this.lines = lines;
  }

  @Override
  public int rank() {
    return lines.rank();
  }

  @Override
  public int size() {
    return lines.size();
  }

  @Override
  public void perform(Collective op, OpOptions options, Deadline deadline) {
    Plan<?> plan = plan(op, options);
    lines.operation(
        Facts.head(op, options), Facts.count(op), deadline, () -> plan.run(lines, space));
  }

  @Override
  public String algorithm(Collective op, OpOptions options) {
    return plan(op, options).algorithm.name();
  }

  /** A task and the algorithm for it. */
  private record Plan<T>(T task, MessageAlgorithm<T> algorithm) {
    static <T> Plan<T> of(Menu<T> menu, T task, long bytes, int ranks, OpOptions options) {
      String named = options.hints().get("algorithm");
      return new Plan<>(task, menu.choose(task, bytes, ranks, named));
    }

    void run(Lines lines, Workspace space) {
      algorithm.run(task, lines, space);
    }
  }

  private Plan<?> plan(Collective op, OpOptions options) {
    return switch (op) {
      case Collective.AllReduce(Tensor output, Tensor input, ReduceOp redop) ->
          Plan.of(
              Menus.ALL_REDUCE,
              Reduction.of(output, input, redop, -1),
              input.bytes(),
              size(),
              options);
      default -> throw new AssertionError(op);
    };
  }

  @Override
  public void close() {
    lines.close();
    space.close();
  }
}
