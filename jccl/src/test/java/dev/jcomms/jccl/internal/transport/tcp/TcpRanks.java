package dev.jcomms.jccl.internal.transport.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jcomms.jccl.internal.transport.Alarm;
import dev.jcomms.jccl.internal.transport.Aside;
import dev.jcomms.jccl.internal.transport.Bulletin;
import dev.jcomms.jccl.internal.transport.Deadline;
import dev.jcomms.jccl.internal.transport.Roster;
import dev.jcomms.spi.BackendContext;
import dev.jcomms.store.HashStore;
import dev.jcomms.tensor.Device;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Ranks that are threads, and reach each other by TCP all the same. */
public final class TcpRanks {
  private static final Duration LONGEST = Duration.ofSeconds(90);
  private static final Map<String, String> BY_TCP = Map.of("transport", "tcp");

  private TcpRanks() {}

  /** One rank's end of the world. */
  public record Rank(
      int rank,
      int size,
      TcpFabric fabric,
      Alarm alarm,
      List<Alarm> alarms,
      CountDownLatch going,
      CountDownLatch self) {

    /** Lines among all ranks. */
    public Lines lines() {
      return fabric.lines(1, IntStream.range(0, size).boxed().toList());
    }

    /** Waits until all ranks are through. */
    public void leave() throws InterruptedException {
      if (self.getCount() > 0) {
        self.countDown();
        going.countDown();
      }
      assertThat(going.await(LONGEST.toSeconds(), TimeUnit.SECONDS)).isTrue();
    }

    public Deadline deadline() {
      return new Deadline(LONGEST.minusSeconds(30), alarm);
    }
  }

  /** What a rank does. */
  public interface Body {
    void run(Rank rank) throws Exception;
  }

  /** Runs ranks to their ends; the first failure is thrown. */
  public static void run(int n, Body body) {
    run(n, Map.of(), body);
  }

  /** Runs ranks with hints. */
  public static void run(int n, Map<String, String> hints, Body body) {
    run(n, _ -> hints, body);
  }

  /** Runs ranks with hints of their own. */
  public static void run(int n, IntFunction<Map<String, String>> hints, Body body) {
    for (Throwable failure : outcomes(n, hints, alarms(n), body)) {
      if (failure != null) {
        throw new AssertionError(failure.toString(), failure);
      }
    }
  }

  /** Runs ranks, and gives back what each threw; null for those that did not. */
  public static List<Throwable> outcomes(int n, Map<String, String> hints, Body body) {
    return outcomes(n, _ -> hints, alarms(n), body);
  }

  /** The same with ranks that tell each other of alarms, as they do by mail. */
  public static List<Throwable> tellingOutcomes(int n, Map<String, String> hints, Body body) {
    List<Alarm> alarms = alarms(n);
    alarms.forEach(alarm -> alarm.listen(failure -> alarms.forEach(a -> a.raise(failure))));
    return outcomes(n, _ -> hints, alarms, body);
  }

  private static List<Alarm> alarms(int n) {
    return IntStream.range(0, n).mapToObj(Alarm::new).toList();
  }

  private static List<Throwable> outcomes(
      int n, IntFunction<Map<String, String>> hints, List<Alarm> alarms, Body body) {
    List<Throwable> outcomes = new ArrayList<>();
    CountDownLatch going = new CountDownLatch(n);
    ExecutorService threads =
        Executors.newFixedThreadPool(n, Thread.ofPlatform().name("rank-", 0).factory());
    try (HashStore store = HashStore.create()) {
      List<Future<?>> futures = new ArrayList<>();
      for (int r = 0; r < n; r++) {
        int rank = r;
        futures.add(
            threads.submit(
                () -> {
                  Map<String, String> all = new java.util.HashMap<>(BY_TCP);
                  all.putAll(hints.apply(rank));
                  live(context(rank, n, store, all), alarms, going, body);
                  return null;
                }));
      }
      long deadline = System.nanoTime() + LONGEST.toNanos();
      for (Future<?> future : futures) {
        outcomes.add(outcome(future, deadline));
      }
    } finally {
      threads.shutdownNow();
    }
    return outcomes;
  }

  public static BackendContext context(
      int rank, int n, HashStore store, Map<String, String> hints) {
    return new BackendContext(
        "test",
        rank,
        n,
        IntStream.range(0, n).boxed().toList(),
        Device.CPU,
        store,
        Duration.ofSeconds(30),
        hints,
        Map.of());
  }

  /** A rank's connections stay until all ranks are through: who goes is not taken for lost. */
  private static void live(
      BackendContext context, List<Alarm> alarms, CountDownLatch going, Body body)
      throws Exception {
    Bulletin bulletin = new Bulletin(context, new Alarm(context.rank()));
    Roster roster = Roster.meet(context, false, bulletin);
    Alarm alarm = alarms.get(context.rank());
    CountDownLatch self = new CountDownLatch(1);
    try (TcpFabric fabric = TcpFabric.open(context, roster, bulletin, alarm, new Aside())) {
      Rank rank = new Rank(context.rank(), context.size(), fabric, alarm, alarms, going, self);
      try {
        body.run(rank);
      } finally {
        boolean interrupted = Thread.interrupted();
        rank.leave();
        if (interrupted) {
          Thread.currentThread().interrupt();
        }
      }
    } finally {
      if (self.getCount() > 0) {
        going.countDown(); // it did not get as far as the body: an alarm may come that early
      }
    }
  }

  private static Throwable outcome(Future<?> future, long deadlineNanos) {
    try {
      future.get(deadlineNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
      return null;
    } catch (ExecutionException e) {
      return e.getCause();
    } catch (TimeoutException e) {
      StringBuilder where = new StringBuilder("a rank hangs");
      Thread.getAllStackTraces()
          .forEach(
              (thread, trace) -> {
                if (thread.getName().matches("(rank|jccl)-.*")) {
                  where.append("\n").append(thread.getName());
                  Stream.of(trace).limit(12).forEach(frame -> where.append("\n  ").append(frame));
                }
              });
      return new AssertionError(where.toString());
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** Threads of fabrics, and open sockets and selectors, of this process. */
  public record Footprint(long threads, long descriptors) {
    public static Footprint now() throws IOException {
      long threads =
          Thread.getAllStackTraces().keySet().stream()
              .filter(thread -> thread.getName().matches("jccl-(tcp|lane)-.*"))
              .count();
      try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
        return new Footprint(threads, open.filter(Footprint::counts).count());
      }
    }

    private static boolean counts(Path descriptor) {
      try {
        String target = Files.readSymbolicLink(descriptor).toString();
        return target.startsWith("socket:") || target.contains("event");
      } catch (IOException e) {
        return false; // closed meanwhile
      }
    }

    /** Now, or soon: a thread that is waited for no more takes a moment to be gone. */
    public void assertNoMore() throws IOException {
      long deadline = System.nanoTime() + Duration.ofSeconds(30).toNanos();
      while (now().isMoreThan(this) && System.nanoTime() - deadline < 0) {
        LockSupport.parkNanos(10_000_000);
      }
      assertThat(now()).matches(now -> !now.isMoreThan(this), "at most " + this);
    }

    private boolean isMoreThan(Footprint other) {
      return threads > other.threads || descriptors > other.descriptors;
    }
  }
}
