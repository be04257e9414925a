package dev.jcomms.cli.conformance;

import dev.jcomms.testkit.BackendConformance;
import dev.jcomms.testkit.Subject;
import java.util.List;

/** Ranks through sockets. */
final class TcpConformanceTest extends BackendConformance {
  @Override
  protected String backend() {
    return "jccl";
  }

  @Override
  protected List<Integer> worldSizes() {
    return List.of(3);
  }

  @Override
  protected Subject subject() {
    return super.subject().withHint("transport", "tcp");
  }
}
