package dev.jcomms;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * An operation or a communicator failed. The subtype says how; the message says what was asked, on
 * which communicator and rank, who is missing and how far it got.
 *
 * <p>A backend throws one with a detail only; core adds the {@link Site} with {@link #at}. Wrong
 * arguments are not this but {@link IllegalArgumentException}, and calls on a closed communicator
 * {@link IllegalStateException}.
 */
public abstract sealed class CommException extends RuntimeException
    permits BackendException,
        BootstrapException,
        CommAbortedException,
        CommMismatchException,
        CommTimeoutException,
        PeerLostException {
  private static final long serialVersionUID = 1L;

  /**
   * Where a failure happened: the operation, its number on the communicator, and this rank.
   *
   * @param op the operation's name, or what else was under way ({@code split}, {@code init})
   * @param number the operation's number on its communicator, counted from 0; -1 outside operations
   */
  public record Site(String comm, String op, long number, int rank, int size)
      implements java.io.Serializable {
    /** {@code all_reduce #412 on comm 'main'}. */
    String what() {
      return op + (number < 0 ? "" : " #" + number) + " on comm '" + comm + "'";
    }

    /** {@code (rank 2 of 8)}. */
    String who() {
      return "(rank " + rank + " of " + size + ")";
    }
  }

  private final Site site;
  private final String detail;
  private final TreeSet<Integer> missingRanks;

  CommException(
      Site site, String message, String detail, Set<Integer> missingRanks, Throwable cause) {
    super(message, cause);
    this.site = site;
    this.detail = detail;
    this.missingRanks = new TreeSet<>(missingRanks);
  }

  /** The same failure, told of an operation: how core completes what a backend threw. */
  public abstract CommException at(Site site);

  /**
   * The same failure for a thread that learns of it later: with that thread's trace, and this one
   * attached.
   */
  public final CommException again() {
    CommException copy =
        getCause() instanceof CommException reason ? reason.forLater(site) : at(site);
    copy.setStackTrace(Thread.currentThread().getStackTrace());
    copy.addSuppressed(this);
    return copy;
  }

  /**
   * This failure, for an operation that was not carried out because of it: the same type and the
   * same ranks at fault.
   */
  public CommException forLater(Site later) {
    return at(later);
  }

  /** What is particular about this failure, without the site. */
  public String detail() {
    return detail;
  }

  /** The communicator's name, or null before core has told it. */
  public String comm() {
    return site == null ? null : site.comm();
  }

  /** The operation's name, or null before core has told it. */
  public String op() {
    return site == null ? null : site.op();
  }

  /** The operation's number on its communicator; -1 outside operations. */
  public long number() {
    return site == null ? -1 : site.number();
  }

  /** This rank; -1 before core has told it. */
  public int rank() {
    return site == null ? -1 : site.rank();
  }

  /**
   * The ranks at fault or not heard of, in order; empty where that is not known or does not apply.
   */
  public Set<Integer> missingRanks() {
    return java.util.Collections.unmodifiableSet(missingRanks);
  }

  /**
   * The copy that {@link #at} returns keeps the place where the failure was first seen, and what
   * went wrong on its account.
   */
  final <E extends CommException> E tracedLike(E copy) {
    copy.setStackTrace(getStackTrace());
    for (Throwable suppressed : getSuppressed()) {
      copy.addSuppressed(suppressed);
    }
    return copy;
  }

  static String join(String head, Site site, String detail) {
    String who = site == null ? "" : " " + site.who();
    return head + who + (detail == null || detail.isEmpty() ? "" : ": " + detail);
  }

  /** {@code barrier #2 on comm 'main' was not done (rank 1 of 3): …}. */
  static String notDone(Site later, CommException reason) {
    return join(what(later) + " was not done", later, reason.getMessage());
  }

  static String what(Site site) {
    return site == null ? "the operation" : site.what();
  }

  static String ranks(Set<Integer> ranks) {
    List<Integer> sorted = ranks.stream().sorted().toList();
    return sorted.size() == 1
        ? "rank " + sorted.getFirst()
        : "ranks " + sorted.toString().replaceAll("[\\[\\]]", "");
  }
}
