package dev.jcomms.jccl.internal.transport;

import dev.jcomms.CommException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/**
 * The failure that ends a rank's end of a communicator, and everybody who has to learn it.
 *
 * <p>Whoever finds a peer lost, ranks that disagree or an abort raises it; every wait looks at it;
 * transports listen, to wake who sleeps and to tell the other ranks. The first failure wins. Any
 * thread.
 */
public final class Alarm {
  private volatile CommException failure;
  private volatile CommException elsewhere;
  private final List<Consumer<CommException>> listeners = new ArrayList<>();
  private final List<Runnable> lookouts = new CopyOnWriteArrayList<>();

  /** Raises it, unless it was raised before: true for the first. */
  public boolean raise(CommException failure) {
    return raise(failure, failure);
  }

  /**
   * Raises it with what another rank has told.
   *
   * @param elsewhere the failure as others report it, should they learn of it from this rank
   */
  public boolean raise(CommException failure, CommException elsewhere) {
    List<Consumer<CommException>> told;
    synchronized (this) {
      if (this.failure != null) {
        return false;
      }
      this.elsewhere = elsewhere;
      this.failure = failure;
      told = List.copyOf(listeners);
    }
    told.forEach(listener -> listener.accept(failure));
    return true;
  }

  /**
   * Adds someone who looks where a failure may show that nobody tells of, and raises the alarm if
   * there is one.
   */
  public void watch(Runnable lookout) {
    lookouts.add(lookout);
  }

  /** Lets everybody look. For waits, now and then. */
  public void look() {
    lookouts.forEach(Runnable::run);
  }

  public boolean isRaised() {
    return failure != null;
  }

  /** What it was raised with; null before. */
  public CommException failure() {
    return failure;
  }

  /** What others report who learn of it from this rank; null before. */
  public CommException elsewhere() {
    return elsewhere;
  }

  /** Throws what it was raised with, if it was. */
  public void check() {
    CommException raised = failure;
    if (raised != null) {
      throw raised.again();
    }
  }

  /**
   * Calls the listener when it is raised, on the thread that raises it; at once if it was. Short,
   * and waits for nothing.
   */
  public void listen(Consumer<CommException> listener) {
    CommException raised;
    synchronized (this) {
      raised = failure;
      if (raised == null) {
        listeners.add(listener);
      }
    }
    if (raised != null) {
      listener.accept(raised);
    }
  }
}
