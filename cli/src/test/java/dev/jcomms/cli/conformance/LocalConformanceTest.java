package dev.jcomms.cli.conformance;

import dev.jcomms.testkit.BackendConformance;
import java.util.List;

/** Ranks that are threads, through the JVM's own memory. */
final class LocalConformanceTest extends BackendConformance {
  @Override
  protected String backend() {
    return "jccl";
  }

  @Override
  protected List<Integer> worldSizes() {
    return List.of(1, 4);
  }
}
