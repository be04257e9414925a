package dev.jcomms;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jcomms.spi.AbortableBackend;
import dev.jcomms.spi.Promise;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A backend whose operations wait until they may go on, or are aborted; and then are not through at
 * once.
 */
final class Occupied implements AbortableBackend {
  private final Map<Class<?>, Semaphore> permits = new ConcurrentHashMap<>();
  private final boolean goesOnByItself;
  private final Semaphore entered = new Semaphore(0);
  private final CountDownLatch aborted = new CountDownLatch(1);

  /** Operations in it. */
  final AtomicInteger inside = new AtomicInteger();

  /** How many were in it when it was closed; -1 before. */
  volatile int insideAtClose = -1;

  volatile boolean wasAborted;

  Occupied() {
    this(false);
  }

  /**
   * @param goesOnByItself whether it returns work that is under way, instead of when it has ended
   */
  Occupied(boolean goesOnByItself) {
    this.goesOnByItself = goesOnByItself;
  }

  Comm open() {
    return Fakes.builder(Fakes.register(this)).build();
  }

  /** Lets one operation of a kind go on. */
  void release(Class<? extends Collective> kind) {
    permits(kind).release();
  }

  private Semaphore permits(Class<?> kind) {
    return permits.computeIfAbsent(kind, _ -> new Semaphore(0));
  }

  /** Returns when one operation more is inside. */
  void awaitInside() throws InterruptedException {
    assertThat(entered.tryAcquire(20, TimeUnit.SECONDS)).isTrue();
  }

  @Override
  public Set<Class<? extends Collective>> supports() {
    return Set.of(Collective.AllReduce.class, Collective.Broadcast.class);
  }

  @Override
  public Work submit(Collective op, OpOptions options) {
    inside.incrementAndGet();
    entered.release();
    if (!goesOnByItself) {
      occupy(op);
      return Work.completed();
    }
    Promise promise = new Promise();
    promise.start();
    Thread.ofPlatform()
        .daemon()
        .start(
            () -> {
              try {
                occupy(op);
                promise.complete();
              } catch (CommAbortedException e) {
                promise.fail(e);
              }
            });
    return promise;
  }

  private void occupy(Collective op) {
    try {
      while (!permits(op.getClass()).tryAcquire(5, TimeUnit.MILLISECONDS)) {
        if (aborted.getCount() == 0) {
          Thread.sleep(20); // far shorter than an operation's last moments may be
          throw new CommAbortedException("enough");
        }
      }
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    } finally {
      inside.decrementAndGet();
    }
  }

  @Override
  public void abort(String reason) {
    wasAborted = true;
    aborted.countDown();
  }

  @Override
  public void close() {
    insideAtClose = inside.get();
  }
}
