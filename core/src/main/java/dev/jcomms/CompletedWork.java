package dev.jcomms;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The one work that was done before it was asked for. */
final class CompletedWork implements Work {
  static final CompletedWork INSTANCE = new CompletedWork();

  private CompletedWork() {}

  @Override
  public Status status() {
    return Status.COMPLETED;
  }

  @Override
  public Optional<CommException> failure() {
    return Optional.empty();
  }

  @Override
  public void await() {}

  @Override
  public void await(Duration timeout) {}

  @Override
  public CompletionStage<Void> stage() {
    return CompletableFuture.completedStage(null);
  }

  @Override
  public void onStart(Runnable action) {
    Objects.requireNonNull(action, "action");
    try {
      action.run();
    } catch (Throwable t) {
      // As with any work, that is not the failure of who asks.
      System.getLogger("dev.jcomms").log(Level.WARNING, "a callback of work failed", t);
    }
  }

  @Override
  public void onEnd(Runnable action) {
    onStart(action);
  }

  @Override
  public String toString() {
    return "Work[COMPLETED]";
  }
}
