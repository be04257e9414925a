package dev.jcomms.cli.conformance;

import dev.jcomms.testkit.BackendConformance;
import dev.jcomms.testkit.Subject;
import java.util.List;

/** Ranks of several hosts, two each and one alone. */
final class TwoLevelConformanceTest extends BackendConformance {
  @Override
  protected String backend() {
    return "jccl";
  }

  @Override
  protected List<Integer> worldSizes() {
    return List.of(5);
  }

  @Override
  protected Subject subject() {
    return super.subject().withHint("ranks_per_host", "2");
  }
}
