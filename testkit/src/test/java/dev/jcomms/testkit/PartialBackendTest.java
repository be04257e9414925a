package dev.jcomms.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jcomms.Collective;
import dev.jcomms.OpOptions;
import dev.jcomms.Registration;
import dev.jcomms.Work;
import dev.jcomms.fake.FakeProvider;
import dev.jcomms.spi.Backend;
import dev.jcomms.spi.BackendContext;
import dev.jcomms.spi.Backends;
import dev.jcomms.tensor.DType;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** A backend of two operations passes with those, and everything else is skipped by name. */
final class PartialBackendTest {
  /** As small as a backend can be: two operations, a few dtypes, no capability. */
  private static Backend partial(BackendContext context) {
    Backend whole = Backends.get("reference").open(context);
    return new Backend() {
      @Override
      public Set<Class<? extends Collective>> supports() {
        return Set.of(Collective.AllReduce.class, Collective.AllGather.class);
      }

      @Override
      public Set<DType> dtypes() {
        return Set.of(DType.F32, DType.I64);
      }

      @Override
      public Work submit(Collective op, OpOptions options) {
        return whole.submit(op, options);
      }

      @Override
      public void close() {
        whole.close();
      }
    };
  }

  @Test
  void whatIsThereIsTriedAndWhatIsNotIsNamed() {
    try (Registration _ =
        Backends.register("partial", new FakeProvider(PartialBackendTest::partial))) {
      Subject subject = Subject.of("partial").withBlocked("order/*", "known to be slow");
      Map<String, Result> results =
          Conformance.run(subject, List.of(3), _ -> true, _ -> {}).stream()
              .collect(Collectors.toMap(Result::scenario, result -> result));
      assertThat(results.values()).filteredOn(Result::isFailed).isEmpty();
      assertThat(results.get("all_reduce/combines f32").outcome()).isEqualTo(Result.Outcome.PASSED);
      assertThat(results.get("all_gather/moves i64").outcome()).isEqualTo(Result.Outcome.PASSED);
      assertThat(results.get("abort/wakes a blocking call").outcome())
          .isEqualTo(Result.Outcome.PASSED);
      assertSkipped(results, "broadcast/moves f32", "backend 'partial' has no broadcast");
      assertSkipped(results, "all_reduce/combines bf16", "backend 'partial' does not move [bf16]");
      assertSkipped(
          results,
          "window/get reads what is there",
          "backend 'partial' has no window (WindowBackend)");
      assertSkipped(
          results,
          "order/several threads of a rank may call at once",
          "blocked for backend 'partial': known to be slow");
    }
  }

  private static void assertSkipped(Map<String, Result> results, String scenario, String why) {
    assertThat(results.get(scenario).outcome()).isEqualTo(Result.Outcome.SKIPPED);
    assertThat(results.get(scenario).message()).isEqualTo(why);
  }
}
