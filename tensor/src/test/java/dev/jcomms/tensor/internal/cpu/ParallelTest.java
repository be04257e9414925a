package dev.jcomms.tensor.internal.cpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Ranges split over threads are covered once, whatever happens in a part. */
class ParallelTest {
  private final int before = Parallel.threads();

  @AfterEach
  void restore() {
    Parallel.threads(before);
  }

  @Test
  void everyIndexIsVisitedOnce() {
    for (int threads : new int[] {1, 2, 3, 7}) {
      Parallel.threads(threads);
      for (int n : new int[] {0, 1, 9, 10, 11, 100, 1001}) {
        AtomicIntegerArray seen = new AtomicIntegerArray(n);
        Parallel.run(
            n,
            10,
            (from, to) -> {
              assertThat(from % 10).isZero();
              for (long i = from; i < to; i++) {
                seen.incrementAndGet((int) i);
              }
            });
        for (int i = 0; i < n; i++) {
          assertThat(seen.get(i)).isEqualTo(1);
        }
      }
    }
  }

  @Test
  void whatAPartThrowsIsThrownAfterAllAreDone() {
    Parallel.threads(4);
    AtomicInteger parts = new AtomicInteger();
    assertThatThrownBy(
            () ->
                Parallel.run(
                    400,
                    100,
                    (from, to) -> {
                      parts.incrementAndGet();
                      throw new IllegalStateException("part " + from);
                    }))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageStartingWith("part ");
    assertThat(parts.get()).isEqualTo(4);
  }

  @Test
  void aSplitInsideASplitRunsWhereItIs() {
    Parallel.threads(4);
    AtomicLong total = new AtomicLong();
    Parallel.run(
        40,
        10,
        (from, to) -> {
          Thread here = Thread.currentThread();
          Parallel.run(
              1000,
              10,
              (a, b) -> {
                assertThat(Thread.currentThread()).isSameAs(here);
                total.addAndGet(b - a);
              });
        });
    assertThat(total.get()).isEqualTo(4000);
  }

  @Test
  void fewerThanOneThreadIsRefused() {
    assertThatThrownBy(() -> Parallel.threads(0)).hasMessageContaining("threads=0");
  }
}
