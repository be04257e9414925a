package dev.jcomms.internal;

import dev.jcomms.CommException;
import dev.jcomms.CommGraph;
import dev.jcomms.Work;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A recording under way: the operations that its thread calls are kept instead of run. */
final class Capture {
  private final Communicator comm;
  private final Thread thread = Thread.currentThread();
  private final List<Request> requests = new ArrayList<>();

  Capture(Communicator comm) {
    this.comm = comm;
  }

  boolean isMine() {
    return Thread.currentThread() == thread;
  }

  void add(Request request) {
    requests.add(request);
  }

  CommGraph graph() {
    return new RecordedGraph(comm, List.copyOf(requests));
  }

  /** What an async form gives while recording: work that will never start. */
  Work work() {
    return new NeverStarted(comm.name());
  }

  private record NeverStarted(String comm) implements Work {
    @Override
    public Status status() {
      return Status.NOT_STARTED;
    }

    @Override
    public Optional<CommException> failure() {
      return Optional.empty();
    }

    @Override
    public void await() {
      throw new IllegalStateException(
          "comm '" + comm + "': await inside a capture; the operation was recorded, not started");
    }

    @Override
    public void await(Duration timeout) {
      await();
    }

    @Override
    public CompletionStage<Void> stage() {
      return new CompletableFuture<Void>().minimalCompletionStage();
    }

    @Override
    public void onStart(Runnable action) {}

    @Override
    public void onEnd(Runnable action) {}
  }
}
