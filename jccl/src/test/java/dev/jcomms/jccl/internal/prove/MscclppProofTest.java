package dev.jcomms.jccl.internal.prove;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.jcomms.jccl.internal.prove.Mutants.Mutant;
import dev.jcomms.jccl.plan.Flaw;
import dev.jcomms.jccl.plan.Flaw.Kind;
import dev.jcomms.jccl.plan.Op;
import dev.jcomms.jccl.plan.Place;
import dev.jcomms.jccl.plan.Plan;
import dev.jcomms.jccl.plan.Proof;
import dev.jcomms.jccl.plan.TestPlans;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * The plans that MSCCL++ wrote: sound ones are proved, and what one op less makes of them is not.
 */
final class MscclppProofTest {
  private static final String RACY = "racy_exectest_reduce_tbg";

  /** Mutants of one plan that are tried, evenly spread over its ops. */
  private static final int MUTANTS = Integer.getInteger("jcomms.test.mutants", 24);

  /** What the unit programs, which were never meant to run, come to. */
  private static final Map<String, Kind> BROKEN =
      Map.of(
          "unit_put_fuse_test", Kind.RACE,
          "unit_switch_broadcast_test", Kind.RACE,
          "unit_read_put_packet_test", Kind.DEADLOCK,
          "unit_reduce_copy_packet_test", Kind.DEADLOCK,
          "unit_reduce_packets_fuse_test", Kind.DEADLOCK,
          "unit_reduce_packets_test", Kind.DEADLOCK,
          "unit_reduce_send_packet_test", Kind.DEADLOCK,
          "unit_signal_wait_fuse_test", Kind.DEADLOCK,
          "unit_relaxed_signal_wait_fuse_test", Kind.DEADLOCK);

  @TestFactory
  Stream<DynamicTest> everyPlanGetsItsVerdictInTime() {
    return TestPlans.ofMscclpp().stream()
        .map(
            file ->
                dynamicTest(
                    name(file),
                    () -> Assertions.assertTimeout(Duration.ofSeconds(10), () -> verdict(file))));
  }

  private static void verdict(Path file) throws IOException {
    Proof proof = Plan.read(file).check();
    Kind expected = name(file).equals(RACY) ? Kind.RACE : BROKEN.get(name(file));
    if (expected == null) {
      assertThat(proof.errors()).isEmpty();
    } else {
      assertThat(proof.errors()).extracting(Flaw::kind).containsOnly(expected);
    }
  }

  @Test
  void theRacyPlanIsRacyBetweenBlocksThatAreNoTwins() throws IOException {
    Proof proof = read(RACY).check();
    assertThat(proof.errors())
        .isNotEmpty()
        .allSatisfy(
            flaw -> {
              assertThat(flaw.kind()).isEqualTo(Kind.RACE);
              assertThat(flaw.places()).hasSize(2);
              Place one = flaw.places().getFirst();
              Place other = flaw.places().getLast();
              assertThat(one.rank()).isNotEqualTo(other.rank());
              assertThat(one.block()).isNotEqualTo(other.block());
            });
    assertThat(proof.errors())
        .anySatisfy(
            flaw ->
                assertThat(flaw.places())
                    .containsExactlyInAnyOrder(Place.op(0, 1, 6), Place.op(1, 0, 0)));
  }

  @TestFactory
  Stream<DynamicTest> aPlanThatLacksOneOpIsCaught() {
    return sound()
        .map(
            file ->
                dynamicTest(name(file), () -> caught(file, Mutants.withoutOneOp(Plan.read(file)))));
  }

  @TestFactory
  Stream<DynamicTest> aPlanThatLacksAChannelASourceOrADestinationIsCaught() {
    return sound()
        .map(
            file ->
                dynamicTest(
                    name(file), () -> caught(file, Mutants.withoutOnePart(Plan.read(file)))));
  }

  @TestFactory
  Stream<DynamicTest> aPlanThatLacksASignalAndItsWaitIsCaught() {
    return sound()
        .map(
            file ->
                dynamicTest(
                    name(file), () -> caught(file, Mutants.withoutOneSignal(Plan.read(file)))));
  }

  private static void caught(Path file, List<Mutant> all) {
    List<Mutant> mutants =
        all.stream().filter(mutant -> !(mutant.lacks() instanceof Op.Nop)).toList();
    List<Mutant> escaped = new ArrayList<>();
    double stride = Math.max(1, (double) mutants.size() / MUTANTS);
    for (double at = 0; at < mutants.size(); at += stride) {
      Mutant mutant = mutants.get((int) at);
      if (!isEquivalent(name(file), mutant) && mutant.plan().get().check().holds()) {
        escaped.add(mutant);
      }
    }
    assertThat(escaped).isEmpty();
  }

  /** Ops without which the plan is as right as before. */
  private static boolean isEquivalent(String plan, Mutant mutant) {
    return switch (mutant.lacks()) {
      // A rank unpacks, over its own part of the output, what it packed out of it.
      case Op.Copy copy when plan.startsWith("allgather_nvls_zero_copy_pkt") ->
          copy.packing() == Op.Copy.Packing.UNPACK
              && copy.destination().index() == mutant.place().rank();
      // Slices of the unpacking that hold what the same block has just written there.
      case Op.Copy _ when plan.equals("default_reducescatter_multi_nodes_4ranks_2pernode_tbg2") ->
          true;
      // A copy to scratch that nobody reads.
      case Op.Copy _ when plan.equals("exectest_reduce") ->
          mutant.place().equals(Place.op(0, 0, 0));
      default -> false;
    };
  }

  private static Stream<Path> sound() {
    return TestPlans.ofMscclpp().stream()
        .filter(file -> !name(file).startsWith("unit_") && !name(file).equals(RACY));
  }

  private static Plan read(String name) throws IOException {
    return Plan.read(
        TestPlans.ofMscclpp().stream()
            .filter(file -> name(file).equals(name))
            .findFirst()
            .orElseThrow());
  }

  private static String name(Path file) {
    return file.getFileName().toString().replace(".json", "");
  }
}
