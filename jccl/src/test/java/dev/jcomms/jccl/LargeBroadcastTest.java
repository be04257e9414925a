package dev.jcomms.jccl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jcomms.Comm;
import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Broadcasts in which the root copies, too; and those in which it cannot. */
final class LargeBroadcastTest {
  private static final int ROOT = 1;

  /** A kind of memory. */
  private interface Kind {
    Tensor empty(Comm comm, int bytes);
  }

  private static void broadcast(
      String transport, int ranks, int bytes, Kind roots, Kind firsts, Kind lasts) {
    byte[] content = new byte[bytes];
    new Random(bytes).nextBytes(content);
    FaceRanks.run(
        ranks,
        Jccl.with(AlgorithmCollection.defaults()),
        Map.of("transport", transport, "host.threads", bytes % 2 == 0 ? "1" : "2"),
        comm -> {
          boolean isRoot = comm.rank() == ROOT;
          boolean isLast = comm.rank() == ranks - 1;
          Tensor x = (isRoot ? roots : isLast ? lasts : firsts).empty(comm, bytes);
          for (int i = 0; i < 5; i++) {
            MemorySegment memory = x.segment();
            if (isRoot && i == 0) {
              MemorySegment.copy(MemorySegment.ofArray(content), 0, memory, 0, bytes);
            } else if (!isRoot) {
              memory.fill((byte) i);
            }
            comm.broadcast(x, ROOT);
            assertThat(memory.mismatch(MemorySegment.ofArray(content))).isEqualTo(-1);
          }
        });
  }

  private static Tensor plain(Comm comm, int bytes) {
    return Tensor.zeros(DType.U8, Shape.of(bytes));
  }

  /** About the least size, and what no number of ranks divides. */
  @ParameterizedTest
  @CsvSource({
    "shm, 2, 524287",
    "shm, 2, 524288",
    "shm, 2, 1000003",
    "shm, 3, 524289",
    "shm, 4, 9000001",
    "shm, 8, 600000",
    "local, 2, 1000003",
    "local, 4, 600001"
  })
  void allHaveAllOfIt(String transport, int ranks, int bytes) {
    Kind kind = LargeBroadcastTest::plain;
    broadcast(transport, ranks, bytes, kind, kind, kind);
  }

  @ParameterizedTest
  @ValueSource(ints = {524_288, 2_000_001})
  void inSymmetricMemory(int bytes) {
    Kind kind = (comm, n) -> comm.symmetric(DType.U8, Shape.of(n));
    broadcast("shm", 3, bytes, kind, kind, kind);
  }

  /** Another rank cannot write to an array, or to what its thread has for itself. */
  @ParameterizedTest
  @ValueSource(strings = {"shm", "local"})
  void whereOneTakersMemoryIsItsOwnAlone(String transport) {
    Kind array = (_, n) -> Tensor.wrap(MemorySegment.ofArray(new byte[n]), DType.U8, Shape.of(n));
    Kind confined = (_, n) -> Tensor.wrap(Arena.ofConfined().allocate(n), DType.U8, Shape.of(n));
    for (Kind kind : List.of(array, confined)) {
      broadcast(
          transport, 3, 1_000_001, LargeBroadcastTest::plain, LargeBroadcastTest::plain, kind);
      broadcast(
          transport, 3, 1_000_001, kind, LargeBroadcastTest::plain, LargeBroadcastTest::plain);
    }
  }

  /** They are none of the tensor's, and stay what they are. */
  @ParameterizedTest
  @ValueSource(strings = {"shm", "local"})
  void whatLiesBesideATakersTensorIsLeftAlone(String transport) {
    int bytes = 1_000_003;
    FaceRanks.run(
        2,
        Jccl.with(AlgorithmCollection.defaults()),
        Map.of("transport", transport),
        comm -> {
          byte mine = (byte) (comm.rank() + 1);
          Tensor whole = Tensor.zeros(DType.U8, Shape.of(bytes + 20_000));
          whole.segment().fill(mine);
          Tensor x = whole.narrow(0, 10_000, bytes);
          comm.broadcast(x, ROOT);
          byte[] content = whole.segment().toArray(java.lang.foreign.ValueLayout.JAVA_BYTE);
          byte[] expected = new byte[content.length];
          Arrays.fill(expected, mine);
          Arrays.fill(expected, 10_000, 10_000 + bytes, (byte) (ROOT + 1));
          assertThat(content).isEqualTo(expected);
        });
  }
}
