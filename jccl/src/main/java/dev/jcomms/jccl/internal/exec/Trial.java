package dev.jcomms.jccl.internal.exec;

import dev.jcomms.jccl.internal.JcclBackend;
import dev.jcomms.jccl.plan.Plan;
import dev.jcomms.jccl.plan.PlanLayout;
import dev.jcomms.spi.BackendContext;
import dev.jcomms.store.HashStore;
import dev.jcomms.store.Store;
import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Device;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

/**
 * Runs a plan some times on ranks of its own and compares every result with a naive one. Immutable;
 * any thread.
 *
 * @param messageBytes of each rank: the input, or the output where that is the larger by nature
 * @param hints of the communicator, such as {@code transport}
 * @param timeout of each launch
 */
public record Trial(
    Plan plan,
    long messageBytes,
    int launches,
    DType dtype,
    PacketType packets,
    Map<String, String> hints,
    Duration timeout) {

  /**
   * Finds out, before ranks are started, whether the plan can run with such messages.
   *
   * @throws IllegalArgumentException if not
   */
  public void requirePossible() {
    Executor.requireSound(plan);
    Grain.require(plan, dtype, packets);
    for (int rank = 0; rank < plan.ranks().size(); rank++) {
      new Reference(plan, rank, messageBytes, dtype);
    }
  }

  /** Whether results can be compared: for test plans it is only seen whether they end. */
  public boolean isComparable() {
    return Reference.knows(plan);
  }

  /**
   * Runs it with ranks that are threads of this JVM.
   *
   * @return the first difference from what should have come out; empty if there is none
   * @throws IllegalArgumentException if the plan cannot run, or not with such a message
   * @throws dev.jcomms.CommException if a launch has failed
   */
  public Optional<String> withThreads() {
    int n = plan.ranks().size();
    List<Optional<String>> outcomes = new ArrayList<>();
    ExecutorService threads =
        Executors.newFixedThreadPool(n, Thread.ofPlatform().daemon().name("rank-", 0).factory());
    try (HashStore store = HashStore.create()) {
      List<Future<Optional<String>>> ranks =
          IntStream.range(0, n).mapToObj(r -> threads.submit(() -> asRank(r, store))).toList();
      for (Future<Optional<String>> rank : ranks) {
        outcomes.add(rank.get());
      }
    } catch (ExecutionException e) {
      switch (e.getCause()) {
        case RuntimeException failure -> throw failure;
        case Error failure -> throw failure;
        default -> throw new AssertionError(e.getCause());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    } finally {
      threads.shutdownNow();
    }
    return outcomes.stream().flatMap(Optional::stream).findFirst();
  }

  /** Runs one rank of it, which meets the others at a store. */
  private Optional<String> asRank(int rank, Store store) {
    int n = plan.ranks().size();
    try (JcclBackend backend = JcclBackend.open(context(rank, n, store, hints, timeout))) {
      return on(backend, rank);
    }
  }

  static BackendContext context(
      int rank, int ranks, Store store, Map<String, String> hints, Duration timeout) {
    return new BackendContext(
        "trial",
        rank,
        ranks,
        IntStream.range(0, ranks).boxed().toList(),
        Device.CPU,
        store,
        timeout,
        hints,
        Map.of());
  }

  /** Runs one rank of it on a backend that is open. */
  public Optional<String> on(JcclBackend backend, int rank) {
    Reference reference = new Reference(plan, rank, messageBytes, dtype);
    PreparedPlan prepared = backend.executor().prepare(plan, messageBytes, timeout);
    String first = null;
    try (Arena arena = Arena.ofShared()) {
      PlanLayout layout = reference.layout();
      Joint joint = Joint.of(plan, layout);
      MemorySegment input;
      MemorySegment output;
      if (joint == null) {
        input = arena.allocate(Math.max(1, layout.inputBytes()), 64);
        output = arena.allocate(Math.max(1, layout.outputBytes()), 64);
        input = input.asSlice(0, layout.inputBytes());
        output = output.asSlice(0, layout.outputBytes());
      } else {
        MemorySegment whole = arena.allocate(joint.bytes(), 64);
        input = whole.asSlice(joint.inputAt(), layout.inputBytes());
        output = whole.asSlice(joint.outputAt(), layout.outputBytes());
      }
      for (int i = 0; i < launches; i++) {
        reference.spoil(output);
        reference.fill(input, i);
        prepared.run(input, output, dtype, packets, backend.deadline(timeout));
        String difference = isComparable() ? reference.difference(output, i) : null;
        first = first == null ? difference : first;
      }
    }
    return Optional.ofNullable(first);
  }
}
