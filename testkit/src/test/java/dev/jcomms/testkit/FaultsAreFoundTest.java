package dev.jcomms.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jcomms.Registration;
import dev.jcomms.spi.Backends;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The kit finds every kind of fault, and says where it is; without the fault it finds nothing. */
final class FaultsAreFoundTest {
  /** What is wrong may cost the timeout, often; what is right does not. */
  private static final Duration BRIEF = Duration.ofSeconds(2);

  private static List<Result> run(Subject subject, String pattern) {
    return Conformance.run(
        subject, List.of(3), scenario -> Glob.of(pattern).test(scenario.name()), _ -> {});
  }

  private static Registration register(Fault fault) {
    return Backends.register(
        fault.backend(), FaultyBackend.provider(fault, Backends.get("reference")));
  }

  @ParameterizedTest
  @EnumSource
  void theKitFindsABackendThat(Fault fault) {
    try (Registration _ = register(fault)) {
      List<Result> results = run(Subject.of(fault.backend()).withTimeout(BRIEF), fault.foundBy);
      List<Result> failed = results.stream().filter(Result::isFailed).toList();
      assertThat(failed).as("failed among %s", results).isNotEmpty();
      assertThat(failed)
          .anySatisfy(
              found ->
                  assertThat(found.message()).containsPattern("rank \\d").contains(fault.says));
    }
  }

  @ParameterizedTest
  @EnumSource
  void theReferencePassesWhereTheKitFindsABackendThat(Fault fault) {
    assertThat(run(Subject.of("reference"), fault.foundBy))
        .isNotEmpty()
        .allMatch(result -> result.outcome() == Result.Outcome.PASSED);
  }

  /** One fault at every operation: each scenario that asks for it must find it alone. */
  @ParameterizedTest
  @CsvSource({
    "CLEARS_OUTPUTS_FIRST, '*/works in place, *'",
    "CLEARS_OUTPUTS_FIRST, '*/inputs may overlap outputs, *'",
    "CLEARS_OUTPUTS_FIRST, 'send_recv_batch/sends what it receives into, *'",
    "DIFFERS_IN_A_BIT_BY_TIME, '*same bits*every time'",
    "SWALLOWS_MISMATCHES, 'mismatch/*reduce*'",
    "SWALLOWS_MISMATCHES, 'mismatch/*gather*'",
    "SWALLOWS_MISMATCHES, 'mismatch/*scatter*'",
    "SWALLOWS_MISMATCHES, 'mismatch/*broadcast*'",
    "SWALLOWS_MISMATCHES, 'mismatch/all_to_all*'"
  })
  void everyScenarioAboutItFindsABackendThat(Fault fault, String pattern) {
    try (Registration _ = register(fault)) {
      assertThat(run(Subject.of(fault.backend()).withTimeout(BRIEF), pattern))
          .isNotEmpty()
          .allMatch(Result::isFailed);
    }
  }
}
