package dev.jcomms.jccl.internal.mail;

import static dev.jcomms.jccl.internal.mail.Windows.OPTIONS;
import static dev.jcomms.jccl.internal.mail.Windows.done;
import static dev.jcomms.jccl.internal.mail.Windows.filled;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.jcomms.CommException;
import dev.jcomms.PeerLostException;
import dev.jcomms.ReduceOp;
import dev.jcomms.Window;
import dev.jcomms.Work;
import dev.jcomms.jccl.internal.transport.Roster.Transport;
import dev.jcomms.spi.WindowBackend.RegisteredWindow;
import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Windows over memory that ranks of a host share. */
class SharedWindowTest {
  /** Puts and gets go there directly. */
  @Test
  void sharedMemoryIsReachedDirectly() {
    int size = 3;
    int elements = 1000;
    try (Arena arena = Arena.ofShared()) {
      SharedArea shared = new SharedArea(arena, size, elements);
      try (Rooms rooms = Rooms.open(Transport.SHM, size, Duration.ofSeconds(20), shared)) {
        rooms.run(
            (rank, room) -> {
              Tensor memory = shared.of(rank);
              RegisteredWindow window = room.register(memory, OPTIONS);
              int next = (rank + 1) % size;
              int previous = (rank + size - 1) % size;
              assertThat(window.attributes(next).access()).isEqualTo(Window.Access.UNIFIED);
              for (int round = 0; round < 50; round++) {
                done(
                    window.put(
                        PointToPointTest.message(rank, next, round, elements), next, 0, OPTIONS));
                PointToPointTest.assertMessage(window.mapRemote(next), rank, next, round);
                done(window.signal(next, OPTIONS));
                done(window.awaitSignal(previous, OPTIONS));
                PointToPointTest.assertMessage(memory, previous, rank, round);
                done(window.signal(previous, OPTIONS));
                done(window.awaitSignal(next, OPTIONS));
              }
              memory.fill(0);
              done(window.fence(OPTIONS));
              for (int dst = 0; dst < size; dst++) {
                done(window.accumulate(filled(elements, 1), dst, 0, ReduceOp.SUM, OPTIONS));
                done(window.flush(dst, OPTIONS));
              }
              done(window.fence(OPTIONS));
              assertThat(memory.toLongArray()).containsOnly(size);
              window.close();
            });
      }
    }
  }

  /** An accumulate goes by mail, a put need not: it must not overtake. */
  @Test
  void whatIsAskedOfSharedMemoryIsDoneInOrder() {
    int elements = 50_000;
    try (Arena arena = Arena.ofShared()) {
      SharedArea shared = new SharedArea(arena, 2, elements);
      try (Rooms rooms = Rooms.open(Transport.SHM, 2, Duration.ofSeconds(20), shared)) {
        rooms.run(
            (rank, room) -> {
              RegisteredWindow window = room.register(shared.of(rank), OPTIONS);
              int peer = 1 - rank;
              for (int round = 0; round < 20; round++) {
                done(window.put(filled(elements, 100), peer, 0, OPTIONS));
                done(window.accumulate(filled(elements, 1), peer, 0, ReduceOp.SUM, OPTIONS));
                Tensor seen = filled(elements, -1);
                done(window.get(seen, peer, 0, OPTIONS));
                assertThat(seen.toLongArray()).containsOnly(101);
                done(window.accumulate(filled(elements, 1), peer, 0, ReduceOp.SUM, OPTIONS));
                done(window.put(filled(elements, 7), peer, 0, OPTIONS));
                done(window.flush(peer, OPTIONS));
                assertThat(window.mapRemote(peer).toLongArray()).containsOnly(7);
              }
              window.close();
            });
      }
    }
  }

  /** The get goes by mail behind an accumulate, and is under way when that is known to be done. */
  @Test
  void aFlushOfSharedMemoryWaitsForAGetThatWentByMail() {
    int elements = 1 << 22;
    try (Arena arena = Arena.ofShared()) {
      SharedArea shared = new SharedArea(arena, 2, elements);
      try (Rooms rooms = Rooms.open(Transport.SHM, 2, Duration.ofSeconds(20), shared)) {
        rooms.run(
            (rank, room) -> {
              RegisteredWindow window = room.register(shared.of(rank), OPTIONS);
              Tensor last = filled(1, -2);
              for (int round = 0; rank == 0 && round < 5; round++) {
                done(window.put(filled(elements, round), 1, 0, OPTIONS));
                done(window.accumulate(filled(1, 0), 1, 0, ReduceOp.SUM, OPTIONS));
                Work flush = window.flush(1, OPTIONS);
                Tensor seen = filled(elements, -1);
                Work get = window.get(seen, 1, 0, OPTIONS);
                done(flush);
                done(window.flush(1, OPTIONS));
                done(window.put(last, 1, elements - 1, OPTIONS));
                done(get);
                assertThat(seen.equal(filled(elements, round))).isTrue();
              }
              window.close();
            });
      }
    }
  }

  @Test
  void aFlushOfSharedMemoryWaitsForWhatOtherThreadsFlushToo() {
    int threads = 4;
    int each = 2000;
    try (Arena arena = Arena.ofShared()) {
      SharedArea shared = new SharedArea(arena, 2, threads * each);
      try (Rooms rooms = Rooms.open(Transport.SHM, 2, Duration.ofSeconds(20), shared)) {
        rooms.run(
            (rank, room) -> {
              RegisteredWindow window = room.register(shared.of(rank), OPTIONS);
              int peer = 1 - rank;
              IntStream.range(0, threads)
                  .parallel()
                  .forEach(
                      thread -> {
                        long at = (long) thread * each;
                        for (int round = 1; round <= 100; round++) {
                          done(window.accumulate(filled(each, 1), peer, at, ReduceOp.SUM, OPTIONS));
                          done(window.flush(peer, OPTIONS));
                          assertThat(window.mapRemote(peer).narrow(0, at, each).toLongArray())
                              .containsOnly(round);
                        }
                      });
              window.close();
            });
      }
    }
  }

  @Test
  void memoryOfARankThatHasLeftIsNotWrittenThoughItIsAtHand() {
    try (Arena arena = Arena.ofShared()) {
      SharedArea shared = new SharedArea(arena, 2, 10);
      try (Rooms rooms = Rooms.open(Transport.SHM, 2, Duration.ofSeconds(20), shared)) {
        rooms.run(
            (rank, room) -> {
              RegisteredWindow window = room.register(shared.of(rank), OPTIONS);
              if (rank == 0) {
                room.close();
              } else {
                CommException e =
                    catchThrowableOfType(
                        CommException.class,
                        () -> {
                          while (true) {
                            done(window.put(filled(10, 1), 0, 0, OPTIONS));
                          }
                        });
                assertThat(e).isInstanceOf(PeerLostException.class);
                assertThat(e.missingRanks()).containsExactly(0);
              }
            });
      }
    }
  }

  /** Memory that all ranks see, as symmetric memory is. */
  private record SharedArea(MemorySegment all, int elements) implements SharedMemory {
    SharedArea(Arena arena, int ranks, int elements) {
      this(arena.allocate(8L * ranks * elements, 64), elements);
    }

    Tensor of(int rank) {
      MemorySegment part = all.asSlice(8L * elements * rank, 8L * elements);
      return Tensor.wrap(part, DType.I64, Shape.of(elements));
    }

    @Override
    public long describe(MemorySegment segment) {
      long offset = segment.address() - all.address();
      return offset >= 0 && offset < all.byteSize() ? offset + 1 : 0;
    }

    @Override
    public MemorySegment resolve(int rank, long description, long bytes) {
      return all.asSlice(description - 1, bytes);
    }
  }
}
