package dev.jcomms.jccl.internal.algo.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jcomms.jccl.internal.reduce.Terms;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** All of the work is done once, whoever does it. */
@Timeout(60)
final class CrewTest {
  private static final int PAGE = 4096;
  private static final long LARGE = 16 << 20;

  @ParameterizedTest
  @ValueSource(longs = {0, 1, PAGE, (256 << 10) + 1, (512 << 10), (1 << 20) + 4099, 33_554_433})
  void everyPageIsDoneOnce(long bytes) {
    try (Crew crew = new Crew(4, new Terms())) {
      for (int round = 0; round < 3; round++) {
        AtomicIntegerArray pages = new AtomicIntegerArray((int) Math.ceilDiv(bytes, (long) PAGE));
        crew.share(
            bytes,
            (_, from, to) -> {
              assertThat(from % PAGE).isZero();
              assertThat(to).isLessThanOrEqualTo(bytes);
              for (long at = from; at < to; at += PAGE) {
                pages.getAndIncrement((int) (at / PAGE));
              }
            });
        for (int i = 0; i < pages.length(); i++) {
          assertThat(pages.get(i)).as("page %d", i).isEqualTo(1);
        }
      }
    }
  }

  /** Nobody gets on before all have come. */
  @Test
  void allWorkAtOnceWithTermsOfTheirOwn() {
    try (Crew crew = new Crew(3, new Terms())) {
      for (int round = 0; round < 3; round++) {
        CountDownLatch come = new CountDownLatch(3);
        Set<Thread> threads = ConcurrentHashMap.newKeySet();
        Set<Terms> terms = Collections.synchronizedSet(new HashSet<>());
        crew.share(
            LARGE,
            (own, _, _) -> {
              assertThat(own.count()).isZero();
              own.add(MemorySegment.NULL, 0);
              terms.add(own);
              if (threads.add(Thread.currentThread())) {
                come.countDown();
              }
              await(come);
            });
        assertThat(threads).hasSize(3).contains(Thread.currentThread());
        assertThat(terms).hasSize(3).allMatch(own -> own.count() == 0);
      }
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** Memory is in use until all is done. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void whatFailsIsThrownWhenAllIsDone(boolean here) {
    Thread caller = Thread.currentThread();
    try (Crew crew = new Crew(2, new Terms())) {
      AtomicInteger working = new AtomicInteger();
      CountDownLatch both = new CountDownLatch(2);
      assertThatThrownBy(
              () ->
                  crew.share(
                      LARGE,
                      (_, _, _) -> {
                        working.incrementAndGet();
                        both.countDown();
                        await(both);
                        working.decrementAndGet();
                        if (here == (Thread.currentThread() == caller)) {
                          throw new IllegalStateException("a part");
                        }
                      }))
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("a part");
      assertThat(working).hasValue(0);
      AtomicInteger parts = new AtomicInteger();
      crew.share(LARGE, (_, _, _) -> parts.incrementAndGet());
      assertThat(parts).hasValueGreaterThan(1);
    }
  }

  @Test
  void memoryOfOneThreadIsItsOwn() {
    Thread caller = Thread.currentThread();
    try (Crew crew = new Crew(4, new Terms());
        Arena arena = Arena.ofConfined()) {
      MemorySegment anybodys = Arena.ofAuto().allocate(LARGE);
      MemorySegment own = arena.allocate(LARGE);
      crew.share(
          LARGE,
          (_, from, to) -> {
            assertThat(Thread.currentThread()).isSameAs(caller);
            own.asSlice(from, to - from).fill((byte) 1);
          },
          anybodys,
          own);
      assertThat(own.mismatch(anybodys.fill((byte) 1))).isEqualTo(-1);
    }
  }

  @Test
  void anInterruptedCallerWaitsAllTheSame() {
    try (Crew crew = new Crew(2, new Terms())) {
      AtomicInteger done = new AtomicInteger();
      Thread.currentThread().interrupt();
      crew.share(LARGE, (_, from, to) -> done.addAndGet((int) (to - from)));
      assertThat(Thread.interrupted()).isTrue();
      assertThat(done).hasValue((int) LARGE);
    }
  }

  @Test
  void threadsComeWhenNeededAndGoWithIt() throws InterruptedException {
    Crew crew = new Crew(3, new Terms());
    Set<Thread> alone = ConcurrentHashMap.newKeySet();
    crew.share(1000, (_, _, _) -> alone.add(Thread.currentThread()));
    assertThat(alone).containsExactly(Thread.currentThread());
    Set<Thread> helpers = ConcurrentHashMap.newKeySet();
    CountDownLatch come = new CountDownLatch(3);
    crew.share(
        LARGE,
        (_, _, _) -> {
          if (helpers.add(Thread.currentThread())) {
            come.countDown();
          }
          await(come);
        });
    helpers.remove(Thread.currentThread());
    assertThat(helpers).hasSize(2).allMatch(Thread::isDaemon).allMatch(Thread::isAlive);
    crew.close();
    for (Thread helper : helpers) {
      assertThat(helper.join(Duration.ofSeconds(30))).isTrue();
    }
  }

  @Test
  void ranksShareTheCores() {
    int cores = Runtime.getRuntime().availableProcessors();
    assertThat(Crew.size(null, 1)).isBetween(1, Math.min(4, cores));
    assertThat(Crew.size("7", 1)).isEqualTo(7);
    int before = Crew.size("auto", 2);
    assertThat(Crew.size("", cores + 1)).isEqualTo(1);
    assertThat(Crew.size("auto", 2)).as("they are still there").isEqualTo(1);
    assertThat(before).isBetween(1, Math.max(1, cores / 2));
    for (String wrong : List.of("0", "-1", "1000", "many", "2.5")) {
      assertThatThrownBy(() -> Crew.size(wrong, 2))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("host.threads=" + wrong);
    }
  }
}
