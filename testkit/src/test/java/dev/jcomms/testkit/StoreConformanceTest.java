package dev.jcomms.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jcomms.store.FileStore;
import dev.jcomms.store.HashStore;
import dev.jcomms.store.PrefixStore;
import dev.jcomms.store.Store;
import dev.jcomms.store.TcpStore;
import dev.jcomms.store.TcpStoreServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Every store of this project, and one that is wrong. */
final class StoreConformanceTest {
  @Nested
  final class Hash extends StoreConformance {
    @Override
    protected StoreSource source() {
      HashStore store = HashStore.create();
      return () -> store;
    }
  }

  @Nested
  final class Prefix extends StoreConformance {
    @Override
    protected StoreSource source() {
      HashStore below = HashStore.create();
      below.set("other/key", new byte[] {1});
      return () -> PrefixStore.of("inner", PrefixStore.of("outer", below));
    }
  }

  @Nested
  final class Tcp extends StoreConformance {
    @Override
    protected StoreSource source() {
      TcpStoreServer server = TcpStoreServer.start();
      return new StoreSource() {
        @Override
        public Store open() {
          return TcpStore.connect("127.0.0.1", server.port());
        }

        @Override
        public void close() {
          server.close();
        }
      };
    }
  }

  @Nested
  @DisabledOnOs(OS.WINDOWS)
  final class File extends StoreConformance {
    private final AtomicInteger files = new AtomicInteger();
    @TempDir private Path folder;

    @Override
    protected StoreSource source() {
      Path file = folder.resolve("store" + files.incrementAndGet());
      return new StoreSource() {
        @Override
        public Store open() {
          return FileStore.open(file, -1, Duration.ofSeconds(20));
        }

        @Override
        public boolean hasQueues() {
          return false;
        }
      };
    }
  }

  /** Counts, but not all at once: between its get and its set another may come. */
  private static Store torn(HashStore right) {
    return (Store)
        java.lang.reflect.Proxy.newProxyInstance(
            Store.class.getClassLoader(),
            new Class<?>[] {Store.class},
            (_, method, args) -> {
              if (method.getName().equals("add")) {
                String key = (String) args[0];
                long present =
                    right.check(List.of(key)) ? Long.parseLong(new String(right.get(key))) : 0;
                Thread.yield();
                long sum = present + (long) args[1];
                right.set(key, Long.toString(sum).getBytes());
                return sum;
              }
              try {
                return method.invoke(right, args);
              } catch (java.lang.reflect.InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  @Test
  void aCounterThatIsNotAtomicIsFound() {
    List<Result> results =
        StoreChecks.run(
            () -> {
              HashStore store = HashStore.create();
              return () -> torn(store);
            },
            "add/is atomic among clients"::equals,
            _ -> {});
    assertThat(results).hasSize(1).allMatch(Result::isFailed);
    assertThat(results.getFirst().message()).contains("as another did");
  }
}
