package dev.jcomms.cli.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jcomms.World;
import dev.jcomms.cli.bench.op.Form;
import dev.jcomms.cli.bench.op.Operation;
import dev.jcomms.cli.bench.op.Operations;
import dev.jcomms.cli.bench.op.Place;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(120)
final class LimitTest {
  static Stream<Operation> all() {
    return Operations.all().stream();
  }

  @ParameterizedTest
  @MethodSource("all")
  void allRanksHaveALimitOfMemoryOrNone(Operation op) {
    for (int ranks : List.of(1, 2, 3, 5)) {
      List<Boolean> there =
          World.of(ranks)
              .backend("reference")
              .compute(
                  comm -> {
                    Place place = new Place(comm.rank(), ranks, ranks - 1);
                    boolean any = false;
                    try (Limit limit = MemoryLimit.create(op, place, 100_000, new Together(comm))) {
                      for (Form form : op.forms()) {
                        for (long bytes : List.of(60L, 100_000L)) {
                          var work = limit.of(bytes, form);
                          work.ifPresent(batch -> assertThat(batch.batch(3)).isPositive());
                          any |= work.isPresent();
                        }
                      }
                    }
                    return any;
                  });
      assertThat(there).containsOnly(there.getFirst());
      assertThat(there.getFirst()).isEqualTo(ranks > 1 && op.busFactor(ranks) > 0 || there(op));
    }
  }

  /** With one rank only those that copy have anything to do. */
  private static boolean there(Operation op) {
    return op.forms().stream()
        .anyMatch(form -> !op.memoryWork(new Place(0, 1, 0), 60, form).isNone());
  }

  @ParameterizedTest
  @MethodSource("all")
  void plainSocketsCarryTheTrafficOfEveryOperation(Operation op) {
    for (int ranks : List.of(2, 3)) {
      World.of(ranks)
          .backend("reference")
          .run(
              comm -> {
                Place place = new Place(comm.rank(), ranks, 1);
                long most = 1_200_000;
                InetAddress local = InetAddress.getLoopbackAddress();
                try (Limit limit = SocketLimit.create(op, place, most, comm, local)) {
                  for (long bytes : List.of(12L, most, 12L)) {
                    Batch batch = limit.of(bytes, op.forms().getFirst()).orElseThrow();
                    assertThat(batch.batch(4)).isPositive();
                  }
                }
              });
    }
  }

  /**
   * One says nothing and one the wrong thing; the rank that is waited for comes last, if at all.
   */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void strangersDoNotHoldUpThePlainConnection(boolean comes) throws IOException {
    byte[] token = "sixteen bytes ok".getBytes(StandardCharsets.US_ASCII);
    try (ServerSocketChannel listener = ServerSocketChannel.open()) {
      listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      try (SocketChannel silent = SocketChannel.open(listener.getLocalAddress());
          SocketChannel wrong = SocketChannel.open(listener.getLocalAddress());
          SocketChannel right =
              comes ? SocketChannel.open(listener.getLocalAddress()) : SocketChannel.open()) {
        Exchange.write(wrong, new byte[16]);
        if (!comes) {
          assertThatThrownBy(() -> SocketLimit.accept(listener, token, Duration.ofSeconds(2)))
              .isInstanceOf(SocketTimeoutException.class);
          return;
        }
        Exchange.write(right, token);
        try (SocketChannel found = SocketLimit.accept(listener, token, Duration.ofSeconds(60))) {
          assertThat(found.getRemoteAddress()).isEqualTo(right.getLocalAddress());
          assertThat(found.isBlocking()).isTrue();
        }
        assertThat(silent.isOpen()).isTrue();
      }
    }
  }
}
