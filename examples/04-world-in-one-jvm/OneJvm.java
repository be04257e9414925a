import module dev.jcomms;

/*
 * 04 A world in one JVM: ranks are threads, what happened is on record, and errors name the culprit.
 *
 *   ./jcomms run examples/04-world-in-one-jvm/OneJvm.java
 *
 * No launcher is needed for this one: World starts the ranks as threads of this process. It is the
 * quickest way to try something and to test it; the same body runs unchanged as processes.
 */
void main() throws Exception {
  hooks();
  flightRecorder();
  wrongArgument();
  mismatch();
  timeout();
}

/* A hook sees every operation of a communicator before and after, as data to take apart. */
void hooks() {
  List<Long> bytes =
      World.of(4)
          .compute(
              comm -> {
                AtomicLong sent = new AtomicLong();
                Hook counter =
                    new Hook() {
                      @Override
                      public void before(Call call) {
                        call.op().inputs().forEach(input -> sent.addAndGet(input.bytes()));
                      }
                    };
                try (Registration _ = comm.addHook(counter)) {
                  comm.allReduce(Tensor.ones(Shape.of(100)), ReduceOp.SUM);
                  comm.broadcast(Tensor.ones(Shape.of(10)), comm.size() - 1);
                }
                comm.barrier(); // not seen: the hook is gone
                return sent.get();
              });
  IO.println("bytes by rank: " + bytes);
}

/*
 * The flight recorder is always on: a ring of the last operations, without their tensors. It is
 * written by itself on a timeout or an abort where JCOMMS_FLIGHT_RECORDER_DIR names a folder;
 * `jcomms trace` makes one picture of the dumps of all ranks.
 */
void flightRecorder() {
  World.run(
      4,
      comm -> {
        comm.barrier();
        comm.allReduce(Tensor.of(1L, 2L, 3L), ReduceOp.MAX);
        if (comm.rank() == 0) {
          for (FlightRecorder.Entry entry : comm.flightRecorder().entries()) {
            IO.println(
                "recorded: #%d %s, %d bytes, %s"
                    .formatted(entry.number(), entry.op(), entry.bytes(), entry.state()));
          }
          Path file = Files.createTempFile("flight-", ".json");
          comm.flightRecorder().dump(file);
          IO.println("dumped: " + Files.readString(file).substring(0, 44) + "...");
          Files.delete(file);
        }
      });
}

/* A wrong argument is told before anything moves, and harms nothing: the next call works. */
void wrongArgument() {
  World.run(
      4,
      comm -> {
        try {
          comm.send(Tensor.ones(Shape.of(1)), 8);
        } catch (IllegalArgumentException e) {
          report(comm, e);
        }
        comm.barrier();
      });
}

/* Ranks that call different things learn it at once, each told who has what. Nobody hangs. */
void mismatch() {
  World.run(
      4,
      comm -> {
        Tensor x = Tensor.ones(Shape.of(comm.rank() == 3 ? 1000 : 1024));
        try {
          comm.allReduce(x, ReduceOp.SUM);
        } catch (CommMismatchException e) {
          report(comm, e);
        }
      });
}

/*
 * A deadline names the operation, its number and the ranks that did not come. It is told to all
 * ranks at once: rank 1 has no deadline to speak of here, and does not wait for one. Afterwards the
 * ranks are out of step, so the communicator is poisoned: every further call fails at once.
 */
void timeout() {
  CountDownLatch told = new CountDownLatch(3);
  World.run(
      4,
      comm -> {
        if (comm.rank() == 2) {
          told.await(); // busy elsewhere
          return;
        }
        Duration patience = comm.rank() == 0 ? Duration.ofMillis(300) : Duration.ofMinutes(10);
        try {
          comm.barrier(OpOptions.timeout(patience));
        } catch (CommException e) {
          report(comm, e);
        } finally {
          told.countDown();
        }
      });
}

/* Two ranks speak for all. */
void report(Comm comm, RuntimeException e) {
  if (comm.rank() < 2) {
    IO.println("rank " + comm.rank() + ": " + e.getClass().getSimpleName() + ": " + e.getMessage());
  }
}
