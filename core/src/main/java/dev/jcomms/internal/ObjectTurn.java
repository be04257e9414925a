package dev.jcomms.internal;

import dev.jcomms.Collective;
import dev.jcomms.CommAbortedException;
import dev.jcomms.CommException;
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
    try {
      return rest.take(op -> comm().operation(op, first.options()).perform(number));
    } catch (CommException e) {
      throw e; // an operation's, which has told what it had to
    } catch (RuntimeException | Error e) {
      // The others wait for the rest.
      comm()
          .poison(
              new CommAbortedException(name() + " ended between its parts: " + e, e)
                  .at(comm().site(name(), number)));
      throw e;
    }
  }

  @Override
  public void numbered(long number) {
    super.numbered(number);
    first.queued(number);
  }
}
