package dev.jcomms.jccl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jcomms.ReduceOp;
import dev.jcomms.Work;
import dev.jcomms.World;
import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tensors that an operation names, and this rank does not write, or not use at all. */
final class UnusedTensorsTest {
  private static final long MANY = 4_000_000;

  private static void run(Map<String, String> hints, World.Body body) {
    List<Throwable> ends =
        FaceRanks.run(List.of(Jccl.with(AlgorithmCollection.defaults())), 2, hints, body);
    assertThat(ends).containsOnlyNulls();
  }

  /** The receive comes after the broadcast: a root that waited for it would wait for ever. */
  @ParameterizedTest
  @ValueSource(strings = {"local", "shm", "tcp"})
  void aRootBroadcastsWhatIsStillBeingSent(String transport) {
    run(
        Map.of("transport", transport),
        comm -> {
          Tensor x = Tensor.empty(Shape.of(MANY));
          x.fill(comm.rank() == 0 ? 7 : 0);
          if (comm.rank() == 0) {
            Work sent = comm.sendAsync(x, 1);
            comm.broadcast(x, 0);
            sent.await();
          } else {
            comm.broadcast(x, 0);
            Tensor y = Tensor.zeros(Shape.of(MANY));
            comm.recv(y, 0);
            assertThat(y.toFloatArray()).containsOnly(7);
          }
          assertThat(x.toFloatArray()).containsOnly(7);
        });
  }

  @ParameterizedTest
  @CsvSource({"transport, local", "transport, shm", "transport, tcp", "ranks_per_host, 2"})
  void aRootBroadcastsWhatIsReadOnly(String hint, String value) {
    List<Throwable> ends =
        FaceRanks.run(
            List.of(Jccl.with(AlgorithmCollection.defaults())),
            3,
            Map.of(hint, value),
            comm -> {
              for (long elements : new long[] {1, 20, 100, 30_000, MANY}) {
                for (int root = 0; root < 3; root++) {
                  Tensor x = Tensor.full(Shape.of(elements), comm.rank() + 1);
                  Tensor given =
                      Tensor.wrap(x.segment().asReadOnly(), DType.F32, Shape.of(elements));
                  comm.broadcast(comm.rank() == root ? given : x, root);
                  assertThat(x.getFloat(elements - 1)).isEqualTo(root + 1);
                }
              }
            });
    assertThat(ends).containsOnlyNulls();
  }

  @ParameterizedTest
  @ValueSource(strings = {"local", "shm", "tcp"})
  void whoIsNoRootReducesWhatIsStillBeingSent(String transport) {
    run(
        Map.of("transport", transport),
        comm -> {
          Tensor x = Tensor.ones(Shape.of(MANY));
          if (comm.rank() == 1) {
            Work sent = comm.sendAsync(x, 0);
            comm.reduce(x, 0, ReduceOp.SUM);
            sent.await();
          } else {
            comm.reduce(x, 0, ReduceOp.SUM);
            assertThat(x.toFloatArray()).containsOnly(2);
            comm.recv(x, 1);
            assertThat(x.toFloatArray()).containsOnly(1);
          }
        });
  }

  @ParameterizedTest
  @ValueSource(strings = {"local", "shm", "tcp"})
  void listsOfARootAreNotLookedAtElsewhere(String transport) {
    run(
        Map.of("transport", transport, "tcp.lanes", "2"),
        comm -> {
          long each = 1 << 21;
          Tensor strange = Tensor.zeros(Shape.of(2, 2)).transpose(0, 1);
          Tensor mine = Tensor.empty(Shape.of(each));
          mine.fill(comm.rank() + 1);
          List<Tensor> all =
              comm.rank() == 0
                  ? List.of(Tensor.zeros(Shape.of(each)), Tensor.zeros(Shape.of(each)))
                  : List.of(strange, strange);
          comm.gather(all, mine, 0);
          if (comm.rank() == 0) {
            assertThat(all.get(0).toFloatArray()).containsOnly(1);
            assertThat(all.get(1).toFloatArray()).containsOnly(2);
          }
          comm.scatter(mine, all, 0);
          assertThat(mine.toFloatArray()).containsOnly(comm.rank() + 1);
        });
  }
}
