package dev.jcomms.jccl.internal.algo;

import dev.jcomms.Collective;
import dev.jcomms.OpOptions;
import dev.jcomms.ReduceOp;
import dev.jcomms.jccl.Selector.Transport;
import dev.jcomms.jccl.TuningRule.Row;
import dev.jcomms.jccl.TuningTable;
import dev.jcomms.jccl.internal.reduce.Reducer;
import dev.jcomms.jccl.internal.reduce.Reducers;
import dev.jcomms.jccl.internal.transport.Deadline;
import dev.jcomms.jccl.internal.transport.Facts;
import dev.jcomms.jccl.internal.transport.tcp.RollCall;
import dev.jcomms.tensor.Tensor;
import java.util.List;

/**
 * Collectives among several hosts with several ranks each: inside the host first, then between one
 * leader a host, then inside the host again.
 *
 * <p>An all-reduce so sends over the network what one rank a host would send, {@code 2B(1-1/h)}
 * bytes a host with {@code h} hosts, whatever the number of ranks. Operations that bring every rank
 * something else (gathers, scatters, all-to-alls) gain nothing by it and go between all ranks
 * directly.
 */
public final class TwoLevelEngine implements Engine {
  private static final String NAME = "two_level";

  private final List<List<Integer>> hosts;
  private final int rank;
  private final Engine host;
  private final Engine leaders;
  private final Engine flat;
  private final RollCall rollCall;
  private final Partials partials = new Partials();

  /**
   * @param hosts every host's ranks, in the order of their first ranks
   * @param host among the ranks of this rank's host
   * @param leaders among the first ranks of all hosts; null if this is none of them
   * @param flat among all ranks
   * @param rollCall of all ranks
   */
  public TwoLevelEngine(
      List<List<Integer>> hosts,
      int rank,
      Engine host,
      Engine leaders,
      Engine flat,
      RollCall rollCall) {
    this.hosts = hosts;
    this.rank = rank;
    this.host = host;
    this.leaders = leaders;
    this.flat = flat;
    this.rollCall = rollCall;
  }

  @Override
  public int rank() {
    return rank;
  }

  @Override
  public int size() {
    return flat.size();
  }

  @Override
  public void perform(Collective op, OpOptions options, Deadline deadline) {
    // The parts choose by themselves: a name forced for the whole means something else to them.
    OpOptions free = options.hints().isEmpty() ? options : OpOptions.timeout(deadline.timeout());
    agree(Facts.head(op, options), Facts.count(op), deadline);
    if (!isTwoLevel(op, options)) {
      flat.perform(op, options, deadline);
      return;
    }
    switch (op) {
      case Collective.AllReduce(Tensor output, Tensor input, ReduceOp redop) ->
          allReduce(output, input, redop, free, deadline);
      case Collective.Reduce(Tensor tensor, int root, ReduceOp redop) ->
          reduce(tensor, root, redop, free, deadline);
      case Collective.Broadcast(Tensor tensor, int root) -> broadcast(tensor, root, free, deadline);
      case Collective.Barrier _ -> {
        host.perform(op, free, deadline);
        between(op, free, deadline);
        host.perform(op, free, deadline);
      }
      default -> throw new AssertionError(op);
    }
  }

  /**
   * Ranks that disagree would wait for each other in different engines, and never learn why; so
   * they compare facts first.
   */
  @Override
  public void agree(long head, long count, Deadline deadline) {
    rollCall.come(head, count);
    deadline.ask(rollCall::absent);
    host.agree(head, count, deadline);
    if (leaders != null) {
      leaders.agree(head, count, deadline);
    }
  }

  private static boolean isTwoLevel(Collective op, OpOptions options) {
    boolean taken;
    switch (op) {
      case Collective.AllReduce _ -> taken = Taken.ALL_REDUCE;
      case Collective.Reduce _ -> taken = Taken.REDUCE;
      case Collective.Broadcast _ -> taken = Taken.BROADCAST;
      case Collective.Barrier _ -> taken = Taken.BARRIER;
      default -> {
        return false;
      }
    }
    String forced = options.hints().get("algorithm");
    return forced == null ? taken : forced.equals(NAME);
  }

  /** What the shipped table has done so unless a hint says otherwise. */
  private static final class Taken {
    static final boolean ALL_REDUCE = isTaken("all_reduce");
    static final boolean REDUCE = isTaken("reduce");
    static final boolean BROADCAST = isTaken("broadcast");
    static final boolean BARRIER = isTaken("barrier");

    private static boolean isTaken(String collective) {
      Row first = TuningTable.defaults().rows(Transport.MIXED, collective).getFirst();
      return first.isUnlimited() && first.choice().isPlain(NAME);
    }
  }

  private void allReduce(
      Tensor output, Tensor input, ReduceOp redop, OpOptions options, Deadline deadline) {
    Reducer reducer = Reducers.of(input.dtype(), redop);
    ReduceOp joining = Partials.joining(redop);
    Tensor partial = partials.of(reducer, input, redop, deadline);
    host.perform(new Collective.Reduce(partial, 0, joining), options, deadline);
    between(new Collective.AllReduce(partial, partial, joining), options, deadline);
    host.perform(new Collective.Broadcast(partial, 0), options, deadline);
    partials.finish(reducer, partial, output, size(), deadline);
  }

  private void reduce(
      Tensor tensor, int root, ReduceOp redop, OpOptions options, Deadline deadline) {
    Reducer reducer = Reducers.of(tensor.dtype(), redop);
    ReduceOp joining = Partials.joining(redop);
    Tensor partial = partials.of(reducer, tensor, redop, deadline);
    int at = hostOf(root);
    host.perform(new Collective.Reduce(partial, 0, joining), options, deadline);
    between(new Collective.Reduce(partial, at, joining), options, deadline);
    if (at == hostOf(rank)) {
      host.perform(new Collective.Broadcast(partial, 0), options, deadline);
    }
    if (rank == root) {
      partials.finish(reducer, partial, tensor, size(), deadline);
    }
  }

  private void broadcast(Tensor tensor, int root, OpOptions options, Deadline deadline) {
    int at = hostOf(root);
    boolean here = at == hostOf(rank);
    if (here) {
      int place = hosts.get(at).indexOf(root);
      host.perform(new Collective.Broadcast(tensor, place), options, deadline);
    }
    between(new Collective.Broadcast(tensor, at), options, deadline);
    if (!here) {
      host.perform(new Collective.Broadcast(tensor, 0), options, deadline);
    }
  }

  private void between(Collective op, OpOptions options, Deadline deadline) {
    if (leaders != null) {
      leaders.perform(op, options, deadline);
    }
  }

  private int hostOf(int member) {
    for (int h = 0; h < hosts.size(); h++) {
      if (hosts.get(h).contains(member)) {
        return h;
      }
    }
    throw new AssertionError(member);
  }

  @Override
  public String algorithm(Collective op, OpOptions options) {
    return isTwoLevel(op, options) ? NAME : flat.algorithm(op, options);
  }

  @Override
  public void close() {
    flat.close();
    if (leaders != null) {
      leaders.close();
    }
    host.close();
  }
}
