package dev.jcomms.jccl.internal.algo.tcp;

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
import dev.jcomms.jccl.internal.algo.message.ReduceScatterTask;
import dev.jcomms.jccl.internal.algo.message.ReduceTask;
import dev.jcomms.jccl.internal.algo.message.ScatterTask;
import dev.jcomms.jccl.internal.algo.message.TreeShape;
import dev.jcomms.jccl.internal.algo.reduce.DirectReduce;
import dev.jcomms.jccl.internal.algo.reduce.TreeReduce;
import dev.jcomms.jccl.internal.algo.reducescatter.DirectReduceScatter;
import dev.jcomms.jccl.internal.algo.reducescatter.RingReduceScatter;
import dev.jcomms.jccl.internal.algo.scatter.BinomialScatter;
import dev.jcomms.jccl.internal.algo.scatter.LinearScatter;
import dev.jcomms.jccl.internal.algo.tcp.Menu.Rule;
import java.util.List;

/**
 * Which algorithm for what: all limits in one place.
 *
 * <p>Bytes are those of the whole buffer: of all blocks, where there are blocks.
 */
final class Menus {
  private static final long KIB = 1 << 10;
  private static final long MIB = 1 << 20;
  private static final long ANY_BYTES = Long.MAX_VALUE;
  private static final int ANY_RANKS = Integer.MAX_VALUE;

  /** Beyond this everybody does not talk to everybody at once. */
  private static final int CROWD = 32;

  static final Menu<ReduceTask> ALL_REDUCE =
      new Menu<>(
          "all_reduce",
          List.of(
              new Rule<>(16 * KIB, ANY_RANKS, new RecursiveDoublingAllReduce()),
              new Rule<>(256 * KIB, 2, new ExchangeAllReduce()),
              new Rule<>(ANY_BYTES, CROWD, new DirectAllReduce()),
              new Rule<>(MIB, ANY_RANKS, new RecursiveHalvingAllReduce()),
              Rule.otherwise(new RingAllReduce())),
          List.of());

  static final Menu<BroadcastTask> BROADCAST =
      new Menu<>(
          "broadcast",
          List.of(
              new Rule<>(16 * KIB, ANY_RANKS, new TreeBroadcast(TreeShape.KNOMIAL)),
              new Rule<>(ANY_BYTES, 3, new TreeBroadcast(TreeShape.CHAIN)),
              new Rule<>(256 * KIB, ANY_RANKS, new TreeBroadcast(TreeShape.BINOMIAL)),
              new Rule<>(ANY_BYTES, CROWD, new ScatterAllGatherBroadcast()),
              Rule.otherwise(new TreeBroadcast(TreeShape.CHAIN))),
          List.of());

  static final Menu<ReduceTask> REDUCE =
      new Menu<>(
          "reduce",
          List.of(
              new Rule<>(16 * KIB, ANY_RANKS, new TreeReduce(TreeShape.KNOMIAL)),
              new Rule<>(ANY_BYTES, 3, new TreeReduce(TreeShape.CHAIN)),
              new Rule<>(256 * KIB, ANY_RANKS, new TreeReduce(TreeShape.BINOMIAL)),
              new Rule<>(ANY_BYTES, CROWD, new DirectReduce()),
              Rule.otherwise(new TreeReduce(TreeShape.CHAIN))),
          List.of());

  static final Menu<GatherTask> ALL_GATHER =
      new Menu<>(
          "all_gather",
          List.of(
              new Rule<>(32 * KIB, ANY_RANKS, new BruckAllGather()),
              new Rule<>(ANY_BYTES, CROWD, new DirectAllGather()),
              Rule.otherwise(new RingAllGather())),
          List.of());

  static final Menu<ReduceScatterTask> REDUCE_SCATTER =
      new Menu<>(
          "reduce_scatter",
          List.of(
              new Rule<>(ANY_BYTES, CROWD, new DirectReduceScatter()),
              Rule.otherwise(new RingReduceScatter())),
          List.of());

  static final Menu<AllToAllTask> ALL_TO_ALL =
      new Menu<>(
          "all_to_all",
          List.of(
              new Rule<>(16 * KIB, ANY_RANKS, new BruckAllToAll()),
              new Rule<>(ANY_BYTES, CROWD, new DirectAllToAll()),
              Rule.otherwise(new PairwiseAllToAll())),
          List.of());

  static final Menu<GatherTask> GATHER =
      new Menu<>(
          "gather",
          List.of(
              new Rule<>(32 * KIB, ANY_RANKS, new BinomialGather()),
              Rule.otherwise(new LinearGather())),
          List.of());

  static final Menu<ScatterTask> SCATTER =
      new Menu<>(
          "scatter",
          List.of(
              new Rule<>(32 * KIB, ANY_RANKS, new BinomialScatter()),
              Rule.otherwise(new LinearScatter())),
          List.of());

  static final Menu<BarrierTask> BARRIER =
      new Menu<>("barrier", List.of(Rule.otherwise(new DisseminationBarrier())), List.of());

  private Menus() {}
}
