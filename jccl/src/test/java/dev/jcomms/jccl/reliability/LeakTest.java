package dev.jcomms.jccl.reliability;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jcomms.Comm;
import dev.jcomms.ReduceOp;
import dev.jcomms.store.HashStore;
import dev.jcomms.tensor.Device;
import dev.jcomms.tensor.Tensor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Communicators come and go: what one held, it has given back. {@code -Dreliability.times=1000} for
 * the scorecard's own number.
 */
final class LeakTest {
  private static final int TIMES = Integer.getInteger("reliability.times", 200);

  private static void assertFlat(String what, Holdings early, Holdings late, long spareMib) {
    System.out.println("reliability: 21 " + what + ": " + early + " -> " + late);
    // Threads of the JVM itself, and code that it compiles meanwhile, come on top.
    assertThat(late.descriptors()).as(what).isLessThanOrEqualTo(early.descriptors() + 8);
    assertThat(late.threads()).as(what).isLessThanOrEqualTo(early.threads() + 8);
    assertThat(late.mappings()).as(what).isLessThanOrEqualTo(early.mappings() + 60);
    assertThat(late.residentKib()).as(what).isLessThan(early.residentKib() + (spareMib << 10));
  }

  @ParameterizedTest
  @ValueSource(strings = {"shm", "tcp"})
  void processesThatOpenAndCloseCommunicatorsHoldNoMoreInTheEnd(String transport) throws Exception {
    try (Group group = Group.of(3, transport).property("times", TIMES).start("open and close")) {
      for (Report report : group.reports("open and close", -1)) {
        assertThat(report.ok()).as("%s", report).isTrue();
        String[] parts = report.message().split(" ");
        assertFlat(
            transport + " processes, rank " + report.rank(),
            Holdings.decode(parts[0]),
            Holdings.decode(parts[1]),
            64);
      }
      group.finish();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"local", "shm", "tcp"})
  void threadsThatOpenAndCloseCommunicatorsHoldNoMoreInTheEnd(String transport) throws Exception {
    Holdings early = null;
    for (int i = 0; i < TIMES; i++) {
      openUseClose(3, transport);
      if (i == TIMES / 4) {
        early = Holdings.now();
      }
    }
    // The heap of the tests' own JVM may have grown; what is looked for is megabytes each time.
    assertFlat(transport + " threads", early, Holdings.now(), 256);
  }

  private static void openUseClose(int size, String transport) throws Exception {
    try (HashStore store = HashStore.create();
        ExecutorService threads = Executors.newFixedThreadPool(size)) {
      List<Callable<Long>> ranks = new ArrayList<>();
      for (int r = 0; r < size; r++) {
        int rank = r;
        ranks.add(() -> sum(rank, size, transport, store));
      }
      for (Future<Long> sum : threads.invokeAll(ranks, 60, TimeUnit.SECONDS)) {
        assertThat(sum.get()).isEqualTo(6);
      }
    }
  }

  private static long sum(int rank, int size, String transport, HashStore store) {
    try (Comm comm =
        Comm.newBuilder("jccl", Device.CPU)
            .ranks(rank, size)
            .store(store)
            .hint("transport", transport)
            .initTimeout(Duration.ofSeconds(30))
            .timeout(Duration.ofSeconds(30))
            .build()) {
      Tensor x = Tensor.of(rank + 1L);
      comm.allReduce(x, ReduceOp.SUM);
      return x.getLong(0);
    }
  }
}
