package dev.jcomms.jccl.dsl.programs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jcomms.jccl.dsl.CollectiveProgram;
import dev.jcomms.jccl.plan.Proof;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** The programs whose plans are compared with MSCCL++'s, for numbers of ranks that are not. */
final class DslWorldsTest {
  private static final int[] WORLDS = {3, 5};

  @TestFactory
  Stream<DynamicTest> theyAreProved() {
    Map<String, Supplier<CollectiveProgram>> programs = new LinkedHashMap<>();
    for (int n : WORLDS) {
      programs.put("zero-copy all-reduce of " + n, () -> AllReducePrograms.zeroCopy(n));
      programs.put("naive all-reduce of " + n, () -> AllReducePrograms.naive(n));
      programs.put("all-reduce by packets of " + n, () -> AllReducePrograms.packets(n));
      programs.put("all-reduce by switch of " + n, () -> AllReducePrograms.nvls("switch", n, 2));
      programs.put("all-gather of " + n, () -> AllGatherPrograms.allPairs(n));
      programs.put("all-gather by packets of " + n, () -> AllGatherPrograms.packets(n));
      programs.put("forwarded all-gather of " + n, () -> AllGatherPrograms.forwardedPackets(n));
      programs.put("all-gather by switch of " + n, () -> AllGatherPrograms.nvls(n));
      programs.put("packets by switch of " + n, () -> AllGatherPrograms.nvlsPackets(n));
      programs.put("all-to-all of " + n, () -> AllToAllPrograms.allPairs(n));
      programs.put("pipelined all-to-all of " + n, () -> AllToAllPrograms.pipeline(n));
      programs.put("all-to-all out of place of " + n, () -> AllToAllPrograms.outOfPlace(n));
      programs.put("all-to-all of two blocks of " + n, () -> AllToAllPrograms.twoBlocks(n));
      programs.put("all-gather over two nodes of " + n, () -> MultiNodePrograms.allGather(n));
      programs.put("its packets of " + n, () -> MultiNodePrograms.allGatherPackets(n));
      programs.put("reduce-scatter of two nodes of " + n, () -> MultiNodePrograms.reduceScatter(n));
      programs.put("its packets again of " + n, () -> MultiNodePrograms.reduceScatterPackets(n));
      programs.put(
          "all-reduce over three nodes of " + n,
          () -> MultiNodePrograms.defaultAllReduce(3 * n, n, 2));
      programs.put(
          "reduce-scatter over three nodes of " + n,
          () -> MultiNodePrograms.defaultReduceScatter(3 * n, n, 2));
    }
    return programs.entrySet().stream()
        .map(
            program ->
                DynamicTest.dynamicTest(
                    program.getKey(),
                    () -> {
                      Proof proof = program.getValue().get().verify();
                      assertThat(proof.errors()).isEmpty();
                    }));
  }
}
