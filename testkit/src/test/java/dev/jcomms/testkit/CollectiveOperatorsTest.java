package dev.jcomms.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jcomms.Comm;
import dev.jcomms.CommOps;
import dev.jcomms.ReduceOp;
import dev.jcomms.World;
import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Device;
import dev.jcomms.tensor.Ops;
import dev.jcomms.tensor.Scalar;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import dev.jcomms.tensor.autograd.Gradients;
import dev.jcomms.tensor.dispatch.DispatchKey;
import dev.jcomms.tensor.dispatch.Dispatcher;
import dev.jcomms.tensor.dispatch.Library;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Collectives as operators: results, gradients, devices, names. */
final class CollectiveOperatorsTest {
  private static World world(int n) {
    return World.of(n).backend("reference").timeout(Duration.ofSeconds(60));
  }

  /** Different on every rank and at every place. */
  private static Tensor values(Comm comm, long... sizes) {
    Shape shape = Shape.of(sizes);
    Tensor t = Tensor.zeros(DType.F64, shape);
    Tensor flat = t.view(-1);
    for (long i = 0; i < t.elements(); i++) {
      flat.set(comm.rank() * 100 + i + 1, i);
    }
    return t;
  }

  private static Tensor leaf(Comm comm, long... sizes) {
    return values(comm, sizes).requiresGrad(true);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void everyRankGetsTheSumAndKeepsItsOwn(int n) {
    world(n)
        .run(
            comm -> {
              Tensor x = values(comm, 2, 3);
              Tensor before = x.copy();
              Tensor y = CommOps.allReduce(x, ReduceOp.SUM, comm);
              assertThat(x.equal(before)).isTrue();
              assertThat(y.shape()).isEqualTo(x.shape());
              double ranks = 100.0 * n * (n - 1) / 2;
              assertThat(y.getDouble(1, 2)).isEqualTo(ranks + 6.0 * n);
            });
  }

  @Test
  void stridedEmptyAndScalarTensorsAreReduced() {
    world(2)
        .run(
            comm -> {
              Tensor strided = values(comm, 2, 3).transpose(0, 1);
              Tensor y = CommOps.allReduce(strided, ReduceOp.MAX, comm);
              assertThat(y.shape()).isEqualTo(Shape.of(3, 2));
              assertThat(y.getDouble(2, 1)).isEqualTo(106);
              assertThat(CommOps.allReduce(values(comm, 0, 4), ReduceOp.SUM, comm).shape())
                  .isEqualTo(Shape.of(0, 4));
              Tensor number = Tensor.scalar(comm.rank() + 1.0);
              assertThat(CommOps.allReduce(number, ReduceOp.AVG, comm).getDouble()).isEqualTo(1.5);
              assertThat(CommOps.allReduce(Tensor.of(1L, 2L), ReduceOp.PRODUCT, comm).toLongArray())
                  .containsExactly(1, 4);
            });
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void rowsAreGatheredAndScattered(int n) {
    world(n)
        .run(
            comm -> {
              Tensor all = CommOps.allGather(values(comm, 2, 2), comm);
              assertThat(all.shape()).isEqualTo(Shape.of(2L * n, 2));
              assertThat(all.getDouble(2L * (n - 1) + 1, 1)).isEqualTo(100 * (n - 1) + 4);
              Tensor part = CommOps.reduceScatter(values(comm, n, 2), ReduceOp.SUM, comm);
              assertThat(part.shape()).isEqualTo(Shape.of(1, 2));
              assertThat(part.getDouble(0, 1))
                  .isEqualTo(100.0 * n * (n - 1) / 2 + n * (2.0 * comm.rank() + 2));
            });
  }

  @Test
  void sectionsGoToTheirRanks() {
    world(2)
        .run(
            comm -> {
              Tensor even = CommOps.allToAll(values(comm, 4), comm);
              assertThat(even.toDoubleArray())
                  .containsExactly(
                      comm.rank() == 0
                          ? new double[] {1, 2, 101, 102}
                          : new double[] {3, 4, 103, 104});
              // rank 0 sends 1 row to itself and 2 to rank 1; rank 1 sends 1 and none
              long[] in = comm.rank() == 0 ? new long[] {1, 2} : new long[] {1, 0};
              long[] out = comm.rank() == 0 ? new long[] {1, 1} : new long[] {2, 0};
              Tensor x = leaf(comm, comm.rank() == 0 ? 3 : 1);
              Tensor uneven = CommOps.allToAll(x, out, in, comm);
              assertThat(uneven.toDoubleArray())
                  .containsExactly(comm.rank() == 0 ? new double[] {1, 101} : new double[] {2, 3});
              Tensor weights = Tensor.of(comm.rank() * 10 + 1.0, comm.rank() * 10 + 2.0);
              uneven.backward(weights);
              assertThat(x.grad().toDoubleArray())
                  .containsExactly(comm.rank() == 0 ? new double[] {1, 11, 12} : new double[] {2});
            });
  }

  @Test
  void rootsGiveAndGet() {
    world(3)
        .run(
            comm -> {
              Tensor given = CommOps.broadcast(values(comm, 2), 1, comm);
              assertThat(given.toDoubleArray()).containsExactly(101, 102);
              Tensor got = CommOps.reduce(values(comm, 2), ReduceOp.SUM, 2, comm);
              assertThat(got.toDoubleArray())
                  .containsExactly(comm.rank() == 2 ? new double[] {303, 306} : new double[2]);
            });
  }

  /** A loss of all ranks, its gradients on each, against differences. */
  private interface Loss {
    Tensor of(Tensor x, Comm comm);
  }

  private static void checkGradients(int n, Loss loss, long... sizes) {
    world(n)
        .run(
            comm -> {
              Tensor x = leaf(comm, sizes);
              loss.of(x, comm).backward();
              double[] found = x.grad().toDoubleArray();
              for (int rank = 0; rank < n; rank++) {
                for (int i = 0; i < found.length; i++) {
                  double difference = moved(comm, loss, sizes, rank, i, 1e-3);
                  if (rank == comm.rank()) {
                    assertThat(found[i]).isCloseTo(difference, within(1e-4));
                  }
                }
              }
            });
  }

  private static org.assertj.core.data.Offset<Double> within(double bound) {
    return org.assertj.core.data.Offset.offset(bound);
  }

  private static double moved(Comm comm, Loss loss, long[] sizes, int rank, int i, double by) {
    double[] sides = new double[2];
    for (int side = 0; side < 2; side++) {
      Tensor x = values(comm, sizes);
      if (comm.rank() == rank) {
        Tensor flat = x.view(-1);
        flat.set(flat.getDouble(i) + (side == 0 ? by : -by), i);
      }
      Tensor total = loss.of(x, comm);
      comm.allReduce(total, ReduceOp.SUM);
      sides[side] = total.getDouble();
    }
    return (sides[0] - sides[1]) / (2 * by);
  }

  /** Weighs places and ranks differently, so that gradients that went astray show. */
  private static Tensor weighed(Tensor y, Comm comm) {
    Tensor weights = Tensor.zeros(DType.F64, y.shape());
    Tensor flat = weights.view(-1);
    for (long i = 0; i < flat.elements(); i++) {
      flat.set(0.5 + i + 7 * comm.rank(), i);
    }
    return Ops.sum(Ops.mul(Ops.mul(y, y), Ops.mul(weights, Scalar.of(1e-3))));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void gradientsAreThoseOfTheSumOfAllLosses(int n) {
    for (ReduceOp op : List.of(ReduceOp.SUM, ReduceOp.AVG)) {
      checkGradients(n, (x, c) -> weighed(CommOps.allReduce(x, op, c), c), 2, 2);
      checkGradients(n, (x, c) -> weighed(CommOps.reduceScatter(x, op, c), c), n, 2);
      checkGradients(n, (x, c) -> weighed(CommOps.reduce(x, op, n - 1, c), c), 3);
    }
    checkGradients(n, (x, c) -> weighed(CommOps.allGather(x, c), c), 2);
    checkGradients(n, (x, c) -> weighed(CommOps.allToAll(x, c), c), n, 2);
    checkGradients(n, (x, c) -> weighed(CommOps.broadcast(x, n - 1, c), c), 3);
  }

  @Test
  void gradientsHaveGradients() {
    world(2)
        .run(
            comm -> {
              Tensor x = leaf(comm, 2);
              Tensor y = CommOps.allReduce(x, ReduceOp.SUM, comm);
              Tensor cube = Ops.sum(Ops.mul(Ops.mul(y, y), y));
              Tensor first =
                  Gradients.grad(List.of(cube), List.of(x), null, true, true, false).getFirst();
              Ops.sum(first).backward();
              // 2 losses of s^3: 6 s^2; of the sum over both ranks, once more: 24 s
              assertThat(x.grad().getDouble(0)).isEqualTo(24 * 102);
            });
  }

  @Test
  void maximaHaveNoGradient() {
    world(1)
        .run(
            comm -> {
              Tensor y = CommOps.allReduce(leaf(comm, 2), ReduceOp.MAX, comm);
              assertThatThrownBy(() -> Ops.sum(y).backward())
                  .isInstanceOf(UnsupportedOperationException.class)
                  .hasMessage(
                      "comms::all_reduce: reduce op 'max' has no gradient; sum and avg have");
            });
  }

  @Test
  void aDeviceThatNoBackendServesGoesThroughTheHost() {
    Device adversary = Device.of(AdversarialDevice.INSTANCE.type());
    world(2)
        .run(
            comm -> {
              Tensor x = values(comm, 2).to(adversary).requiresGrad(true);
              Tensor y = CommOps.allReduce(x, ReduceOp.SUM, comm);
              assertThat(y.device()).isEqualTo(adversary);
              assertThat(y.cpu().toDoubleArray()).containsExactly(102, 104);
              y.backward(Tensor.of(1.0, 2.0).to(adversary));
              assertThat(x.grad().device()).isEqualTo(adversary);
              assertThat(x.grad().cpu().toDoubleArray()).containsExactly(2, 4);
              Tensor rows = CommOps.allGather(x.detach(), comm);
              assertThat(rows.cpu().toDoubleArray()).containsExactly(1, 2, 101, 102);
            });
  }

  @Test
  void aDevicesOwnKernelIsUsedForwardAndBackward() {
    Device adversary = Device.of(AdversarialDevice.INSTANCE.type());
    AtomicInteger calls = new AtomicInteger();
    try (var _ =
        Library.impl(
            "comms",
            DispatchKey.PRIVATE_USE_3,
            m ->
                m.boxed(
                    "all_reduce",
                    (_, _, args) -> {
                      calls.incrementAndGet();
                      return ((Tensor) args[0]).cpu().fill(42.0).to(adversary);
                    }))) {
      world(1)
          .run(
              comm -> {
                Tensor x = values(comm, 2).to(adversary).requiresGrad(true);
                Tensor y = CommOps.allReduce(x, ReduceOp.SUM, comm);
                assertThat(y.cpu().toDoubleArray()).containsExactly(42, 42);
                y.backward(Tensor.of(1.0, 2.0).to(adversary));
                assertThat(x.grad().cpu().toDoubleArray()).containsExactly(42, 42);
              });
      assertThat(calls).hasValue(2);
    }
  }

  @Test
  void aNameIsEnoughWhereItIsTheOnlyOne() {
    world(1)
        .run(
            comm -> {
              Tensor x = values(comm, 2);
              Comm named = comm.split(List.of(0), comm.options().withName("only-one")).get();
              try (named) {
                assertThat(((Tensor) Dispatcher.call("comms::all_reduce", x, "sum", "only-one")))
                    .matches(y -> y.equal(x));
              }
              assertThatThrownBy(() -> Dispatcher.call("comms::all_reduce", x, "sum", "only-one"))
                  .isInstanceOf(IllegalArgumentException.class)
                  .hasMessageContaining(
                      "comms::all_reduce: no comm 'only-one' is open in this process; open: ")
                  .hasMessageContaining(comm.handle());
            });
  }

  @Test
  void aNameThatThreadsShareIsRefusedWithTheHandles() {
    world(2)
        .run(
            comm -> {
              comm.barrier();
              assertThatThrownBy(
                      () ->
                          Dispatcher.call("comms::all_reduce", values(comm, 1), "sum", comm.name()))
                  .isInstanceOf(IllegalArgumentException.class)
                  .hasMessageContaining("comms of this process are named 'main'")
                  .hasMessageContaining(comm.handle() + " (rank " + comm.rank() + " of 2)");
              comm.barrier();
            });
  }

  @Test
  void wrongArgumentsAreNamed() {
    world(2)
        .run(
            comm -> {
              Tensor three = values(comm, 3);
              assertThatThrownBy(() -> CommOps.reduceScatter(three, ReduceOp.SUM, comm))
                  .hasMessage(
                      "comms::reduce_scatter_tensor: self has shape [3]; its dimension 0 is not a"
                          + " multiple of size=2 of comm 'main'");
              assertThatThrownBy(() -> CommOps.allToAll(three, comm))
                  .hasMessageContaining("not a multiple of size=2");
              assertThatThrownBy(() -> CommOps.allGather(Tensor.scalar(1.0), comm))
                  .hasMessageContaining("comms::all_gather_into_tensor: self is 0-d");
              assertThatThrownBy(() -> CommOps.broadcast(three, 2, comm))
                  .hasMessage("comms::broadcast: root=2 is not a rank of comm 'main' (size 2)");
              assertThatThrownBy(() -> CommOps.allToAll(three, null, new long[] {1, 2}, comm))
                  .hasMessageContaining("input_splits is given alone");
              assertThatThrownBy(() -> CommOps.allReduce(three, ReduceOp.premulSum(2), comm))
                  .hasMessageContaining("premul_sum");
              assertThatThrownBy(
                      () -> Dispatcher.call("comms::all_reduce", three, "sun", comm.handle()))
                  .hasMessageContaining("no reduce op named 'sun'");
            });
  }
}
