package dev.jcomms.internal.store;

import java.util.HashSet;
import java.util.Set;

/**
 * Someone who waits in a {@link StoreState}: for several keys, or for one push to a queue. One wait
 * at a time; owned by whoever owns the state.
 */
public abstract class Waiter {
  /** The keys it still lacks; empty when it does not wait, and then without memory of its own. */
  private Set<String> missing = Set.of();

  /**
   * The queue whose push woke it, until it pops: while it is set, that push is promised to this
   * waiter, and must be offered to the next one if this one goes away.
   */
  String promised;

  /** Whether a push to a queue is nothing to it. */
  boolean valuesOnly;

  /** The keys it still lacks. */
  protected final Set<String> missing() {
    return missing;
  }

  final void lack(String key) {
    if (missing.isEmpty()) missing = HashSet.newHashSet(1);
    missing.add(key);
  }

  /** Notes that a key it lacked has come; true if that was the last. */
  final boolean got(String key) {
    missing.remove(key);
    if (!missing.isEmpty()) return false;
    missing = Set.of();
    return true;
  }

  final void lackNothing() {
    missing = Set.of();
  }

  /** Called once, when the last key came. Must not call back into the state. */
  protected abstract void wake();
}
