package dev.jcomms.jccl.reliability;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Plans as algorithms of collectives with a root, where ranks are processes. */
final class RootedPlanProcessesTest {
  @ParameterizedTest
  @CsvSource({"auto, false", "auto, true", "tcp, false"})
  void theyServeTheirRoot(String transport, boolean inPlace) throws Exception {
    try (Group group =
        Group.of(3, transport)
            .property("root", 2)
            .property("in place", inPlace)
            .start("rooted plans")) {
      group.awaitReady();
      group.finish();
    }
  }
}
