package dev.jcomms.jccl.internal.exec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jcomms.jccl.plan.Plan;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Plans of MSCCL++ between processes. */
class ExecProcessesTest {
  @ParameterizedTest
  @ValueSource(ints = {2, 4, 8})
  void everyCollectiveIsExact(int ranks) throws Exception {
    List<Trial> trials = new ArrayList<>();
    for (Plan plan : ExecPlans.collectives().stream().map(ExecPlans::read).toList()) {
      if (plan.ranks().size() == ranks) {
        // So many processes take turns at few cores: one size will do.
        List<Long> sizes = ranks > 4 ? List.of(64L << 10) : ExecPlans.SIZES;
        trials.addAll(ExecPlans.trials(plan, sizes, Map.of()));
      }
    }
    assertThat(trials).isNotEmpty();
    assertThat(TrialProcesses.run(trials)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"allreduce_pkt_2", "allreduce_2", "allgather"})
  void socketsStandInForMemory(String name) throws Exception {
    Plan plan = ExecPlans.read(ExecPlans.named(name));
    List<Trial> trials = ExecPlans.trials(plan, ExecPlans.SIZES, Map.of("transport", "tcp"));
    assertThat(TrialProcesses.run(trials)).isEmpty();
  }
}
