package dev.jcomms.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jcomms.Comm;
import dev.jcomms.CommMismatchException;
import dev.jcomms.World;
import dev.jcomms.parallel.DataParallel;
import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Device;
import dev.jcomms.tensor.Ops;
import dev.jcomms.tensor.Scalar;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import dev.jcomms.tensor.optim.Sgd;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One model on all ranks: equal at the start, averaged in every pass. */
final class DataParallelTest {
  private static World world(int n) {
    return World.of(n).backend("reference").timeout(Duration.ofSeconds(60));
  }

  /** Three layers of numbers: y = ((x * a) + b) * c, summed. */
  private static Map<String, Tensor> model(DType dtype, double from) {
    Map<String, Tensor> parameters = new LinkedHashMap<>();
    for (String name : List.of("a", "b", "c")) {
      parameters.put(name, Tensor.arange(dtype, from, from + 4, 1).requiresGrad(true));
    }
    return parameters;
  }

  private static Tensor loss(Map<String, Tensor> model, double x) {
    Tensor input = Tensor.full(model.get("a").dtype(), Shape.of(4), x).to(model.get("a").device());
    Tensor hidden = Ops.add(Ops.mul(input, model.get("a")), model.get("b"));
    return Ops.sum(Ops.mul(hidden, model.get("c")));
  }

  /** What a pass over all the ranks' data alone would leave, as averages. */
  private static Map<String, Tensor> expected(Map<String, Tensor> model, double... xs) {
    Map<String, Tensor> alone = new LinkedHashMap<>();
    model.forEach((name, t) -> alone.put(name, t.detach().copy().requiresGrad(true)));
    for (double x : xs) {
      loss(alone, x).backward();
    }
    Map<String, Tensor> averages = new LinkedHashMap<>();
    for (String name : List.of("a", "b", "c")) {
      averages.put(name, Ops.div(alone.get(name).grad(), Scalar.of((long) xs.length)));
    }
    return averages;
  }

  private static void assertGradients(Map<String, Tensor> model, Map<String, Tensor> expected) {
    expected.forEach(
        (name, grad) ->
            assertThat(model.get(name).grad().allClose(grad, 1e-6, 0, false))
                .as("%s: %s, not %s", name, model.get(name).grad(), grad)
                .isTrue());
  }

  private static double[] ranks(int n) {
    double[] xs = new double[n];
    for (int r = 0; r < n; r++) {
      xs[r] = r + 1;
    }
    return xs;
  }

  private static void everyWay(Comm comm, Map<String, Tensor> model, Runnable body) {
    List<UnaryOperator<DataParallel.Builder>> ways =
        List.of(
            b -> b,
            b -> b.firstBucketBytes(1).bucketBytes(1),
            b -> b.firstBucketBytes(1).bucketBytes(40),
            b -> b.gradientsAsViews(true),
            b -> b.findUnused(true),
            b -> b.findUnused(true).gradientsAsViews(true).bucketBytes(1));
    for (var way : ways) {
      try (var _ = way.apply(DataParallel.newBuilder(comm, model)).build()) {
        body.run();
      }
      model.values().forEach(Tensor::zeroGrad);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void aPassLeavesTheAverageOfAllRanks(int n) {
    world(n)
        .run(
            comm -> {
              for (DType dtype : List.of(DType.F32, DType.F64)) {
                Map<String, Tensor> model = model(dtype, 1);
                everyWay(
                    comm,
                    model,
                    () -> {
                      loss(model, comm.rank() + 1).backward();
                      assertGradients(model, expected(model, ranks(n)));
                      loss(model, comm.rank() + 1).backward(); // adds up, as it does alone
                      Map<String, Tensor> twice = new LinkedHashMap<>();
                      expected(model, ranks(n))
                          .forEach((k, v) -> twice.put(k, Ops.mul(v, Scalar.of(2.0))));
                      assertGradients(model, twice);
                    });
              }
            });
  }

  @Test
  void ranksBeginWithTheValuesOfTheFirst() {
    world(3)
        .run(
            comm -> {
              Map<String, Tensor> model = model(DType.F32, 10 * (comm.rank() + 1));
              model.put("running", Tensor.of(comm.rank(), comm.rank()));
              Tensor strided = Tensor.full(Shape.of(2, 3), comm.rank() + 5).transpose(0, 1);
              model.put("strided", strided.requiresGrad(true));
              try (var _ = DataParallel.over(comm, model)) {
                assertThat(model.get("c").toFloatArray()).containsExactly(10, 11, 12, 13);
                assertThat(model.get("running").toIntArray()).containsExactly(0, 0);
                assertThat(strided.getFloat(2, 1)).isEqualTo(5);
                assertThat(model.get("c").requiresGrad()).isTrue();
              }
            });
  }

  @Test
  void bucketsFillFromTheLastParameterOn() {
    world(1)
        .run(
            comm -> {
              Map<String, Tensor> model = new LinkedHashMap<>(model(DType.F32, 0));
              model.put("d", Tensor.zeros(DType.F64, Shape.of(2)).requiresGrad(true));
              model.put("still", Tensor.zeros(Shape.of(2)));
              model.put("e", Tensor.zeros(Shape.of(4)).requiresGrad(true));
              try (var parallel =
                  DataParallel.newBuilder(comm, model)
                      .firstBucketBytes(16)
                      .bucketBytes(20)
                      .build()) {
                assertThat(parallel.buckets())
                    .containsExactly(List.of("e"), List.of("c", "b"), List.of("d"), List.of("a"));
              }
              try (var parallel = DataParallel.over(comm, model)) {
                assertThat(parallel.buckets())
                    .containsExactly(List.of("e", "c", "b", "a"), List.of("d"));
              }
            });
  }

  @Test
  void bucketsStartWhileThePassGoesOn() {
    world(2)
        .run(
            comm -> {
              Map<String, Tensor> model = model(DType.F32, 1);
              List<String> events = Collections.synchronizedList(new ArrayList<>());
              model.get("a").registerPostAccumulateGradHook(_ -> events.add("a"));
              try (var _ =
                  DataParallel.newBuilder(comm, model).firstBucketBytes(1).bucketBytes(1).build()) {
                model
                    .get("a")
                    .registerHook(
                        g -> {
                          events.add("before a: " + started(comm));
                          return g;
                        });
                int before = started(comm);
                loss(model, 1).backward();
                assertThat(events).hasSize(2);
                int at = Integer.parseInt(events.getFirst().substring("before a: ".length()));
                assertThat(at - before).isEqualTo(2); // c's and b's
                assertThat(started(comm) - before).isEqualTo(3);
              }
            });
  }

  private static int started(Comm comm) {
    return (int)
        comm.flightRecorder().entries().stream()
            .filter(entry -> entry.op().equals("all_reduce"))
            .count();
  }

  @Test
  void withoutSyncGradientsAddUpUntilTheNextPass() {
    world(2)
        .run(
            comm -> {
              Map<String, Tensor> model = model(DType.F64, 1);
              try (var parallel = DataParallel.newBuilder(comm, model).findUnused(true).build()) {
                try (var _ = parallel.noSync()) {
                  loss(model, comm.rank() + 1).backward();
                  assertGradients(model, expected(model, comm.rank() + 1));
                }
                loss(model, comm.rank() + 1).backward();
                Map<String, Tensor> sum = new LinkedHashMap<>();
                expected(model, 1, 2).forEach((k, v) -> sum.put(k, Ops.mul(v, Scalar.of(2.0))));
                assertGradients(model, sum);
              }
            });
  }

  @Test
  void aParameterThatNobodyUsesIsNamed() {
    world(2)
        .run(
            comm -> {
              Map<String, Tensor> model = model(DType.F32, 1);
              model.put("unused", Tensor.ones(Shape.of(2)).requiresGrad(true));
              try (var _ = DataParallel.over(comm, model)) {
                assertThatThrownBy(() -> loss(model, 1).backward())
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("ended without a gradient for 'unused'")
                    .hasMessageContaining("findUnused(true)");
                assertThatThrownBy(() -> loss(model, 1).backward())
                    .hasMessageContaining("'unused'");
              }
            });
  }

  @Test
  void unusedParametersAreZerosWhereAnotherRankUsesThem() {
    world(2)
        .run(
            comm -> {
              for (boolean views : new boolean[] {false, true}) {
                Map<String, Tensor> model = model(DType.F64, 1);
                Tensor odd = Tensor.of(1.0, 2.0).requiresGrad(true); // used by rank 1 alone
                Tensor never = Tensor.of(1.0).requiresGrad(true);
                model.put("odd", odd);
                model.put("never", never);
                try (var _ =
                    DataParallel.newBuilder(comm, model)
                        .findUnused(true)
                        .gradientsAsViews(views)
                        .bucketBytes(1)
                        .build()) {
                  Tensor loss = loss(model, 1);
                  if (comm.rank() == 1) {
                    loss = Ops.add(loss, Ops.sum(Ops.mul(odd, Scalar.of(4.0))));
                  }
                  loss.backward();
                  assertThat(odd.grad().toDoubleArray()).containsExactly(2, 2);
                  assertThat(never.grad()).isNull();
                  assertGradients(model, expected(model, 1, 1));
                }
              }
            });
  }

  @Test
  void aGradientThatNobodyAddedToStaysAsItIs() {
    world(7) // the average of seven equal numbers is not always that number
        .run(
            comm -> {
              Map<String, Tensor> model = new LinkedHashMap<>();
              model.put("a", Tensor.randn(DType.F32, Shape.of(100), 3).requiresGrad(true));
              model.put("b", Tensor.randn(DType.F32, Shape.of(100), 4).requiresGrad(true));
              try (var _ =
                  DataParallel.newBuilder(comm, model)
                      .findUnused(true)
                      .gradientsAsViews(true)
                      .build()) {
                Ops.sum(Ops.mul(model.get("a"), model.get("b"))).backward();
                Tensor before = model.get("b").grad().copy();
                Ops.sum(model.get("a")).backward();
                assertThat(model.get("b").grad().equal(before)).isTrue();
              }
            });
  }

  @Test
  void aGradientThatIsAViewStaysOne() {
    world(2)
        .run(
            comm -> {
              Map<String, Tensor> model = model(DType.F32, 1);
              try (var _ = DataParallel.newBuilder(comm, model).gradientsAsViews(true).build()) {
                loss(model, comm.rank()).backward();
                Tensor first = model.get("a").grad();
                assertThat(first.storage()).isSameAs(model.get("c").grad().storage());
                loss(model, comm.rank()).backward();
                assertThat(model.get("a").grad()).isSameAs(first);
                model.values().forEach(Tensor::zeroGrad);
                loss(model, comm.rank()).backward();
                assertThat(model.get("a").grad().storage()).isSameAs(first.storage());
                assertGradients(model, expected(model, 0, 1));
              }
            });
  }

  @Test
  void aDeviceThatNoBackendServesIsTrained() {
    Device adversary = Device.of(AdversarialDevice.INSTANCE.type());
    world(2)
        .run(
            comm -> {
              Map<String, Tensor> model = new LinkedHashMap<>();
              model(DType.F32, comm.rank() + 1)
                  .forEach((k, v) -> model.put(k, v.detach().to(adversary).requiresGrad(true)));
              try (var _ = DataParallel.newBuilder(comm, model).gradientsAsViews(true).build()) {
                assertThat(model.get("a").cpu().toFloatArray()).containsExactly(1, 2, 3, 4);
                loss(model, comm.rank() + 1).backward();
                assertThat(model.get("a").grad().device()).isEqualTo(adversary);
                assertThat(model.get("b").grad().cpu().toFloatArray()).containsExactly(1, 2, 3, 4);
                assertThat(model.get("a").grad().cpu().toFloatArray())
                    .containsExactly(1.5f, 3, 4.5f, 6);
              }
            });
  }

  @Test
  void stepsKeepRanksEqual() {
    List<Tensor> ends =
        world(3)
            .compute(
                comm -> {
                  Map<String, Tensor> model = model(DType.F32, comm.rank());
                  var optimizer = Sgd.newBuilder(model.values()).lr(0.01).momentum(0.9).build();
                  try (var _ = DataParallel.over(comm, model)) {
                    for (int step = 0; step < 5; step++) {
                      optimizer.zeroGrad();
                      loss(model, comm.rank() - step).backward();
                      optimizer.step();
                    }
                  }
                  return model.get("b").detach();
                });
    assertThat(ends.get(1).equal(ends.get(0))).isTrue();
    assertThat(ends.get(2).equal(ends.get(0))).isTrue();
    assertThat(ends.get(0).getFloat(1)).isNotEqualTo(1);
  }

  @Test
  void listsThatDifferAreNamedOnEveryRank() {
    assertDiffer(
        "parameter 1: rank 0 has 'b' f32 [4], rank 2 has 'B' f32 [4]",
        model -> {
          Tensor b = model.remove("b");
          Tensor c = model.remove("c");
          model.put("B", b);
          model.put("c", c);
        });
    assertDiffer(
        "parameter 2: rank 0 has 'c' f32 [4], rank 2 has none", model -> model.remove("c"));
    assertDiffer(
        "parameter 2: rank 0 has 'c' f32 [4], rank 2 has 'c' f32 [5]",
        model -> model.put("c", Tensor.zeros(Shape.of(5)).requiresGrad(true)));
    assertDiffer(
        "parameter 0: rank 0 has 'a' f32 [4], rank 2 has 'a' f64 [4]",
        model -> model.put("a", Tensor.zeros(DType.F64, Shape.of(4)).requiresGrad(true)));
    assertDiffer(
        "parameter 0: rank 0 has 'a' f32 [4], rank 2 has 'a' f32 [4] without a gradient",
        model -> model.get("a").requiresGrad(false));
  }

  private static void assertDiffer(
      String message, java.util.function.Consumer<Map<String, Tensor>> change) {
    world(3)
        .run(
            comm -> {
              Map<String, Tensor> model = model(DType.F32, 0);
              if (comm.rank() == 2) {
                change.accept(model);
              }
              assertThatThrownBy(() -> DataParallel.over(comm, model))
                  .isInstanceOf(CommMismatchException.class)
                  .hasMessageContaining("ranks disagree on data_parallel on comm 'main'")
                  .hasMessageContaining(message);
              comm.barrier(); // the communicator goes on
            });
  }

  @Test
  void aListThatIsWrongOnOneRankIsToldToAll() {
    for (var spoil :
        List.<java.util.function.Consumer<Map<String, Tensor>>>of(
            model -> model.put("b", null),
            model -> model.put("b", Ops.mul(model.get("a"), Scalar.of(2.0))),
            model -> model.values().forEach(t -> t.requiresGrad(false)))) {
      world(3)
          .run(
              comm -> {
                Map<String, Tensor> model = model(DType.F32, 0);
                if (comm.rank() == 1) {
                  spoil.accept(model);
                  assertThatThrownBy(() -> DataParallel.over(comm, model))
                      .isInstanceOf(IllegalArgumentException.class);
                } else {
                  assertThatThrownBy(() -> DataParallel.over(comm, model))
                      .isInstanceOf(CommMismatchException.class)
                      .hasMessageContaining("rank 1 was refused: data_parallel: ");
                }
                comm.barrier();
              });
    }
  }

  @Test
  void aTensorUnderTwoNamesIsOneParameterOnEveryRank() {
    assertDiffer(
        "parameter 2: rank 0 has 'c' f32 [4], rank 2 has 'c' f32 [4], the same as 'a'",
        model -> model.put("c", model.get("a")));
    world(2)
        .run(
            comm -> {
              Map<String, Tensor> model = model(DType.F64, 1);
              model.put("again", model.get("a"));
              try (var parallel = DataParallel.over(comm, model)) {
                assertThat(parallel.buckets()).containsExactly(List.of("c", "b", "a"));
                loss(model, comm.rank() + 1).backward();
                assertGradients(model, expected(model, 1, 2));
              }
            });
  }

  @Test
  void buffersAreMadeEqualWhenAsked() {
    world(3)
        .run(
            comm -> {
              Map<String, Tensor> model = model(DType.F32, 1);
              Tensor running = Tensor.zeros(Shape.of(2));
              Tensor steps = Tensor.zeros(DType.I64, Shape.scalar());
              model.put("running", running);
              model.put("steps", steps);
              try (var parallel = DataParallel.over(comm, model)) {
                running.fill(comm.rank() + 0.5);
                steps.fill(comm.rank() + 7L);
                loss(model, 1).backward();
                assertThat(running.getFloat(1)).isEqualTo(comm.rank() + 0.5f); // not by a pass
                parallel.syncBuffers();
                assertThat(running.toFloatArray()).containsExactly(0.5f, 0.5f);
                assertThat(steps.getLong()).isEqualTo(7);
              }
            });
  }

  @Test
  void twoModelsShareACommunicatorAndAPass() {
    world(2)
        .run(
            comm -> {
              Map<String, Tensor> one = model(DType.F64, 1);
              Map<String, Tensor> two = model(DType.F32, 2);
              try (var _ = DataParallel.newBuilder(comm, one).firstBucketBytes(1).build();
                  var _ = DataParallel.newBuilder(comm, two).findUnused(true).build()) {
                Ops.add(loss(one, comm.rank() + 1), loss(two, comm.rank() + 1)).backward();
                assertGradients(one, expected(one, 1, 2));
                assertGradients(two, expected(two, 1, 2));
                loss(two, comm.rank() + 1).backward(); // and passes of one alone
                assertGradients(one, expected(one, 1, 2));
              }
            });
  }

  @Test
  void bucketsHoldOneDtypeEach() {
    world(2)
        .run(
            comm -> {
              Map<String, Tensor> model = new LinkedHashMap<>();
              model.put("a", Tensor.of(1f, 2).requiresGrad(true));
              model.put("b", Tensor.of(1.0, 2).requiresGrad(true));
              model.put("c", Tensor.of(3f, 4).requiresGrad(true));
              model.put("d", Tensor.of(5f, 6).to(DType.BF16).requiresGrad(true));
              try (var parallel = DataParallel.over(comm, model)) {
                assertThat(parallel.buckets())
                    .containsExactly(List.of("d"), List.of("c", "a"), List.of("b"));
                Tensor sum = Ops.sum(model.get("d")).to(DType.F64);
                for (String name : List.of("a", "b", "c")) {
                  sum = Ops.add(sum, Ops.sum(model.get(name)).to(DType.F64));
                }
                Ops.mul(sum, Scalar.of(comm.rank() + 1.0)).backward();
                model.forEach(
                    (name, t) -> {
                      assertThat(t.grad().dtype()).isEqualTo(t.dtype());
                      assertThat(t.grad().toDoubleArray()).as(name).containsExactly(1.5, 1.5);
                    });
              }
            });
  }

  @Test
  void aPassThatFailsBeforeAnythingWentOutMayBeTriedAgain() {
    world(2)
        .run(
            comm -> {
              Map<String, Tensor> model = model(DType.F64, 1);
              try (var _ = DataParallel.over(comm, model)) { // one bucket: it starts last
                var hook =
                    model
                        .get("b")
                        .registerHook(
                            _ -> {
                              throw new UnsupportedOperationException("from a hook");
                            });
                assertThatThrownBy(() -> loss(model, 1).backward()).hasMessage("from a hook");
                hook.close();
                model.values().forEach(Tensor::zeroGrad);
                loss(model, comm.rank() + 1).backward();
                assertGradients(model, expected(model, 1, 2));
              }
            });
  }

  @Test
  void aPassThatFailsHalfWayIsTheLast() {
    world(2)
        .run(
            comm -> {
              Map<String, Tensor> model = model(DType.F64, 1);
              try (var _ =
                  DataParallel.newBuilder(comm, model).firstBucketBytes(1).bucketBytes(1).build()) {
                model
                    .get("a")
                    .registerHook(
                        _ -> {
                          throw new UnsupportedOperationException("from a hook");
                        });
                assertThatThrownBy(() -> loss(model, 1).backward()).hasMessage("from a hook");
                assertThatThrownBy(() -> loss(model, 1).backward())
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("ranks may be out of step")
                    .hasMessageContaining("from a hook");
              }
            });
  }

  @Test
  void nonsenseIsRefused() {
    world(1)
        .run(
            comm -> {
              Map<String, Tensor> model = model(DType.F32, 0);
              assertThatThrownBy(() -> DataParallel.over(comm, Map.of()))
                  .hasMessageContaining("none of parameters=0 requires a gradient");
              assertThatThrownBy(() -> DataParallel.over(comm, Map.of("x", loss(model, 1))))
                  .hasMessageContaining("parameter 'x' is the result of an operator");
              assertThatThrownBy(() -> DataParallel.newBuilder(comm, model).bucketBytes(0))
                  .hasMessage("bucketBytes=0 is not positive");
            });
  }

  @Test
  void whatIsClosedLeavesPassesAlone() {
    world(2)
        .run(
            comm -> {
              Map<String, Tensor> model = model(DType.F64, 1);
              DataParallel.over(comm, model).close();
              if (comm.rank() == 0) {
                loss(model, 3).backward();
                assertGradients(model, expected(model, 3));
              }
            });
  }
}
