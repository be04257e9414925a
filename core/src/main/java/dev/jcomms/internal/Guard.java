package dev.jcomms.internal;

import dev.jcomms.BackendException;
import dev.jcomms.Collective;
import dev.jcomms.CommAbortedException;
import dev.jcomms.CommException;
import dev.jcomms.CommTimeoutException;
import dev.jcomms.Work;
import dev.jcomms.internal.observe.FlightRing;
import dev.jcomms.spi.Promise;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * Stands between what a communicator is asked to do and its backends: refuses what must not go on,
 * calls backends so that an abort reaches whoever is in them, and has a failure do what it has to.
 *
 * <p>Whether the communicator can go on at all is {@link Health}'s to know, and {@link Ending}'s
 * whether it still takes anything. Any thread.
 */
final class Guard {
  private final Membership self;
  private final Routes routes;
  private final FlightRing ring;
  private final Health health;
  private final Ending ending;
  private volatile boolean abortedHere;

  Guard(Membership self, Routes routes, FlightRing ring, Health health, Ending ending) {
    this.self = self;
    this.routes = routes;
    this.ring = ring;
    this.health = health;
    this.ending = ending;
  }

  /** Refuses what comes after the end has begun. */
  void requireOpen() {
    ending.requireNotBegun();
  }

  /** Refuses what comes after the end has begun, or after a failure. */
  void requireUsable(String what) {
    requireOpen();
    requireHealthy(what, -1);
  }

  /** Refuses an operation on a communicator that has failed before. */
  void requireHealthy(Collective op, long number) {
    // A name takes longer to look up than all else here.
    if (health.poison() != null) {
      requireHealthy(op.opName(), number);
    }
    ending.requireNotShut();
  }

  void requireHealthy(String op, long number) {
    CommException failure = health.poison();
    if (failure != null) {
      throw failure.forLater(self.site(op, number));
    }
    ending.requireNotShut();
  }

  /** Refuses to go on also after a failure that no operation has met yet. */
  void requireAlive(String what) {
    requireHealthy(what, -1);
    for (Routes.Route route : routes.all()) {
      sited(
          what,
          -1,
          () -> {
            route.backend().requireAlive();
            return null;
          });
    }
  }

  /**
   * Calls a backend beside {@code submit}: refusals pass as they are, failures get their site and
   * do what they have to.
   */
  <T> T sited(String what, long number, Supplier<T> call) {
    try {
      return call.get();
    } catch (CommException e) {
      CommException told = e.comm() == null ? e.at(self.site(what, number)) : e;
      failed(null, told);
      throw told;
    } catch (IllegalArgumentException | UnsupportedOperationException | Ending.Closed refusal) {
      throw refusal;
    } catch (RuntimeException e) {
      throw new BackendException(e.toString(), e).at(self.site(what, number));
    }
  }

  /** Whether threads must be {@link #wakeable} inside the backends. */
  boolean wakes() {
    return health.wakes();
  }

  /** Calls a backend where an abort can wake this thread. */
  <T> T wakeable(String what, long number, Supplier<T> call) {
    Waker waker = health.waker();
    if (waker == null) {
      return call.get();
    }
    waker.enter();
    try {
      // An abort that came before this thread had entered has woken nobody.
      requireHealthy(what, number);
      return call.get();
    } finally {
      if (waker.leave()) {
        // Whatever the interrupt made of it, the abort is what happened.
        requireHealthy(what, number);
      }
    }
  }

  /**
   * Work of a backend that goes on by itself, as core gives it to users: it has a deadline, an
   * abort ends it, and a failure that leaves ranks out of step poisons.
   */
  Promise track(Work work, Duration timeout, CommException.Site site) {
    Promise promise = new Promise(site);
    promise.start();
    Following.follow(
        work,
        timeout,
        failure -> {
          if (failure == null) {
            promise.complete();
          } else {
            promise.fail(failure);
            promise.failure().ifPresent(told -> failed(null, told));
          }
        });
    return health.reachable(promise);
  }

  /**
   * A failure that leaves the ranks out of step poisons; a refusal, or a barrier that only tells,
   * does not.
   *
   * @param op null for what is one-sided: a window's, say, whose ranks keep no step
   */
  void failed(Collective op, CommException failure) {
    if (Health.isOutOfStep(op, failure, self.size())) {
      health.poison(failure);
    } else if (op != null && failure instanceof CommTimeoutException) {
      dumpFlightRecord(); // as poison does
    }
    endProcessIfAsked(failure);
  }

  /** A failure after which the ranks cannot go on together. */
  void fatal(CommException failure) {
    health.poison(failure);
    endProcessIfAsked(failure);
  }

  /** This process wants no more of it: that is no error here, whatever fails by it. */
  void abort(String what, String reason) {
    abortedHere = true;
    health.poison(new CommAbortedException(reason).at(self.site(what, -1)));
  }

  private void endProcessIfAsked(CommException failure) {
    if (self.options().abortProcessOnError() && !abortedHere) {
      dumpFlightRecord();
      LastWords.exit(failure);
    }
  }

  /** Leaves the flight record behind, if somebody wants it. */
  void dumpFlightRecord() {
    self.flightFolder().ifPresent(folder -> LastWords.dump(ring, folder, self));
  }
}
