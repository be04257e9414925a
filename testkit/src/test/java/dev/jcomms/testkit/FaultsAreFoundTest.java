package dev.jcomms.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jcomms.Registration;
import dev.jcomms.spi.Backends;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The kit finds every kind of fault, and says where it is; without the fault it finds nothing. */
final class FaultsAreFoundTest {
  private static List<Result> run(String backend, Fault fault) {
    return Conformance.run(
        Subject.of(backend).withTimeout(Duration.ofSeconds(2)),
        List.of(3),
        scenario -> Glob.of(fault.foundBy).test(scenario.name()),
        _ -> {});
  }

  @ParameterizedTest
  @EnumSource
  void theKitFindsABackendThat(Fault fault) {
    try (Registration _ =
        Backends.register(
            fault.backend(), FaultyBackend.provider(fault, Backends.get("reference")))) {
      List<Result> results = run(fault.backend(), fault);
      List<Result> failed = results.stream().filter(Result::isFailed).toList();
      assertThat(failed).as("failed among %s", results).isNotEmpty();
      assertThat(failed.getFirst().message()).containsPattern("rank \\d").contains(fault.says);
    }
  }

  @ParameterizedTest
  @EnumSource
  void theReferencePassesWhereTheKitFindsABackendThat(Fault fault) {
    assertThat(run("reference", fault))
        .isNotEmpty()
        .allMatch(result -> result.outcome() == Result.Outcome.PASSED);
  }
}
