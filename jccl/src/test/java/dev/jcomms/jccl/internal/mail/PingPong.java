package dev.jcomms.jccl.internal.mail;

import dev.jcomms.Collective;
import dev.jcomms.OpOptions;
import dev.jcomms.jccl.internal.posix.SharedFile;
import dev.jcomms.jccl.internal.transport.Alarm;
import dev.jcomms.jccl.internal.transport.Peer;
import dev.jcomms.jccl.internal.transport.Roster;
import dev.jcomms.spi.BackendContext;
import dev.jcomms.store.HashStore;
import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Device;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;

/**
 * Measures blocking sends and receives between two ranks: {@code PingPong local|shm|tcp}. Ranks are
 * threads of this JVM for {@code local}, else this process and one that it starts.
 */
final class PingPong {
  private static final OpOptions OPTIONS = OpOptions.timeout(Duration.ofSeconds(60));
  private static final long[] SIZES = {8, 1 << 10, 16 << 10, 64 << 10, 1 << 20, 16 << 20, 64 << 20};

  private PingPong() {}

  public static void main(String[] args) throws Exception {
    switch (args[0]) {
      case "local" -> local();
      case "shm", "tcp" -> {
        if (args.length > 1) {
          child(args[0], args[1]);
        } else if (args[0].equals("shm")) {
          overRings();
        } else {
          overSockets();
        }
      }
      default -> throw new IllegalArgumentException("PingPong local|shm|tcp, not " + args[0]);
    }
  }

  private static void local() throws InterruptedException {
    String key = UUID.randomUUID().toString();
    Thread other =
        Thread.ofPlatform()
            .start(
                () -> {
                  try (Mailroom room = room(1, Roster.Transport.LOCAL, null, key, null)) {
                    measure(1, room);
                  }
                });
    try (Mailroom room = room(0, Roster.Transport.LOCAL, null, key, null)) {
      measure(0, room);
    }
    other.join();
  }

  private static void overRings() throws IOException, InterruptedException {
    Path file = SharedFile.path("jcomms-pingpong-" + UUID.randomUUID());
    SharedFile.create(file, Mailroom.ringBytes(2));
    try (Arena arena = Arena.ofShared()) {
      MemorySegment rings = SharedFile.map(file, Mailroom.ringBytes(2), arena);
      Process child = Child.start(PingPong.class, "shm", file.toString());
      try (Mailroom room = room(0, Roster.Transport.SHM, rings, "", null)) {
        measure(0, room);
      }
      child.waitFor();
    } finally {
      Files.deleteIfExists(file);
    }
  }

  private static void overSockets() throws IOException, InterruptedException {
    try (ServerSocketChannel server = ServerSocketChannel.open()) {
      server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      Process child =
          Child.start(
              PingPong.class, "tcp", "" + ((InetSocketAddress) server.getLocalAddress()).getPort());
      try (Mailroom room = room(0, Roster.Transport.TCP, null, "", server.accept())) {
        measure(0, room);
      }
      child.waitFor();
    }
  }

  private static void child(String transport, String where) throws IOException {
    if (transport.equals("shm")) {
      try (Arena arena = Arena.ofShared()) {
        MemorySegment rings = SharedFile.map(Path.of(where), Mailroom.ringBytes(2), arena);
        try (Mailroom room = room(1, Roster.Transport.SHM, rings, "", null)) {
          measure(1, room);
        }
      }
    } else {
      SocketChannel channel =
          SocketChannel.open(
              new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(where)));
      try (Mailroom room = room(1, Roster.Transport.TCP, null, "", channel)) {
        measure(1, room);
      }
    }
  }

  static Mailroom room(
      int rank,
      Roster.Transport transport,
      MemorySegment rings,
      String key,
      SocketChannel channel) {
    return Mailroom.open(
        new BackendContext(
            "pingpong",
            rank,
            2,
            List.of(0, 1),
            Device.CPU,
            HashStore.create(),
            Duration.ofSeconds(30),
            Map.of(),
            Map.of()),
        new Roster(rank, List.of(Peer.self(), Peer.self()), transport),
        new Alarm(rank),
        new Means(
            rings,
            key,
            _ -> channel,
            Duration.ofSeconds(20),
            (_, _) -> {},
            () -> {},
            SharedMemory.NONE));
  }

  private static void measure(int rank, Mailroom room) {
    for (long bytes : SIZES) {
      Tensor tensor = Tensor.zeros(DType.U8, Shape.of(bytes));
      Collective send = new Collective.Send(tensor, 1 - rank, 0);
      Collective recv = new Collective.Recv(tensor, 1 - rank, 0);
      int rounds = Math.clamp((1L << 30) / Math.max(1, bytes), 20, 40_000);
      long best = Long.MAX_VALUE;
      long least = Long.MAX_VALUE;
      long[] times = new long[rounds];
      for (int trial = 0; trial < 4; trial++) {
        for (int i = 0; i < rounds; i++) {
          long start = System.nanoTime();
          room.perform(rank == 0 ? send : recv, OPTIONS);
          room.perform(rank == 0 ? recv : send, OPTIONS);
          times[i] = System.nanoTime() - start;
        }
        java.util.Arrays.sort(times);
        best = Math.min(best, times[rounds / 2]);
        least = Math.min(least, times[0]);
      }
      if (rank == 0) {
        System.out.printf(
            Locale.ROOT,
            "%10d bytes: half a round trip p50 %9.2f us, min %9.2f us, %6.2f GB/s%n",
            bytes,
            best / 2e3,
            least / 2e3,
            bytes / (least / 2.0));
      }
    }
  }
}
