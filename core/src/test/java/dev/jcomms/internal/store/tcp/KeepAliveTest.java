package dev.jcomms.internal.store.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jcomms.store.TcpStore;
import dev.jcomms.store.TcpStoreServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** What Linux says of its own timers for a client and a server that have nothing to say. */
@Timeout(60)
@EnabledOnOs(OS.LINUX)
final class KeepAliveTest {
  private static final int ESTABLISHED = 1;
  private static final int KEEPS_ALIVE = 2;

  /** Of /proc/net/tcp: the kind of timer, and when it goes off in hundredths of a second. */
  private record Timer(int kind, long ticks) {}

  @Test
  void bothEndsOfASilentConnectionSpeakOnceAMinute() throws Exception {
    try (TcpStoreServer server = TcpStoreServer.start();
        TcpStore store = TcpStore.connect("127.0.0.1", server.port())) {
      store.set("k", new byte[0]);
      List<Timer> timers;
      do {
        timers = timersOfBothEnds(server.port());
        // Until the last bytes are acknowledged there is another timer.
      } while (timers.stream().anyMatch(timer -> timer.kind() != KEEPS_ALIVE));
      assertThat(timers).hasSize(2).allMatch(timer -> timer.ticks() <= 6100);
    }
  }

  private static List<Timer> timersOfBothEnds(int port) throws IOException {
    String suffix = ":%04X".formatted(port);
    List<Timer> timers = new ArrayList<>();
    for (String table : List.of("/proc/self/net/tcp", "/proc/self/net/tcp6")) {
      if (!Files.exists(Path.of(table))) continue;
      for (String line : Files.readAllLines(Path.of(table))) {
        String[] words = line.strip().split(" +");
        if (!words[1].endsWith(suffix) && !words[2].endsWith(suffix)) continue;
        if (Integer.parseInt(words[3], 16) != ESTABLISHED) continue;
        String[] timer = words[5].split(":");
        timers.add(new Timer(Integer.parseInt(timer[0]), Long.parseLong(timer[1], 16)));
      }
    }
    return timers;
  }
}
