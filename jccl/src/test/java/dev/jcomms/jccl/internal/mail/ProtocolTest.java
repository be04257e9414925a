package dev.jcomms.jccl.internal.mail;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jcomms.Collective;
import dev.jcomms.CommAbortedException;
import dev.jcomms.CommException;
import dev.jcomms.CommMismatchException;
import dev.jcomms.CommTimeoutException;
import dev.jcomms.PeerLostException;
import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import java.lang.foreign.Arena;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The protocol of two ranks over a pipe, moved by hand. */
class ProtocolTest {
  /** One rank: what it was told, and what it can be made to do. */
  private static final class End implements Ear {
    final Guard guard = new Guard();
    final List<CommException> told = new ArrayList<>();
    final List<CommException> elsewhere = new ArrayList<>();
    final List<CommException> left = new ArrayList<>();
    final List<PeerLostException> lost = new ArrayList<>();
    final WindowBook book = new WindowBook(2);
    final PipedCorrespondent peer;

    End(int rank, Pipe pipe) {
      this.peer = new PipedCorrespondent(rank, 1 - rank, pipe, guard, this, book, Arena.ofAuto());
    }

    @Override
    public void claimed(int from, PeerLostException loss, CommException elsewhere) {
      told(loss, elsewhere);
    }

    @Override
    public void told(CommException failure, CommException elsewhere) {
      told.add(failure);
      this.elsewhere.add(elsewhere);
    }

    @Override
    public void left(int rank, CommException reason) {
      left.add(reason);
    }

    @Override
    public void lost(PeerLostException loss) {
      lost.add(loss);
    }

    @Override
    public void settled(Runnable then) {
      then.run();
    }

    Job send(Tensor tensor, int tag) {
      return post(new Collective.Send(tensor, 1, tag));
    }

    Job receive(Tensor tensor, int tag) {
      return post(new Collective.Recv(tensor, 0, tag));
    }

    private Job post(Collective.PointToPoint op) {
      Job job = new Job(_ -> {});
      peer.post(job, op);
      job.begun();
      return job;
    }

    boolean progress() {
      return with(PipedCorrespondent::progress);
    }

    <T> T with(java.util.function.Function<PipedCorrespondent, T> action) {
      guard.enter();
      try {
        return action.apply(peer);
      } finally {
        guard.leave();
      }
    }

    void tell(Consumer<PipedCorrespondent> action) {
      with(
          it -> {
            action.accept(it);
            return null;
          });
    }
  }

  private final MemoryPipe[] pipes = MemoryPipe.pair(2 << 20);
  private final End zero = new End(0, pipes[0]);
  private final End one = new End(1, pipes[1]);

  private void exchange() {
    long deadline = System.nanoTime() + Rooms.PATIENCE.toNanos();
    while (zero.progress() | one.progress()) {
      assertThat(System.nanoTime()).isLessThan(deadline);
    }
  }

  private static Tensor of(long elements, long first) {
    return Tensor.arange(first, first + elements);
  }

  private static Tensor blank(long elements) {
    return Tensor.zeros(DType.I64, Shape.of(elements));
  }

  @Test
  void aSmallSendIsDoneAtOnceAndAnyLargeOneWhenItIsReceived() {
    Job small = zero.send(of(10, 1), 0);
    Job large = zero.send(of(10_000, 1), 0);
    assertThat(small.isOver()).isTrue();
    exchange();
    assertThat(large.isOver()).isFalse();
    assertThat(large.text()).contains("rank 1 has no receive for it yet");
    Tensor first = blank(10);
    Tensor second = blank(10_000);
    assertThat(one.receive(first, 0).isOver()).isTrue();
    Job receive = one.receive(second, 0);
    exchange();
    assertThat(large.isOver()).isTrue();
    assertThat(receive.isOver()).isTrue();
    assertThat(second.toLongArray()).isEqualTo(of(10_000, 1).toLongArray());
  }

  @Test
  void whatNobodyReceivesStaysBounded() {
    int sent = 0;
    while (zero.send(of(100, 0), sent).isOver()) {
      exchange();
      sent++;
    }
    assertThat(sent * 864L).isBetween(SendDesk.CREDIT - 864, SendDesk.CREDIT);
    // Offers still pass: the last one can be received first.
    Job last = zero.send(of(100, 5), 99_999);
    exchange();
    assertThat(pipes[0].unread()).isZero();
    assertThat(last.isOver()).isFalse();
    Tensor tensor = blank(100);
    Job received = one.receive(tensor, 99_999);
    exchange();
    assertThat(received.isOver()).isTrue();
    assertThat(last.isOver()).isTrue();
    assertThat(tensor.toLongArray()).isEqualTo(of(100, 5).toLongArray());
    // And credit comes back with receives.
    for (int tag = 0; tag < sent; tag++) {
      assertThat(one.receive(blank(100), tag).isOver()).isTrue();
    }
    exchange();
    assertThat(zero.send(of(100, 0), -1).isOver()).isTrue();
  }

  @Test
  void aLongStreamHoldsUpNothing() {
    MemoryPipe[] narrow = MemoryPipe.pair(100_000);
    End left = new End(0, narrow[0]);
    End right = new End(1, narrow[1]);
    Job large = left.send(of(1_000_000, 0), 1);
    Tensor whole = blank(1_000_000);
    right.receive(whole, 1);
    Tensor small = blank(5);
    Job received = right.receive(small, 2);
    right.progress();
    left.progress();
    assertThat(large.isOver()).isFalse();
    left.send(of(5, 7), 2);
    for (int i = 0; i < 3; i++) {
      right.progress();
      left.progress();
    }
    assertThat(received.isOver()).isTrue();
    assertThat(large.isOver()).isFalse();
  }

  @Test
  void sizesThatDifferAreToldToBoth() {
    Job send = zero.send(of(10_000, 0), 3);
    Tensor tensor = blank(9_999);
    Job receive = one.receive(tensor, 3);
    exchange();
    assertThat(receive.failure())
        .isInstanceOf(CommMismatchException.class)
        .hasMessageContaining("rank 1 has recv of 9999 x i64, rank 0 has send of 10000 x i64");
    assertThat(send.failure())
        .isInstanceOf(CommMismatchException.class)
        .hasMessageContaining("rank 0 has send of 10000 x i64, rank 1 has recv of 9999 x i64");
    assertThat(tensor.toLongArray()).containsOnly(0);
  }

  @Test
  void dtypesThatDifferAreToldEvenOfSmallMessages() {
    zero.send(of(4, 0), 3);
    exchange();
    Tensor tensor = Tensor.zeros(DType.F64, Shape.of(4));
    Job receive = one.receive(tensor, 3);
    assertThat(receive.failure())
        .isInstanceOf(CommMismatchException.class)
        .hasMessageContaining("rank 1 has recv of 4 x f64, rank 0 has send of 4 x i64");
  }

  @Test
  void aReceiveThatIsGivenUpIsNotWritten() {
    Tensor tensor = blank(10_000);
    Job receive = one.receive(tensor, 0);
    Job send = zero.send(of(10_000, 1), 0);
    one.progress(); // takes it
    zero.progress(); // sends some of it
    receive.fail(new CommAbortedException("enough"));
    exchange();
    assertThat(send.isOver()).isTrue();
    assertThat(tensor.toLongArray()).containsOnly(0);
    assertThat(one.lost).isEmpty();
  }

  /** The frame that was begun is finished from a copy: the sender's tensor may change by then. */
  @Test
  void aSendThatIsGivenUpIsNotRead() {
    MemoryPipe[] narrow = MemoryPipe.pair(1000);
    End left = new End(0, narrow[0]);
    End right = new End(1, narrow[1]);
    Tensor out = of(100, 1);
    Job first = left.send(of(100, 1), 0);
    Job send = left.send(out, 0);
    assertThat(first.isOver()).isTrue();
    assertThat(send.isOver()).isFalse();
    send.fail(new CommAbortedException("enough"));
    out.fill(-1);
    Tensor in = blank(100);
    Tensor second = blank(100);
    Job a = right.receive(in, 0);
    Job b = right.receive(second, 0);
    while (left.progress() | right.progress()) {}
    assertThat(a.isOver()).isTrue();
    assertThat(b.isOver()).isTrue();
    assertThat(second.toLongArray()).isEqualTo(of(100, 1).toLongArray());
  }

  @Test
  void failuresReachThePeer() {
    zero.tell(it -> it.tell(new PeerLostException(Set.of(5, 7), "rank 5 is lost: gone")));
    zero.tell(it -> it.tell(new CommMismatchException("rank 0 has a, rank 3 has b", Set.of(3))));
    zero.tell(it -> it.tell(new CommAbortedException("enough")));
    zero.tell(it -> it.tell(new PeerLostException(Set.of(1), "not heard of")));
    exchange();
    assertThat(one.told).hasSize(4);
    assertThat(one.told.get(0)).isInstanceOf(PeerLostException.class);
    assertThat(one.told.get(0).missingRanks()).containsExactly(5, 7);
    assertThat(one.told.get(0).detail()).isEqualTo("rank 5 is lost: gone");
    assertThat(one.told.get(1)).isInstanceOf(CommMismatchException.class);
    assertThat(one.told.get(1).detail()).isEqualTo("rank 0 has a, rank 3 has b");
    assertThat(one.told.get(2)).isInstanceOf(CommAbortedException.class);
    assertThat(one.told.get(2).detail()).isEqualTo("rank 0: enough");
    assertThat(one.told.get(3).missingRanks()).as("who gave whom up").containsExactly(0);
    assertThat(one.elsewhere.get(3).missingRanks()).as("and lives").containsExactly(0);
    assertThat(one.left).isEmpty();
  }

  @Test
  void whoGivesUpFailsWhatNeedsIt() {
    zero.tell(it -> it.tell(new CommTimeoutException(Duration.ofSeconds(1), "x", Set.of(2))));
    exchange();
    assertThat(one.told).isEmpty();
    assertThat(one.left).hasSize(1);
    assertThat(one.receive(blank(1), 0).failure())
        .isInstanceOf(CommAbortedException.class)
        .hasMessageContaining("rank 0 has given up")
        .hasMessageContaining("timed out after 1.0 s");
  }

  @Test
  void afterAGoodbyeThereIsWhatHasArrivedAndNothingElse() {
    zero.send(of(4, 1), 0);
    zero.send(of(4_000, 1), 1);
    List<String> parted = new ArrayList<>();
    zero.tell(it -> it.sayGoodbye(null, () -> parted.add("seen")));
    exchange();
    assertThat(parted).containsExactly("seen");
    zero.tell(PipedCorrespondent::close);
    exchange();
    assertThat(one.lost).isEmpty();
    Tensor tensor = blank(4);
    assertThat(one.receive(tensor, 0).failure()).isNull();
    assertThat(tensor.toLongArray()).containsExactly(1, 2, 3, 4);
    for (int tag = 0; tag < 2; tag++) {
      assertThat(one.receive(blank(4_000), tag).failure())
          .isInstanceOf(PeerLostException.class)
          .hasMessageContaining("rank 0 has closed the communicator");
    }
    assertThat(one.post(new Collective.Send(blank(1), 0, 0)).failure().missingRanks())
        .containsExactly(0);
  }

  /** What it needs may also come to an end without a goodbye: that it was told why still counts. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void whoLeavesAfterAFailureIsNotItsCause(boolean withGoodbye) {
    CommMismatchException failure = new CommMismatchException("rank 3 has a", Set.of(3));
    if (withGoodbye) {
      zero.tell(it -> it.sayGoodbye(failure, () -> {}));
    } else {
      zero.tell(it -> it.tell(failure));
      zero.tell(PipedCorrespondent::close);
    }
    exchange();
    assertThat(one.told).hasSize(1);
    assertThat(one.left).containsExactly(one.told.getFirst());
    assertThat(one.receive(blank(1), 0).failure())
        .isInstanceOf(CommMismatchException.class)
        .hasMessageContaining("rank 3 has a");
  }

  @Test
  void anEndWithoutAGoodbyeIsALoss() {
    zero.tell(PipedCorrespondent::close);
    exchange();
    assertThat(one.lost).hasSize(1);
    assertThat(one.lost.getFirst().missingRanks()).containsExactly(0);
    assertThat(one.lost.getFirst()).hasMessageContaining("its connection has ended");
  }

  @Test
  void whoIsGivenUpLearnsIt() {
    one.tell(it -> it.lose("not heard of for 5.0 s"));
    exchange();
    assertThat(zero.told).hasSize(1);
    assertThat(zero.told.getFirst().missingRanks()).containsExactly(1);
    assertThat(zero.told.getFirst())
        .hasMessageContaining("rank 1 has given this rank up")
        .hasMessageContaining("not heard of for 5.0 s");
  }

  // ---- what no peer sends

  record Hostile(String what, Consumer<MemoryPipe> frames) {
    @Override
    public String toString() {
      return what;
    }
  }

  private static Hostile frame(String what, Kind kind, Consumer<Header> with, int payload) {
    return new Hostile(
        what,
        pipe -> {
          Header header = new Header().of(kind);
          header.payload = payload;
          with.accept(header);
          pipe.send(header, new byte[Math.clamp(header.payload, 0, 1 << 20)]);
        });
  }

  static Stream<Hostile> hostileFrames() {
    Consumer<Header> offer =
        header -> {
          header.id = 1;
          header.offset = 1;
          header.dtype = (byte) DType.U8.ordinal();
        };
    return Stream.of(
        new Hostile(
            "text",
            pipe -> pipe.send("GET / HTTP/1.1\r\nHost: localhost:29500\r\n\r\n\r\n".getBytes())),
        new Hostile("zeros", pipe -> pipe.send(new byte[100])),
        new Hostile(
            "an unknown kind",
            pipe -> {
              byte[] bytes = new byte[Header.BYTES];
              new Header().of(Kind.BEAT).write(java.lang.foreign.MemorySegment.ofArray(bytes));
              bytes[4] = 99;
              pipe.send(bytes);
            }),
        frame("a payload of -1", Kind.OFFER, header -> header.payload = -1, 0),
        frame("a payload of 2 GiB", Kind.OFFER, header -> header.payload = Integer.MAX_VALUE, 0),
        frame("a beat with a payload", Kind.BEAT, _ -> {}, 10),
        frame("an offer of no dtype", Kind.OFFER, offer.andThen(h -> h.dtype = 77), 0),
        frame("an offer of -1 elements", Kind.OFFER, offer.andThen(h -> h.length = -1), 0),
        frame(
            "an offer of more than there is",
            Kind.OFFER,
            offer.andThen(
                h -> {
                  h.dtype = (byte) DType.F64.ordinal();
                  h.length = Long.MAX_VALUE / 4;
                }),
            0),
        frame("an offer with too few bytes", Kind.OFFER, offer.andThen(h -> h.length = 10), 9),
        frame("an offer of an old number", Kind.OFFER, offer.andThen(h -> h.id = 0), 0),
        new Hostile(
            "more than may be sent unasked",
            pipe -> {
              for (int i = 1; i < 10; i++) {
                Header header = new Header().of(Kind.OFFER);
                offer.accept(header);
                header.id = i;
                header.length = 200_000;
                header.payload = 200_000;
                pipe.send(header, new byte[200_000]);
              }
            }),
        frame("a take of what was not offered", Kind.TAKE, header -> header.id = 5, 0),
        frame("data that was not asked for", Kind.DATA, header -> header.id = 5, 10),
        frame("credit that was not given", Kind.CREDIT, header -> header.length = 1, 0),
        frame("credit of less than nothing", Kind.CREDIT, header -> header.length = -1, 0),
        frame("a refusal of no dtype", Kind.REFUSE, header -> header.dtype = -1, 0),
        frame("a loss of too many", Kind.LOST, header -> header.tag = 1_000_000, 10),
        frame("a loss of less than none", Kind.LOST, header -> header.tag = -1, 10),
        frame("news that are too long", Kind.ABORTED, _ -> {}, 100_000),
        frame("a put into no window", Kind.PUT, header -> header.tag = 1, 8),
        frame("a put before the window", Kind.PUT, header -> header.offset = -8, 8),
        frame("a put across its end", Kind.PUT, header -> header.offset = 8, 80),
        frame("a put far behind it", Kind.PUT, header -> header.offset = Long.MAX_VALUE, 8),
        frame("an accumulate across its end", Kind.ACCUMULATE, header -> header.offset = 8, 80),
        frame("an accumulate of half an element", Kind.ACCUMULATE, _ -> {}, 4),
        frame("an accumulate between elements", Kind.ACCUMULATE, header -> header.offset = 4, 8),
        frame("an accumulate by no op", Kind.ACCUMULATE, header -> header.redop = 50, 8),
        frame("an accumulate by avg", Kind.ACCUMULATE, header -> header.redop = 7, 8),
        frame("a get across the end", Kind.GET, header -> header.length = 88, 0),
        frame("a get of less than nothing", Kind.GET, header -> header.length = -8, 0),
        frame("a get of more than there is", Kind.GET, header -> header.length = Long.MAX_VALUE, 0),
        frame("an answer that was not asked for", Kind.GOT, header -> header.id = 3, 8),
        frame("a flush that was not asked for", Kind.FLUSHED, header -> header.id = 3, 0),
        frame("a signal to no window", Kind.SIGNAL, header -> header.tag = -1, 0),
        frame("a fence of no window", Kind.FENCE, header -> header.tag = 7, 0),
        frame("the end of no window", Kind.DEREGISTER, header -> header.tag = 7, 0),
        frame("a window of no dtype", Kind.REGISTER, header -> header.dtype = 99, 0),
        frame("a window of -1 elements", Kind.REGISTER, header -> header.length = -1, 0),
        frame("a window far ahead", Kind.REGISTER, header -> header.tag = 1_000_000, 0));
  }

  @ParameterizedTest
  @MethodSource("hostileFrames")
  void whoSendsNonsenseIsLost(Hostile hostile) {
    Tensor tensor = blank(10);
    one.receive(tensor, 12_345);
    Tensor window = blank(10);
    one.book.open(new WindowPart(1, one.book.nextNumber(WindowBook.Series.USERS), window, 2));
    hostile.frames.accept(pipes[0]);
    while (one.progress()) {}
    assertThat(one.lost).hasSize(1);
    assertThat(one.lost.getFirst()).hasMessageContaining("rank 0 is lost: it sent a bad frame");
    assertThat(one.lost.getFirst().missingRanks()).containsExactly(0);
    assertThat(tensor.toLongArray()).containsOnly(0);
    assertThat(window.toLongArray()).containsOnly(0);
  }

  @Test
  void dataBeyondTheEndIsNotWritten() {
    Tensor whole = blank(2000);
    Tensor tensor = whole.narrow(0, 0, 1000);
    Job receive = one.receive(tensor, 0);
    Header offer = new Header().of(Kind.OFFER);
    offer.id = 1;
    offer.dtype = (byte) DType.I64.ordinal();
    offer.length = 1000;
    pipes[0].send(offer, new byte[0]);
    one.progress();
    Header data = new Header().of(Kind.DATA);
    data.id = 1;
    data.payload = 8008;
    byte[] bytes = new byte[8008];
    java.util.Arrays.fill(bytes, (byte) 1);
    pipes[0].send(data, bytes);
    one.progress();
    assertThat(one.lost).hasSize(1);
    assertThat(whole.toLongArray()).containsOnly(0);
    assertThat(receive.isOver()).isFalse();
  }
}
