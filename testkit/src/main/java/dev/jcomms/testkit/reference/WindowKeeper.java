package dev.jcomms.testkit.reference;

import dev.jcomms.ReduceOp;
import dev.jcomms.store.Store;
import dev.jcomms.store.StoreException;
import dev.jcomms.store.StoreTimeoutException;
import dev.jcomms.tensor.Tensor;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Keeps one rank's part of a window: a thread that takes requests from a mailbox, one after the
 * other, and so is the only one to touch the memory. Whatever a rank asks for in order is done in
 * order.
 */
final class WindowKeeper {
  private static final Duration SLICE = Duration.ofMillis(200);

  private final Store store;
  private final Parcels parcels;
  private final Waits waits;
  private final Mailbox mailbox;
  private final Tensor memory;
  private final Thread thread;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition signalled = lock.newCondition();
  private final long[] signals;

  WindowKeeper(Store store, Waits waits, String mailbox, Tensor memory, int size) {
    this.store = store;
    this.parcels = new Parcels(store);
    this.waits = waits;
    this.mailbox = new Mailbox(store, mailbox);
    this.memory = memory.flatten();
    this.signals = new long[size];
    this.thread = Thread.ofPlatform().daemon().name("reference-" + mailbox).start(this::keep);
  }

  private void keep() {
    try {
      while (true) {
        WindowRequest request = next();
        if (request == null || request.kind().equals("stop")) {
          return;
        }
        serve(request);
      }
    } catch (RuntimeException e) {
      waits.abort("window: " + e);
    }
  }

  /** The next request; null once the communicator was aborted or the store has gone. */
  private WindowRequest next() {
    while (!waits.isAborted()) {
      try {
        return WindowRequest.decode(mailbox.take(SLICE));
      } catch (StoreTimeoutException e) {
        // Nobody asks: look again whether anybody will.
      } catch (StoreException | IllegalStateException e) {
        return null;
      }
    }
    return null;
  }

  private void serve(WindowRequest request) {
    switch (request.kind()) {
      case "put" -> {
        Tensor target = part(request.number(2), request.bytes().length / memory.dtype().bytes());
        Bytes.write(target, request.bytes());
      }
      case "accumulate" -> {
        Tensor target = part(request.number(2), request.number(3));
        ReduceOp op = ReduceOp.parse(request.words()[4]);
        byte[] present = NaiveReduction.contribution(target, op);
        NaiveReduction.reduce(List.of(present, request.bytes()), op, target);
      }
      case "get" ->
          parcels.put(request.words()[4], Bytes.of(part(request.number(2), request.number(3))));
      case "signal" -> raise(request.asker());
      case "flush" -> store.set(request.words()[2], new byte[0]);
      default -> throw new IllegalStateException("request '" + request.kind() + "'");
    }
  }

  private Tensor part(long offset, long elements) {
    return memory.narrow(0, offset, elements);
  }

  private void raise(int src) {
    lock.lock();
    try {
      signals[src]++;
      signalled.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Waits for a signal of a rank for a while, and consumes it; false if there was none. */
  boolean takeSignal(int src, Duration most) throws InterruptedException {
    long nanos = most.toNanos();
    lock.lockInterruptibly();
    try {
      while (signals[src] == 0) {
        if (nanos <= 0) {
          return false;
        }
        nanos = signalled.awaitNanos(nanos);
      }
      signals[src]--;
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** Ends the thread once it has done all that was asked before. */
  void stop() {
    try {
      mailbox.push(WindowRequest.encode("stop", new byte[0]));
      thread.join(TimeUnit.SECONDS.toMillis(10));
    } catch (StoreException | IllegalStateException e) {
      // The store has gone, and the keeper with it.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
