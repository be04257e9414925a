package dev.jcomms.internal;

import dev.jcomms.Collective;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * One operation on values on its way: the operations on tensors behind it, in one turn of the lane
 * and under one number, so that nothing comes between them on any rank.
 */
final class ObjectTurn<T> extends Turn<T> {
  /** What follows the first operation. */
  interface Steps<T> {
    /** Runs the other operations, and returns what makes the value of what they brought. */
    Supplier<T> take(Consumer<Collective> run);
  }

  private final Operation first;
  private final Steps<T> rest;

  ObjectTurn(Communicator comm, String name, Operation first, Steps<T> rest) {
    super(comm, name);
    this.first = first;
    this.rest = rest;
  }

  @Override
  Supplier<T> perform(long number) {
    first.perform(number);
    return rest.take(op -> comm().operation(op, first.options()).perform(number));
  }

  @Override
  public void numbered(long number) {
    super.numbered(number);
    first.queued(number);
  }
}
