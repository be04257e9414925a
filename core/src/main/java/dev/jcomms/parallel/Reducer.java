package dev.jcomms.parallel;

import dev.jcomms.Comm;
import dev.jcomms.ReduceOp;
import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Device;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import dev.jcomms.tensor.autograd.GradMode;
import dev.jcomms.tensor.autograd.Gradients;
import java.util.List;
import java.util.stream.Collectors;

/**
 * What happens in a backward pass, on its thread: gradients arrive, full buckets start, in one
 * order on all ranks, and the end of the pass waits for them.
 */
final class Reducer {
  private final Comm comm;
  private final List<Slot> slots;
  private final List<Bucket> buckets;
  private final boolean findUnused;
  private final boolean asViews;

  private final boolean[] used; // by slot, since the last average
  private int paused;
  private Thread pass; // whose pass runs; null between passes
  private int started; // buckets, in this pass
  private String broken; // why no further pass can be averaged; null if it can

  Reducer(Comm comm, List<Slot> slots, List<Bucket> buckets, boolean findUnused, boolean asViews) {
    this.comm = comm;
    this.slots = slots;
    this.buckets = buckets;
    this.findUnused = findUnused;
    this.asViews = asViews;
    this.used = new boolean[slots.size()];
  }

  List<List<String>> bucketNames() {
    return buckets.stream()
        .map(bucket -> bucket.slots.stream().map(slot -> slot.name).toList())
        .toList();
  }

  synchronized void pause() {
    requireBetweenPasses("noSync");
    paused++;
  }

  synchronized void resume() {
    requireBetweenPasses("noSync");
    paused--;
  }

  private void requireBetweenPasses(String what) {
    if (pass != null) {
      throw new IllegalStateException(
          "data_parallel: " + what + " begins or ends inside a backward pass");
    }
  }

  /** A gradient was added to. */
  synchronized void arrived(Slot slot) {
    used[slot.index] = true;
    if (paused > 0) {
      return;
    }
    if (broken != null) {
      throw new IllegalStateException(broken);
    }
    if (pass == null) {
      pass = Thread.currentThread();
      Gradients.whenPassEnds(this::end);
    } else if (pass != Thread.currentThread()) {
      throw new IllegalStateException(
          "data_parallel: backward passes run on two threads; one at a time");
    }
    if (slot.arrived) {
      throw new IllegalStateException(
          "data_parallel: the gradient of '"
              + slot.name
              + "' came twice in one backward pass; a pass inside a pass cannot be averaged");
    }
    try (var _ = GradMode.noGrad()) {
      slot.bucket.arrived(slot);
    }
    startFull();
  }

  /** In the buckets' order, whatever they became full in: it must be the same on all ranks. */
  private void startFull() {
    while (started < buckets.size() && buckets.get(started).isFull()) {
      buckets.get(started++).start(comm);
    }
  }

  private synchronized void end(Throwable failure) {
    try (var _ = GradMode.noGrad()) {
      if (failure != null) {
        if (started > 0) { // else nothing has gone out, and the ranks may try again
          broken = brokenBy("the last backward pass failed: " + failure);
        }
        return;
      }
      List<Slot> absent = slots.stream().filter(slot -> !slot.arrived).toList();
      if (!absent.isEmpty() && !findUnused) {
        String message =
            "data_parallel: the backward pass ended without a gradient for "
                + absent.stream()
                    .map(slot -> "'" + slot.name + "'")
                    .collect(Collectors.joining(", "))
                + " (rank "
                + comm.rank()
                + " of "
                + comm.size()
                + "); buckets averaged="
                + started
                + " of "
                + buckets.size()
                + "; use findUnused(true) if the loss need not depend on them";
        broken = message;
        throw new IllegalStateException(message);
      }
      absent.forEach(Slot::keep);
      absent.forEach(slot -> slot.bucket.arrived(slot));
      startFull();
      finish();
    } catch (RuntimeException | Error e) {
      if (broken == null) {
        broken = brokenBy(e.toString());
      }
      throw e;
    } finally {
      pass = null;
      started = 0;
      buckets.forEach(Bucket::reset);
    }
  }

  private void finish() {
    Tensor anywhere = findUnused ? usedAnywhere() : null;
    for (Bucket bucket : buckets) {
      bucket.await();
      for (Slot slot : bucket.slots) {
        if (anywhere == null || anywhere.getBoolean(slot.index)) {
          slot.scatter(asViews);
        } else {
          slot.putBack();
        }
      }
    }
    java.util.Arrays.fill(used, false);
  }

  /** Which parameters any rank has used; runs behind the buckets. */
  private Tensor usedAnywhere() {
    Tensor flags = Tensor.zeros(DType.I32, Shape.of(used.length));
    for (int i = 0; i < used.length; i++) {
      flags.set(used[i] ? 1 : 0, i);
    }
    Tensor where = flags.to(comm.device());
    comm.allReduce(where, ReduceOp.MAX);
    return where.to(Device.CPU);
  }

  /** Ranks that went on wait for the rest of this pass: only a new communicator helps. */
  private static String brokenBy(String why) {
    return "data_parallel: cannot go on, ranks may be out of step: " + why;
  }
}
