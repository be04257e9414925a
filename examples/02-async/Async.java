import module dev.jcomms;

/*
 * 02 Async: start now, wait later.
 *
 *   ./jcomms run -n 4 examples/02-async/Async.java
 *
 * Every operation has a blocking form and an ...Async form. The blocking form returns when the
 * operation is done; the other returns a Work at once, and the operation goes on by itself.
 */
void main() {
  try (Comm comm = Comm.newComm()) {
    overlap(comm);
    pipeline(comm);
    patience(comm);
  }
}

/*
 * The tensor belongs to the operation until the work has ended: do something else meanwhile. The
 * timeout is the operation's own; without one, the communicator's holds (600 s unless changed).
 */
void overlap(Comm comm) {
  Tensor grads = Tensor.full(Shape.of(1 << 16), comm.rank());
  OpOptions within = OpOptions.timeout(Duration.ofSeconds(30));

  Work work = comm.allReduceAsync(grads, ReduceOp.AVG, within);
  double other = 0;
  for (int i = 1; i <= 1000; i++) {
    other += 1.0 / ((double) i * i);
  }
  work.await(); // throws what the operation failed with, if it did

  say(comm, "average %.1f, and %.3f on the side".formatted(grads.getFloat(0), other));
}

/*
 * Several at once. They take effect in the order of the calls, so every rank must call in the same
 * order; they need not be awaited in it. A stage is the standard way to say what comes next: it
 * composes with everything that takes a CompletionStage.
 */
void pipeline(Comm comm) {
  List<Tensor> buckets = new ArrayList<>();
  List<CompletableFuture<Void>> ends = new ArrayList<>();
  for (int b = 1; b <= 3; b++) {
    Tensor bucket = Tensor.full(Shape.of(1024), b);
    buckets.add(bucket);
    Work work = comm.allReduceAsync(bucket, ReduceOp.SUM);
    ends.add(work.stage().thenRun(() -> bucket.fill(-bucket.getFloat(0))).toCompletableFuture());
  }
  CompletableFuture.allOf(ends.toArray(CompletableFuture[]::new)).join();
  say(comm, "buckets " + buckets.stream().map(b -> b.getFloat(0)).toList());
}

/*
 * A wait that gives up is not an operation that gives up: await(Duration) throws, the operation
 * goes on, and a later await still gets its result. (A timeout in OpOptions is the other kind: it
 * ends the operation, and the communicator with it. Example 04 shows that one.)
 *
 * Rank 0 waits in vain for a message that the last rank sends only after the barrier. The barrier
 * is on a communicator of its own, since the pending receive is ahead of it on this one.
 */
void patience(Comm comm) {
  int last = comm.size() - 1;
  if (last == 0) {
    return; // a world of one has nobody to wait for
  }
  try (Comm side = comm.split(comm.ranks()).orElseThrow()) {
    Tensor letter = Tensor.zeros(Shape.of(1));
    if (comm.rank() == 0) {
      Work work = comm.recvAsync(letter, last);
      try {
        work.await(Duration.ofMillis(50));
      } catch (CommTimeoutException e) {
        say(comm, "nothing yet: " + work.status());
      }
      side.barrier();
      work.await();
      say(comm, "the letter says " + letter.getFloat(0));
    } else {
      side.barrier();
      if (comm.rank() == last) {
        comm.send(letter.fill(42), 0);
      }
    }
  }
}

void say(Comm comm, String what) {
  IO.println("rank " + comm.rank() + "/" + comm.size() + ": " + what);
}
