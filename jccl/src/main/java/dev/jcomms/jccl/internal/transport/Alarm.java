package dev.jcomms.jccl.internal.transport;

import dev.jcomms.CommAbortedException;
import dev.jcomms.CommException;
import dev.jcomms.CommMismatchException;
import dev.jcomms.CommTimeoutException;
import dev.jcomms.PeerLostException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The failure that ends a rank's end of a communicator, and everybody who has to learn it.
 *
 * <p>Whoever finds a peer lost, ranks that disagree or an abort raises it; every wait looks at it;
 * transports listen, to wake who sleeps and to tell the other ranks. The first failure wins.
 *
 * <p>Ranks die together: with a loss, whoever is known to be lost by then is told. Any thread.
 */
public final class Alarm {
  private volatile CommException failure;
  private volatile CommException elsewhere;
  private volatile boolean heard;
  private final int rank;
  private final List<Consumer<CommException>> listeners = new ArrayList<>();
  private final List<Runnable> lookouts = new CopyOnWriteArrayList<>();
  private final List<Supplier<List<PeerLostException>>> counts = new CopyOnWriteArrayList<>();
  private volatile Search search = new AtOnce();

  /**
   * @param rank whose it is
   */
  public Alarm(int rank) {
    this.rank = rank;
  }

  /** Raises it, unless it was raised before: true for the first. */
  public boolean raise(CommException failure) {
    return raise(failure, asOthersSee(failure), false);
  }

  /** Ranks that disagree are two at least; to this one it is the others. */
  private CommException asOthersSee(CommException failure) {
    if (failure instanceof CommMismatchException mismatch) {
      Set<Integer> both = new TreeSet<>(mismatch.missingRanks());
      both.add(rank);
      return new CommMismatchException(mismatch.detail(), both);
    }
    return failure;
  }

  /**
   * Raises it with what another rank has told.
   *
   * @param elsewhere the failure as others report it, should they learn of it from this rank
   */
  public boolean raise(CommException failure, CommException elsewhere) {
    return raise(failure, elsewhere, true);
  }

  private boolean raise(CommException found, CommException foundElsewhere, boolean heard) {
    if (this.failure != null) {
      return false;
    }
    CommException failure = withAllLost(found);
    CommException elsewhere = found == foundElsewhere ? failure : withAllLost(foundElsewhere);
    List<Consumer<CommException>> told;
    synchronized (this) {
      if (this.failure != null) {
        return false;
      }
      this.elsewhere = elsewhere;
      this.heard = heard;
      this.failure = failure;
      told = List.copyOf(listeners);
    }
    told.forEach(listener -> listener.accept(failure));
    return true;
  }

  /**
   * Raises it with a loss that this rank has found, once it is clear who else is lost: at once, or
   * very soon and on another thread.
   */
  public void lose(PeerLostException loss) {
    search.found(loss);
  }

  /**
   * Raises it with a loss that a rank elsewhere has told, or with what is true of it here: at once,
   * or very soon and on another thread.
   *
   * @param elsewhere as for {@link #raise(CommException, CommException)}
   */
  public void hear(int from, PeerLostException told, CommException elsewhere) {
    search.heard(from, told, elsewhere);
  }

  /** Who looks into losses before it is raised with them. */
  interface Search {
    /** This rank has found a loss. */
    void found(PeerLostException loss);

    /** Another rank has told of one. */
    void heard(int from, PeerLostException told, CommException elsewhere);
  }

  /** While there is nobody to ask. */
  private final class AtOnce implements Search {
    @Override
    public void found(PeerLostException loss) {
      raise(loss);
    }

    @Override
    public void heard(int from, PeerLostException told, CommException elsewhere) {
      raise(told, elsewhere);
    }
  }

  void search(Search search) {
    this.search = search;
  }

  /** Adds someone who knows of ranks that are lost, and says so without waiting. */
  public void count(Supplier<List<PeerLostException>> lost) {
    counts.add(lost);
  }

  private CommException withAllLost(CommException failure) {
    if (!(failure instanceof PeerLostException loss)) {
      return failure;
    }
    List<PeerLostException> all = new ArrayList<>(List.of(loss));
    counts.forEach(count -> all.addAll(count.get()));
    return Losses.joined(all);
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

  /**
   * What it was raised with, for operations of this rank that were under way beside the one that
   * failed: that was not their time that was over, nor their thread that was interrupted.
   */
  public CommException beside() {
    CommException raised = failure;
    boolean ones =
        raised instanceof CommTimeoutException
            || raised instanceof CommAbortedException
                && raised.getCause() instanceof InterruptedException;
    return ones && !heard
        ? new CommAbortedException(
            "another operation of this rank failed: " + raised.getMessage(), raised.missingRanks())
        : raised;
  }

  /** Whether {@link #check} has thrown this. */
  public boolean isToldBy(CommException thrown) {
    return Arrays.asList(thrown.getSuppressed()).contains(failure);
  }

  /** What others report who learn of it from this rank; null before. */
  public CommException elsewhere() {
    return elsewhere;
  }

  /** Whether another rank has told it, who has told all. */
  public boolean isHeard() {
    return heard;
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
