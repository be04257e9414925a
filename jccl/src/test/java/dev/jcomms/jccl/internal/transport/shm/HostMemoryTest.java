package dev.jcomms.jccl.internal.transport.shm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jcomms.BackendException;
import dev.jcomms.BootstrapException;
import dev.jcomms.jccl.internal.posix.SharedFile;
import dev.jcomms.jccl.internal.transport.Alarm;
import dev.jcomms.jccl.internal.transport.Bulletin;
import dev.jcomms.jccl.internal.transport.Peer;
import dev.jcomms.jccl.internal.transport.Roster;
import dev.jcomms.spi.BackendContext;
import dev.jcomms.store.HashStore;
import dev.jcomms.tensor.Device;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class HostMemoryTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final long BYTES = 4096;

  private static Bulletin bulletin(int rank, HashStore store) {
    return new Bulletin(
        new BackendContext(
            "test", rank, 2, List.of(0, 1), Device.CPU, store, PATIENCE, Map.of(), Map.of()),
        new Alarm(0));
  }

  @Test
  void aFileThatAllHaveMappedIsUnlinkedAlsoIfItsMakerDiesThen() throws Exception {
    String name = "jcomms-test-" + UUID.randomUUID();
    Path path = SharedFile.path(name + "-memory.0");
    Peer self = Peer.self();
    Peer maker = new Peer(self.host(), "the maker", self.pid(), self.startTicks());
    try (HashStore store = HashStore.create()) {
      // All that the maker does but the last.
      Bulletin makers = bulletin(0, store);
      SharedFile.create(path, BYTES);
      makers.post("memory", "file " + path.getFileName());
      makers.post("memory.mapped", "ok");

      Roster roster = new Roster(1, List.of(maker, self), Roster.Transport.SHM);
      Bulletin own = bulletin(1, store);
      try (HostMemory memory = HostMemory.share(roster, own, "memory", name, BYTES, PATIENCE)) {
        assertThat(memory.segment().byteSize()).isEqualTo(BYTES);
        assertThat(path).doesNotExist();
      }
    } finally {
      Files.deleteIfExists(path);
    }
  }

  @Test
  void memoryOfOneJvmIsFreedAlsoIfSomeRanksNeverCome() {
    try (HashStore store = HashStore.create()) {
      Roster roster = new Roster(0, List.of(Peer.self(), Peer.self()), Roster.Transport.LOCAL);
      Bulletin own = bulletin(0, store);
      Duration soon = Duration.ofMillis(200);
      assertThatThrownBy(
              () -> HostMemory.share(roster, own, "memory", "unused", BYTES, soon).close())
          .isInstanceOf(BootstrapException.class);
      assertThat(HostMemory.isHeld(told(store))).isFalse();
    }
  }

  @Test
  void memoryOfOneJvmIsFreedByTheLastToClose() throws Exception {
    try (HashStore store = HashStore.create();
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<HostMemory> other = threads.submit(() -> shareLocally(1, store));
      HostMemory first = shareLocally(0, store);
      HostMemory second = other.get(60, TimeUnit.SECONDS);
      String name = told(store);
      first.segment().set(ValueLayout.JAVA_BYTE, 7, (byte) 42);
      first.close();
      assertThat(HostMemory.isHeld(name)).isTrue();
      assertThat(second.segment().get(ValueLayout.JAVA_BYTE, 7)).isEqualTo((byte) 42);
      second.close();
      assertThat(HostMemory.isHeld(name)).isFalse();
    }
  }

  private static HostMemory shareLocally(int rank, HashStore store) {
    Roster roster = new Roster(rank, List.of(Peer.self(), Peer.self()), Roster.Transport.LOCAL);
    return HostMemory.share(roster, bulletin(rank, store), "memory", "unused", BYTES, PATIENCE);
  }

  /** What rank 0 has told about its memory. */
  private static String told(HashStore store) {
    return bulletin(1, store).posted("memory", "", PATIENCE).getFirst();
  }

  /** The store may have died with the maker: nobody can be asked for a name. */
  @Test
  void aFileIsUnlinkedAlsoIfItsMakerDiesBeforeItIsMapped() throws Exception {
    String name = "jcomms-test-" + UUID.randomUUID();
    Path path = SharedFile.path(name + "-memory.0");
    try (HashStore store = HashStore.create()) {
      SharedFile.create(path, BYTES);
      Duration soon = Duration.ofMillis(200);
      assertThatThrownBy(() -> shareWithAMaker(store, name, soon))
          .isInstanceOf(BootstrapException.class);
      assertThat(path).doesNotExist();
    } finally {
      Files.deleteIfExists(path);
    }
  }

  @Test
  void aPathThatAStrangerToldIsNotMapped(@TempDir Path folder) throws Exception {
    Path precious = Files.write(folder.resolve("precious"), new byte[(int) BYTES]);
    try (HashStore store = HashStore.create()) {
      Bulletin stranger = bulletin(0, store);
      stranger.post("memory", "file " + precious);
      stranger.post("memory.mapped", "ok");

      assertRefused(store, "unused");
      assertThat(precious).exists();
    }
  }

  @Test
  void aLinkThatAStrangerLaidIsNotFollowed(@TempDir Path folder) throws Exception {
    Path precious = Files.write(folder.resolve("precious"), new byte[(int) BYTES]);
    String name = "jcomms-test-" + UUID.randomUUID();
    Path link = Files.createSymbolicLink(SharedFile.path(name + "-memory.0"), precious);
    try (HashStore store = HashStore.create()) {
      Bulletin stranger = bulletin(0, store);
      stranger.post("memory", "file " + link.getFileName());
      stranger.post("memory.mapped", "ok");

      assertRefused(store, name);
      assertThat(precious).exists();
    } finally {
      Files.deleteIfExists(link);
    }
  }

  /** Rank 1 finds rank 0's part in the store, and does not believe it. */
  private static void assertRefused(HashStore store, String fileName) {
    assertThatThrownBy(() -> shareWithAMaker(store, fileName, PATIENCE))
        .isInstanceOf(BackendException.class)
        .hasMessageContaining("shared memory: rank");
  }

  private static void shareWithAMaker(HashStore store, String fileName, Duration patience) {
    Peer self = Peer.self();
    Peer maker = new Peer(self.host(), "the maker", self.pid(), self.startTicks());
    Roster roster = new Roster(1, List.of(maker, self), Roster.Transport.SHM);
    HostMemory.share(roster, bulletin(1, store), "memory", fileName, BYTES, patience).close();
  }
}
