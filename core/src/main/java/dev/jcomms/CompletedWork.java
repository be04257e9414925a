package dev.jcomms;

import java.time.Duration;
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
    action.run();
  }

  @Override
  public void onEnd(Runnable action) {
    action.run();
  }

  @Override
  public String toString() {
    return "Work[COMPLETED]";
  }
}
