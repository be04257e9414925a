package dev.jcomms.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jcomms.Collective;
import dev.jcomms.OpOptions;
import dev.jcomms.Registration;
import dev.jcomms.Work;
import dev.jcomms.fake.FakeProvider;
import dev.jcomms.spi.Backend;
import dev.jcomms.spi.BackendContext;
import dev.jcomms.spi.BackendProvider;
import dev.jcomms.spi.Backends;
import dev.jcomms.spi.SymmetricBackend;
import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Symmetric memory can be wrong in ways of its own; the kit finds them. */
final class SymmetricFaultsTest {
  private static final AtomicInteger COUNT = new AtomicInteger();

  enum Fault {
    LEAVES_WHAT_WAS_THERE("symmetric/is zeros *", "should be 0"),
    GIVES_ALL_RANKS_THE_SAME("symmetric/is every rank's own", "which nobody else has written to"),
    IS_NEVER_FREED("symmetric/is freed *", "reading after close must fail"),
    DOES_NOT_COMPARE("symmetric/different shapes *", "must fail with CommException; it returned"),
    GIVES_FLAT_TENSORS("symmetric/is zeros *", "the shape is [1]; it should be []");

    private final String foundBy;
    private final String says;

    Fault(String foundBy, String says) {
      this.foundBy = foundBy;
      this.says = says;
    }
  }

  @ParameterizedTest
  @EnumSource
  void theKitFindsABackendThat(Fault fault) {
    String name = "odd-" + COUNT.incrementAndGet();
    Map<Integer, Tensor> shared = new ConcurrentHashMap<>();
    BackendProvider odd = new FakeProvider(context -> odd(fault, shared, context));
    try (Registration _ = Backends.register(name, odd)) {
      List<Result> results =
          Conformance.run(
              Subject.of(name).withTimeout(Duration.ofSeconds(2)),
              List.of(3),
              scenario -> Glob.of(fault.foundBy).test(scenario.name()),
              _ -> {});
      assertThat(results)
          .anySatisfy(
              result -> {
                assertThat(result.isFailed()).isTrue();
                assertThat(result.message()).containsPattern("rank \\d").contains(fault.says);
              });
    }
  }

  /**
   * The direct backend, with one fault.
   *
   * @param shared what all ranks get, by request
   */
  private static Backend odd(Fault fault, Map<Integer, Tensor> shared, BackendContext context) {
    SymmetricBackend right = (SymmetricBackend) DirectBackend.provider().open(context);
    return new SymmetricBackend() {
      private int requests;

      @Override
      public Tensor symmetric(DType dtype, Shape shape, OpOptions options) {
        requests++;
        return switch (fault) {
          case LEAVES_WHAT_WAS_THERE -> {
            Tensor tensor = right.symmetric(dtype, shape, options);
            tensor.fill(1);
            yield tensor;
          }
          case GIVES_ALL_RANKS_THE_SAME -> {
            right.symmetric(dtype, shape, options);
            yield shared.computeIfAbsent(requests, _ -> Tensor.zeros(dtype, shape));
          }
          case IS_NEVER_FREED -> {
            right.symmetric(dtype, shape, options);
            yield Tensor.zeros(dtype, shape);
          }
          case DOES_NOT_COMPARE -> Tensor.zeros(dtype, shape);
          case GIVES_FLAT_TENSORS -> right.symmetric(dtype, shape, options).reshape(-1);
        };
      }

      @Override
      public Set<Class<? extends Collective>> supports() {
        return right.supports();
      }

      @Override
      public Work submit(Collective op, OpOptions options) {
        return right.submit(op, options);
      }

      @Override
      public void close() {
        right.close();
      }
    };
  }
}
