package dev.jcomms.jccl.internal.algo.tcp;

import dev.jcomms.jccl.Selector.Transport;
import dev.jcomms.jccl.TuningTable;
import dev.jcomms.jccl.internal.algo.allgather.BruckAllGather;
import dev.jcomms.jccl.internal.algo.allgather.DirectAllGather;
import dev.jcomms.jccl.internal.algo.allgather.RingAllGather;
import dev.jcomms.jccl.internal.algo.allreduce.DirectAllReduce;
import dev.jcomms.jccl.internal.algo.allreduce.ExchangeAllReduce;
import dev.jcomms.jccl.internal.algo.allreduce.RecursiveDoublingAllReduce;
import dev.jcomms.jccl.internal.algo.allreduce.RecursiveHalvingAllReduce;
import dev.jcomms.jccl.internal.algo.allreduce.RingAllReduce;
import dev.jcomms.jccl.internal.algo.alltoall.BruckAllToAll;
import dev.jcomms.jccl.internal.algo.alltoall.DirectAllToAll;
import dev.jcomms.jccl.internal.algo.alltoall.PairwiseAllToAll;
import dev.jcomms.jccl.internal.algo.barrier.DisseminationBarrier;
import dev.jcomms.jccl.internal.algo.broadcast.ScatterAllGatherBroadcast;
import dev.jcomms.jccl.internal.algo.broadcast.TreeBroadcast;
import dev.jcomms.jccl.internal.algo.gather.BinomialGather;
import dev.jcomms.jccl.internal.algo.gather.LinearGather;
import dev.jcomms.jccl.internal.algo.message.AllToAllTask;
import dev.jcomms.jccl.internal.algo.message.BarrierTask;
import dev.jcomms.jccl.internal.algo.message.BroadcastTask;
import dev.jcomms.jccl.internal.algo.message.GatherTask;
import dev.jcomms.jccl.internal.algo.message.MessageAlgorithm;
import dev.jcomms.jccl.internal.algo.message.ReduceScatterTask;
import dev.jcomms.jccl.internal.algo.message.ReduceTask;
import dev.jcomms.jccl.internal.algo.message.ScatterTask;
import dev.jcomms.jccl.internal.algo.message.Task;
import dev.jcomms.jccl.internal.algo.message.TreeShape;
import dev.jcomms.jccl.internal.algo.reduce.DirectReduce;
import dev.jcomms.jccl.internal.algo.reduce.TreeReduce;
import dev.jcomms.jccl.internal.algo.reducescatter.DirectReduceScatter;
import dev.jcomms.jccl.internal.algo.reducescatter.RingReduceScatter;
import dev.jcomms.jccl.internal.algo.scatter.BinomialScatter;
import dev.jcomms.jccl.internal.algo.scatter.LinearScatter;
import java.util.List;

/**
 * The algorithms of each collective. Which is for what, says the table that jccl is shipped with.
 *
 * <p>Bytes are those of the whole buffer: of all blocks, where there are blocks.
 */
final class Menus {
  static final Menu<ReduceTask> ALL_REDUCE =
      menu(
          "all_reduce",
          List.of(
              new RecursiveDoublingAllReduce(),
              new ExchangeAllReduce(),
              new DirectAllReduce(),
              new RecursiveHalvingAllReduce(),
              new RingAllReduce()));

  static final Menu<BroadcastTask> BROADCAST =
      menu(
          "broadcast",
          List.of(
              new TreeBroadcast(TreeShape.KNOMIAL),
              new TreeBroadcast(TreeShape.BINOMIAL),
              new TreeBroadcast(TreeShape.CHAIN),
              new ScatterAllGatherBroadcast()));

  static final Menu<ReduceTask> REDUCE =
      menu(
          "reduce",
          List.of(
              new TreeReduce(TreeShape.KNOMIAL),
              new TreeReduce(TreeShape.BINOMIAL),
              new TreeReduce(TreeShape.CHAIN),
              new DirectReduce()));

  static final Menu<GatherTask> ALL_GATHER =
      menu("all_gather", List.of(new BruckAllGather(), new DirectAllGather(), new RingAllGather()));

  static final Menu<ReduceScatterTask> REDUCE_SCATTER =
      menu("reduce_scatter", List.of(new DirectReduceScatter(), new RingReduceScatter()));

  static final Menu<AllToAllTask> ALL_TO_ALL =
      menu(
          "all_to_all", List.of(new BruckAllToAll(), new DirectAllToAll(), new PairwiseAllToAll()));

  static final Menu<GatherTask> GATHER =
      menu("gather", List.of(new BinomialGather(), new LinearGather()));

  static final Menu<ScatterTask> SCATTER =
      menu("scatter", List.of(new BinomialScatter(), new LinearScatter()));

  static final Menu<BarrierTask> BARRIER = menu("barrier", List.of(new DisseminationBarrier()));

  private Menus() {}

  private static <T extends Task<T>> Menu<T> menu(
      String collective, List<MessageAlgorithm<T>> algorithms) {
    return Menu.of(collective, TuningTable.defaults().rows(Transport.TCP, collective), algorithms);
  }
}
