package dev.jcomms.jccl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jcomms.ReduceOp;
import dev.jcomms.Work;
import dev.jcomms.World;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Inputs that lie where outputs do, and not at this rank's own place: few bytes, and many. */
final class OverlapTest {
  private static final int SIZE = 3;

  private static void run(String transport, World.Body body) {
    List<Throwable> ends =
        FaceRanks.run(
            List.of(Jccl.with(AlgorithmCollection.defaults())),
            SIZE,
            Map.of("transport", transport),
            comm -> {
              for (int round = 0; round < 3; round++) {
                body.run(comm);
              }
            });
    assertThat(ends).containsOnlyNulls();
  }

  private static Tensor filled(long elements, float value) {
    Tensor tensor = Tensor.empty(Shape.of(elements));
    tensor.fill(value);
    return tensor;
  }

  private static List<Tensor> sections(Tensor tensor) {
    long each = tensor.elements() / SIZE;
    return IntStream.range(0, SIZE).mapToObj(r -> tensor.narrow(0, r * each, each)).toList();
  }

  private static void assertFilled(Tensor tensor, float value) {
    assertThat(tensor.toFloatArray()).containsOnly(value);
  }

  @ParameterizedTest
  @CsvSource({"local, 4", "local, 300000", "shm, 4", "shm, 300000", "tcp, 4", "tcp, 300000"})
  void everyRankGathersFromTheFirstSection(String transport, long each) {
    run(
        transport,
        comm -> {
          List<Tensor> outputs = sections(filled(SIZE * each, -1));
          outputs.getFirst().fill(10 + comm.rank());
          comm.allGather(outputs, outputs.getFirst());
          for (int r = 0; r < SIZE; r++) {
            assertFilled(outputs.get(r), 10 + r);
          }
          Tensor whole = filled(SIZE * each, -1);
          whole.narrow(0, 0, each).fill(20 + comm.rank());
          comm.allGatherSingle(whole, whole.narrow(0, 0, each));
          for (int r = 0; r < SIZE; r++) {
            assertFilled(sections(whole).get(r), 20 + r);
          }
        });
  }

  @ParameterizedTest
  @CsvSource({"local, 4", "local, 300000", "shm, 4", "shm, 300000", "tcp, 4", "tcp, 300000"})
  void everyRankReducesIntoTheFirstSection(String transport, long each) {
    run(
        transport,
        comm -> {
          Tensor whole = filled(SIZE * each, comm.rank() + 1);
          comm.reduceScatterSingle(whole.narrow(0, 0, each), whole, ReduceOp.SUM);
          assertFilled(whole.narrow(0, 0, each), 6);
          List<Tensor> inputs = sections(filled(SIZE * each, comm.rank() + 2));
          comm.reduceScatter(inputs.getFirst(), inputs, ReduceOp.SUM);
          assertFilled(inputs.getFirst(), 9);
        });
  }

  @ParameterizedTest
  @CsvSource({"local, 1000", "local, 300000", "shm, 1000", "shm, 300000", "tcp, 1000"})
  void sumsAreShifted(String transport, long each) {
    run(
        transport,
        comm -> {
          long shift = each / 3;
          Tensor base = filled(each + shift, comm.rank() + 1);
          comm.allReduce(base.narrow(0, shift, each), base.narrow(0, 0, each), ReduceOp.SUM);
          assertFilled(base.narrow(0, shift, each), 6);
        });
  }

  @ParameterizedTest
  @CsvSource({"local, 4", "local, 300000", "shm, 4", "shm, 300000", "tcp, 4", "tcp, 300000"})
  void theRootScattersIntoAnothersSection(String transport, long each) {
    run(
        transport,
        comm -> {
          List<Tensor> inputs = sections(filled(SIZE * each, 0));
          for (int r = 0; r < SIZE; r++) {
            inputs.get(r).fill(10 + r);
          }
          Tensor output = comm.rank() == 0 ? inputs.get(1) : filled(each, 0);
          comm.scatter(output, inputs, 0);
          assertFilled(output, 10 + comm.rank());
        });
  }

  @ParameterizedTest
  @CsvSource({"local, 4", "local, 3000000", "shm, 4", "shm, 3000000", "tcp, 4", "tcp, 3000000"})
  void aBatchSendsWhatItReceivesInto(String transport, long each) {
    run(
        transport,
        comm -> {
          int next = (comm.rank() + 1) % SIZE;
          int previous = (comm.rank() + SIZE - 1) % SIZE;
          Tensor both = filled(each, comm.rank());
          comm.batch().send(both, next).recv(both, previous).issue();
          assertFilled(both, previous);
        });
  }

  /** What the others have sent is there before the batch is: it is received at once. */
  @ParameterizedTest
  @CsvSource({"local", "shm", "tcp"})
  void aBatchThatReceivesFirstSendsWhatWasThereBefore(String transport) {
    run(
        transport,
        comm -> {
          int next = (comm.rank() + 1) % SIZE;
          int previous = (comm.rank() + SIZE - 1) % SIZE;
          Tensor both = filled(4, comm.rank());
          Tensor passedOn = filled(4, -1);
          Work sent = comm.sendAsync(filled(4, 10 + comm.rank()), next);
          comm.barrier();
          comm.batch().recv(both, previous).send(both, next).recv(passedOn, previous).issue();
          sent.await();
          assertFilled(both, 10 + previous);
          assertFilled(passedOn, previous);
        });
  }
}
