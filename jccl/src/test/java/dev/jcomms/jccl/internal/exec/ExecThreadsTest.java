package dev.jcomms.jccl.internal.exec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jcomms.jccl.plan.Plan;
import dev.jcomms.jccl.plan.TestPlans;
import dev.jcomms.tensor.DType;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Plans of MSCCL++ between threads: through one JVM's memory, shared files, sockets, and both. */
class ExecThreadsTest {
  static List<Path> collectives() {
    return ExecPlans.collectives();
  }

  @ParameterizedTest
  @MethodSource("collectives")
  void everyCollectiveIsExact(Path file) {
    check(ExecPlans.read(file), ExecPlans.SIZES, Map.of());
  }

  @ParameterizedTest
  @MethodSource("collectives")
  void buffersThatPeersCannotReachAreStaged(Path file) {
    Plan plan = ExecPlans.read(file);
    Trial trial =
        ExecPlans.trial(plan, 64 << 10, DType.I32, PacketType.LL16, Map.of("transport", "shm"));
    assertThat(trial.withThreads()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "allgather",
        "allreduce_2",
        "allreduce_4",
        "allreduce_pkt_4",
        "allreduce_nvls_zero_copy_2",
        "allgather_nvls_zero_copy_pkt_2",
        "alltoall_4",
        "alltoall_pipeline_2",
        "exectest_reduce",
        "exectest_reduce_pack",
        "mn_allgather_2x2",
        "mn_reducescatter_2x2"
      })
  void socketsStandInForMemory(String name) {
    Plan plan = ExecPlans.read(ExecPlans.named(name));
    check(plan, List.of(1L << 10, 64L << 10), Map.of("transport", "tcp"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "default_allreduce_multi_nodes_4ranks_2pernode_tbg1",
        "default_reducescatter_multi_nodes_4ranks_2pernode_tbg2",
        "mn_allgather_2x2",
        "mn_allgather_pkt_2x2",
        "mn_reducescatter_2x2"
      })
  void hostsOfTwoRanksShareMemoryInsideAndSocketsBetween(String name) {
    Plan plan = ExecPlans.read(ExecPlans.named(name));
    check(plan, ExecPlans.SIZES, Map.of("ranks_per_host", "2"));
  }

  /** But for those that wait for what nobody sends: they were made to be looked at. */
  static List<Path> programs() {
    return TestPlans.ofMscclpp().stream()
        .filter(file -> file.getFileName().toString().startsWith("unit_"))
        .filter(file -> !file.toString().matches(".*(_signal_wait_fuse|reduce_copy_packet).*"))
        .toList();
  }

  @ParameterizedTest
  @MethodSource("programs")
  void everyProgramThatCanEndEnds(Path file) {
    Plan plan = ExecPlans.read(file);
    Trial trial = ExecPlans.trial(plan, 12 << 10, DType.F32, PacketType.LL8, Map.of());
    assertThat(trial.withThreads()).isEmpty();
  }

  private static void check(Plan plan, List<Long> sizes, Map<String, String> hints) {
    for (Trial trial : ExecPlans.trials(plan, sizes, hints)) {
      assertThat(trial.withThreads())
          .as("%d bytes of %s, %s", trial.messageBytes(), trial.dtype(), trial.packets())
          .isEmpty();
    }
  }
}
