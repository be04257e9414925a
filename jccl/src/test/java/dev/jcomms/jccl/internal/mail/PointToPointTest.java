package dev.jcomms.jccl.internal.mail;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jcomms.Collective;
import dev.jcomms.OpOptions;
import dev.jcomms.Work;
import dev.jcomms.jccl.internal.transport.Roster.Transport;
import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Sends, receives and batches, whatever the ranks are reached by. */
class PointToPointTest {
  private static final OpOptions OPTIONS = OpOptions.timeout(Rooms.PATIENCE);

  /** Values that tell sender, receiver, message and position. */
  static Tensor message(int src, int dst, int number, long elements) {
    Tensor tensor = Tensor.empty(DType.I64, Shape.of(elements));
    for (long i = 0; i < elements; i++) {
      tensor.setLong(value(src, dst, number, i), i);
    }
    return tensor;
  }

  private static long value(int src, int dst, int number, long i) {
    return ((src * 100L + dst) * 10_000 + number) * 10_000_000 + i;
  }

  static Tensor empty(long elements) {
    return Tensor.full(DType.I64, Shape.of(elements), -1L);
  }

  static void assertMessage(Tensor tensor, int src, int dst, int number) {
    for (long i = 0; i < tensor.elements(); i++) {
      if (tensor.getLong(i) != value(src, dst, number, i)) {
        assertThat(tensor.getLong(i))
            .as("element %d of message %d from %d to %d", i, number, src, dst)
            .isEqualTo(value(src, dst, number, i));
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void messagesGoAroundARing(Transport transport) {
    for (int size : new int[] {2, 3, 4, 7}) {
      Rooms.run(
          transport,
          size,
          (rank, room) -> {
            int next = (rank + 1) % size;
            int previous = (rank + size - 1) % size;
            int number = 0;
            for (long elements : new long[] {0, 1, 5, 1000, 65_537}) {
              Tensor out = message(rank, next, number, elements);
              Tensor in = empty(elements);
              Collective send = new Collective.Send(out, next, 7);
              Collective recv = new Collective.Recv(in, previous, 7);
              room.perform(rank % 2 == 0 ? send : recv, OPTIONS);
              room.perform(rank % 2 == 0 ? recv : send, OPTIONS);
              assertMessage(in, previous, rank, number++);
            }
          });
    }
  }

  /** Every rank sends first: small messages wait at the receiver, large ones in pending work. */
  @ParameterizedTest
  @EnumSource
  void everybodySendsBeforeReceiving(Transport transport) {
    int size = 4;
    Rooms.run(
        transport,
        size,
        (rank, room) -> {
          int next = (rank + 1) % size;
          int previous = (rank + size - 1) % size;
          for (int round = 0; round < 20; round++) {
            room.perform(new Collective.Send(message(rank, next, round, 100), next, 0), OPTIONS);
          }
          Work large =
              room.submit(new Collective.Send(message(rank, next, 20, 200_000), next, 0), OPTIONS);
          for (int round = 0; round <= 20; round++) {
            Tensor in = empty(round < 20 ? 100 : 200_000);
            room.perform(new Collective.Recv(in, previous, 0), OPTIONS);
            assertMessage(in, previous, rank, round);
          }
          large.await(Rooms.PATIENCE);
        });
  }

  /** Both directions at once, sizes from nothing to 4 MiB, received in another order of tags. */
  @ParameterizedTest
  @EnumSource
  void anyOrderOfTags(Transport transport) {
    Random random = new Random(20_260_801);
    int messages = 60;
    long[] elements = new long[messages];
    for (int i = 0; i < messages; i++) {
      elements[i] = (long) Math.pow(2, random.nextDouble() * 19) - (i % 7 == 0 ? 1 : 0);
    }
    Rooms.run(
        transport,
        3,
        (rank, room) -> {
          List<Work> works = new ArrayList<>();
          List<Runnable> checks = new ArrayList<>();
          for (int peer = 0; peer < 3; peer++) {
            if (peer == rank) {
              continue;
            }
            int other = peer;
            for (int i = 0; i < messages; i++) {
              Tensor out = message(rank, other, i, elements[i]);
              works.add(room.submit(new Collective.Send(out, other, i % 20), OPTIONS));
            }
            // Of one tag in order, but tags in any order.
            List<Integer> tags = new ArrayList<>();
            for (int tag = 0; tag < 20; tag++) {
              tags.add(tag);
            }
            Collections.shuffle(tags, new Random(rank));
            for (int tag : tags) {
              for (int i = tag; i < messages; i += 20) {
                int number = i;
                Tensor in = empty(elements[i]);
                works.add(room.submit(new Collective.Recv(in, other, tag), OPTIONS));
                checks.add(() -> assertMessage(in, other, rank, number));
              }
            }
          }
          works.forEach(work -> work.await(Rooms.PATIENCE));
          checks.forEach(Runnable::run);
        });
  }

  @ParameterizedTest
  @EnumSource
  void batchesMoveEverythingTogether(Transport transport) {
    int size = 4;
    Rooms.run(
        transport,
        size,
        (rank, room) -> {
          for (int round = 0; round < 5; round++) {
            List<Collective.PointToPoint> ops = new ArrayList<>();
            List<Runnable> checks = new ArrayList<>();
            for (int peer = 0; peer < size; peer++) {
              if (peer != rank) {
                int other = peer;
                int number = round;
                long elements = 10_000L * round + rank + peer;
                Tensor in = empty(elements);
                ops.add(new Collective.Send(message(rank, peer, round, elements), peer, 1));
                ops.add(new Collective.Recv(in, peer, 1));
                checks.add(() -> assertMessage(in, other, rank, number));
              }
            }
            Collective batch = new Collective.SendRecvBatch(ops);
            if (round % 2 == 0) {
              room.perform(batch, OPTIONS);
            } else {
              room.submit(batch, OPTIONS).await(Rooms.PATIENCE);
            }
            checks.forEach(Runnable::run);
          }
        });
  }

  /** Tensors over Java arrays, and of every dtype. */
  @ParameterizedTest
  @EnumSource
  void anyMemoryAndDtype(Transport transport) {
    Rooms.run(
        transport,
        2,
        (rank, room) -> {
          for (DType dtype : DType.values()) {
            Tensor tensor = Tensor.full(dtype, Shape.of(40_000), rank == 0 ? 1 : 0);
            room.perform(
                rank == 0 ? new Collective.Send(tensor, 1, 0) : new Collective.Recv(tensor, 0, 0),
                OPTIONS);
            assertThat(tensor.toDoubleArray()).containsOnly(1.0);
          }
          float[] array = new float[100_000];
          java.util.Arrays.fill(array, rank == 0 ? 1 : 0);
          room.perform(
              rank == 0
                  ? new Collective.Send(Tensor.wrap(array), 1, 0)
                  : new Collective.Recv(Tensor.wrap(array), 0, 0),
              OPTIONS);
          assertThat(array).containsOnly(1f);
        });
  }

  /** Three operations on one tensor, none awaited in between. */
  @ParameterizedTest
  @EnumSource
  void operationsOnOneTensorTakeEffectInCallOrder(Transport transport) {
    Rooms.run(
        transport,
        2,
        (rank, room) -> {
          for (long elements : new long[] {10, 100_000}) {
            if (rank == 0) {
              Tensor tensor = message(0, 1, 0, elements);
              Work first = room.submit(new Collective.Send(tensor, 1, 0), OPTIONS);
              Work back = room.submit(new Collective.Recv(tensor, 1, 1), OPTIONS);
              Work again = room.submit(new Collective.Send(tensor, 1, 2), OPTIONS);
              first.await(Rooms.PATIENCE);
              back.await(Rooms.PATIENCE);
              again.await(Rooms.PATIENCE);
            } else {
              Tensor tensor = empty(elements);
              room.perform(new Collective.Recv(tensor, 0, 0), OPTIONS);
              assertMessage(tensor, 0, 1, 0);
              room.perform(new Collective.Send(message(1, 0, 7, elements), 0, 1), OPTIONS);
              room.perform(new Collective.Recv(tensor, 0, 2), OPTIONS);
              assertMessage(tensor, 1, 0, 7);
            }
          }
        });
  }

  @ParameterizedTest
  @EnumSource
  void memoryOfOneThreadIsRefused(Transport transport) {
    Rooms.run(
        transport,
        2,
        (rank, room) -> {
          try (Arena arena = Arena.ofConfined()) {
            Tensor tensor = Tensor.wrap(arena.allocate(80, 8), DType.I64, Shape.of(10));
            assertThatThrownBy(
                    () -> room.perform(new Collective.Send(tensor, 1 - rank, 0), OPTIONS))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("belongs to one thread");
          }
        });
  }
}
