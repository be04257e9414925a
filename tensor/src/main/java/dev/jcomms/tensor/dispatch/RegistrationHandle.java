package dev.jcomms.tensor.dispatch;

import java.util.concurrent.atomic.AtomicReference;

/**
 * Something that was registered. Closing it takes that away and brings back what was there before,
 * in whatever order registrations are closed; closing twice does nothing. Any thread may close it.
 */
public final class RegistrationHandle implements AutoCloseable {
  private final AtomicReference<Runnable> undo;

  private RegistrationHandle(Runnable undo) {
    this.undo = new AtomicReference<>(undo);
  }

  /** One that runs {@code undo} when first closed. */
  public static RegistrationHandle once(Runnable undo) {
    return new RegistrationHandle(undo);
  }

  @Override
  public void close() {
    Runnable pending = undo.getAndSet(null);
    if (pending != null) {
      pending.run();
    }
  }
}
