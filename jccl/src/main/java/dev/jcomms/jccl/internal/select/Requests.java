package dev.jcomms.jccl.internal.select;

import dev.jcomms.Collective;
import dev.jcomms.ReduceOp;
import dev.jcomms.jccl.Selector.Request;
import dev.jcomms.jccl.Selector.Transport;
import dev.jcomms.jccl.internal.transport.Roster;
import dev.jcomms.jccl.internal.transport.shm.SymmetricMemory;
import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Tensor;
import java.util.List;

/**
 * Operations as requests: what of them all ranks know. Operations whose ranks need not agree on
 * sizes (those with {@code v}, and lists of an all-to-all) and sums whose ranks have factors of
 * their own are no requests; they are always the engine's.
 */
final class Requests {
  private final int world;
  private final int ranksPerHost;
  private final Transport transport;
  private final SymmetricMemory memory;

  Requests(Roster roster, SymmetricMemory memory) {
    this.memory = memory;
    this.world = roster.size();
    this.ranksPerHost = ranksPerHost(roster);
    this.transport = transport(roster);
  }

  static int ranksPerHost(Roster roster) {
    List<List<Integer>> hosts = roster.hosts();
    int first = hosts.getFirst().size();
    return hosts.stream().allMatch(host -> host.size() == first) ? first : 0;
  }

  static Transport transport(Roster roster) {
    if (roster.hosts().size() > 1) {
      return roster.hosts().size() == roster.size() ? Transport.TCP : Transport.MIXED;
    }
    return roster.oneProcess() ? Transport.LOCAL : Transport.SHM;
  }

  boolean isSymmetric() {
    return !memory.isEmpty();
  }

  /** The collective of an operation, as algorithms name it; null if it is no request. */
  static String collective(Collective op) {
    if (op instanceof Collective.Reduction combining
        && combining.op() instanceof ReduceOp.PremulSum) {
      return null;
    }
    return switch (op) {
      case Collective.AllReduce _ -> "all_reduce";
      case Collective.AllGather _, Collective.AllGatherSingle _ -> "all_gather";
      case Collective.ReduceScatter _, Collective.ReduceScatterSingle _ -> "reduce_scatter";
      case Collective.AllToAllSingle _ -> "all_to_all";
      case Collective.Broadcast _ -> "broadcast";
      case Collective.Reduce _ -> "reduce";
      case Collective.Gather _, Collective.GatherSingle _ -> "gather";
      case Collective.Scatter _ -> "scatter";
      case Collective.Barrier _ -> "barrier";
      case Collective.AllGatherV _,
          Collective.ReduceScatterV _,
          Collective.AllToAll _,
          Collective.AllToAllVSingle _,
          Collective.PointToPoint _,
          Collective.SendRecvBatch _,
          Collective.MonitoredBarrier _ ->
          null;
    };
  }

  /** Bytes of the whole buffer. */
  private long bytes(Collective op) {
    return switch (op) {
      case Collective.AllReduce(_, Tensor input, _) -> input.bytes();
      case Collective.Broadcast(Tensor tensor, _) -> tensor.bytes();
      case Collective.Reduce(Tensor tensor, _, _) -> tensor.bytes();
      case Collective.AllGather(_, Tensor input) -> world * input.bytes();
      case Collective.AllGatherSingle(_, Tensor input) -> world * input.bytes();
      case Collective.ReduceScatter(Tensor output, _, _) -> world * output.bytes();
      case Collective.ReduceScatterSingle(Tensor output, _, _) -> world * output.bytes();
      case Collective.AllToAllSingle(_, Tensor input) -> input.bytes();
      case Collective.Gather(_, Tensor input, _) -> world * input.bytes();
      case Collective.GatherSingle(_, Tensor input, _) -> world * input.bytes();
      case Collective.Scatter(Tensor output, _, _) -> world * output.bytes();
      default -> 0;
    };
  }

  private static DType dtype(Collective op) {
    return switch (op) {
      case Collective.AllReduce(_, Tensor input, _) -> input.dtype();
      case Collective.Scatter(Tensor output, _, _) -> output.dtype();
      case Collective.ReduceScatter(Tensor output, _, _) -> output.dtype();
      case Collective.Barrier _ -> DType.U8;
      default -> op.inputs().getFirst().dtype();
    };
  }

  static ReduceOp reduceOp(Collective op) {
    return op instanceof Collective.Reduction combining ? combining.op() : null;
  }

  /** The root of an operation; -1 if it has none. */
  static int root(Collective op) {
    return op instanceof Collective.Rooted rooted ? rooted.root() : -1;
  }

  /** The request that an operation is; null if it is none. */
  Request of(Collective op) {
    String collective = collective(op);
    return collective == null
        ? null
        : new Request(
            collective,
            bytes(op),
            dtype(op),
            reduceOp(op),
            world,
            ranksPerHost,
            transport,
            isSymmetric(),
            root(op));
  }
}
