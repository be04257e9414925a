package dev.jcomms.internal;

import java.util.function.LongFunction;
import java.util.function.Supplier;

/** A turn on the lane for what all ranks do together and is no operation: a split, say. */
final class PlainTurn<T> extends Turn<T> {
  private final LongFunction<T> action;

  /**
   * @param action is given its number
   */
  PlainTurn(Communicator comm, String name, LongFunction<T> action) {
    super(comm, name);
    this.action = action;
  }

  @Override
  Supplier<T> perform(long number) {
    comm().guard().requireHealthy(name(), number);
    T value = action.apply(number);
    return () -> value;
  }
}
