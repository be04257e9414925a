package dev.jcomms.jccl.dsl.programs;

import static dev.jcomms.jccl.dsl.On.on;

import dev.jcomms.jccl.dsl.CollectiveProgram;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntFunction;
import java.util.function.Supplier;

/** Our programs, each by the name of the file in which MSCCL++'s DSL left the same plan. */
public final class Programs {
  private static final Map<String, Supplier<CollectiveProgram>> BY_FILE = new TreeMap<>();

  private Programs() {}

  public static Map<String, Supplier<CollectiveProgram>> byFile() {
    return BY_FILE;
  }

  static {
    forRanks("allreduce_", AllReducePrograms::zeroCopy, 2, 4);
    forRanks("allreduce_naivy_", AllReducePrograms::naive, 2, 4, 8);
    forRanks("allreduce_pkt_", AllReducePrograms::packets, 2, 4, 8);
    forRanks(
        "allreduce_nvls_zero_copy_",
        n -> AllReducePrograms.nvls("allreduce_nvls_zero_copy_" + n, n, 8),
        2,
        8);
    add("allgather", () -> AllGatherPrograms.allPairs(2));
    forRanks("allgather_pkt_", AllGatherPrograms::packets, 2, 4);
    forRanks("allgather_pkt_rppkt_", AllGatherPrograms::forwardedPackets, 2, 8);
    forRanks("allgather_nvls_zero_copy_", AllGatherPrograms::nvls, 2, 4);
    forRanks("allgather_nvls_zero_copy_pkt_", AllGatherPrograms::nvlsPackets, 2, 8);
    forRanks("alltoall_", AllToAllPrograms::allPairs, 2, 4, 8);
    forRanks("alltoall_pipeline_", AllToAllPrograms::pipeline, 2, 8);
    forRanks("alltoall_ring_oop_", AllToAllPrograms::outOfPlace, 2);
    forRanks("alltoall_ring_peers_", AllToAllPrograms::twoBlocks, 2);

    forRanks("mn_allgather_2x", MultiNodePrograms::allGather, 2, 4);
    forRanks("mn_allgather_pkt_2x", MultiNodePrograms::allGatherPackets, 2);
    forRanks("mn_reducescatter_2x", MultiNodePrograms::reduceScatter, 2);
    forRanks("mn_reducescatter_pkt_2x", MultiNodePrograms::reduceScatterPackets, 4);
    add(
        "default_allgather_multi_nodes_16ranks_8pernode",
        () -> MultiNodePrograms.defaultAllGather(8));
    add(
        "default_allreduce_multi_nodes_4ranks_2pernode_tbg1",
        () -> MultiNodePrograms.defaultAllReduce(4, 2, 1));
    add(
        "default_reducescatter_multi_nodes_4ranks_2pernode_tbg2",
        () -> MultiNodePrograms.defaultReduceScatter(4, 2, 2));
    add(
        "default_reducescatter_multi_nodes_4ranks_4pernode_tbg1",
        () -> MultiNodePrograms.defaultReduceScatter(4, 4, 1));

    add("exectest_reduce", ExecutorPrograms::reduce);
    add("racy_exectest_reduce_tbg", ExecutorPrograms::racyReduce);
    add("exectest_reduce_nvls", () -> AllReducePrograms.nvls("reduce_nvls", 2, 1));
    add("exectest_reduce_pack", ExecutorPrograms::reducePackets);
    add("exectest_transfer_pack", ExecutorPrograms::transferPackets);

    add("unit_barrier_test", UnitPrograms::barrier);
    add("unit_copy_test", () -> UnitPrograms.copy(on(0)));
    add("unit_copy_packet_test", UnitPrograms::copyPackets);
    add("unit_unpack_packet_test", UnitPrograms::unpackPackets);
    add("unit_flush_test", UnitPrograms::flush);
    add("unit_flush_fuse_test", UnitPrograms::fusedFlush);
    add("unit_pipeline_test", UnitPrograms::pipeline);
    add("unit_put_test", UnitPrograms::put);
    add("unit_put_fuse_test", UnitPrograms::fusedPut);
    add("unit_get_fuse_test", UnitPrograms::fusedGet);
    add("unit_put_packet_test", UnitPrograms::putPackets);
    add("unit_read_put_packet_test", UnitPrograms::forwardPackets);
    add("unit_put_with_signal_test", UnitPrograms::putWithSignal);
    add("unit_put_with_signal_and_flush_test", UnitPrograms::putWithSignalAndFlush);
    add("unit_read_reduce_test", () -> UnitPrograms.readReduce(1));
    add("unit_read_reduce_fuse_test", () -> UnitPrograms.readReduce(0, 1));
    add("unit_reduce_send_test", UnitPrograms::reduceSend);
    add("unit_reduce_test", () -> UnitPrograms.reduce(on(0)));
    add("unit_reduce_fuse_test", () -> UnitPrograms.fusedReduce(on(0)));
    add("unit_reduce_packets_test", () -> UnitPrograms.reducePackets(1));
    add("unit_reduce_packets_fuse_test", () -> UnitPrograms.reducePackets(2));
    add("unit_reduce_copy_packet_test", UnitPrograms::reduceCopyPackets);
    add("unit_reduce_send_packet_test", UnitPrograms::reduceSendPackets);
    add("unit_signal_wait_test", UnitPrograms::signalAndWait);
    add(
        "unit_signal_wait_fuse_test",
        () -> UnitPrograms.fusedSignalAndWait("signal_wait_test", on(0)));
    add("unit_relaxed_signal_wait_test", UnitPrograms::relaxedSignalAndWait);
    add(
        "unit_relaxed_signal_wait_fuse_test",
        () -> UnitPrograms.fusedSignalAndWait("relaxed_signal_wait_test", on(0).relaxed()));
    add("unit_switch_broadcast_test", UnitPrograms::switchBroadcast);
    add("unit_tbg_copy_test", () -> UnitPrograms.copy(UnitPrograms.four()));
    add("unit_tbg_reduce_test", () -> UnitPrograms.reduce(UnitPrograms.four()));
    add("unit_tbg_reduce_fuse_test", () -> UnitPrograms.fusedReduce(UnitPrograms.four()));
  }

  private static void forRanks(String file, IntFunction<CollectiveProgram> program, int... ranks) {
    for (int n : ranks) {
      add(file + n, () -> program.apply(n));
    }
  }

  private static void add(String file, Supplier<CollectiveProgram> program) {
    BY_FILE.put(file, program);
  }
}
