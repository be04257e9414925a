package dev.jcomms.parallel;

import dev.jcomms.Comm;
import dev.jcomms.tensor.Tensor;
import dev.jcomms.tensor.dispatch.RegistrationHandle;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Keeps the parameters of a model equal on all ranks of a communicator, each of which trains on its
 * own part of the data. Made by {@link #over} or {@link #newBuilder}, collectively.
 *
 * <pre>{@code
 * Map<String, Tensor> parameters = new LinkedHashMap<>(); // Map.of has an order of each JVM's own
 * parameters.put("weight", weight);
 * parameters.put("bias", bias);
 * try (var parallel = DataParallel.over(comm, parameters)) {
 *   loss(input).backward();   // gradients are averages over the ranks when this returns
 *   optimizer.step();
 * }
 * }</pre>
 *
 * <p>At the start the ranks compare their lists of parameters and take rank 0's values. After that
 * everything happens inside backward passes: gradients are put together in buckets, the last
 * parameters first, since theirs come first; as soon as a bucket is full its average is on its way,
 * while the pass goes on; the pass returns when all averages are in {@code grad()}. Every rank must
 * run the same passes, each of which reaches at least one parameter.
 *
 * <p>A pass that leaves a parameter without a gradient fails at its end, unless {@link
 * Builder#findUnused} was asked for. Under {@link #noSync} passes only add up, on each rank for
 * itself.
 *
 * <p>Passes may run on any thread, one at a time. {@link #close} takes the hooks away; the
 * communicator and the parameters stay the caller's.
 */
public final class DataParallel implements AutoCloseable {
  /** What buckets hold unless told otherwise: DDP's 25 MiB, and 1 MiB for the first one. */
  public static final long BUCKET_BYTES = 25L << 20;

  public static final long FIRST_BUCKET_BYTES = 1L << 20;

  private final Comm comm;
  private final Map<String, Tensor> parameters;
  private final Reducer reducer;
  private final List<RegistrationHandle> hooks = new ArrayList<>();

  private DataParallel(Builder builder) {
    parameters = new LinkedHashMap<>(builder.parameters);
    comm = builder.comm;
    List<Slot> slots = Parameters.agreed(comm, parameters, builder.facts());
    Parameters.broadcast(comm, parameters.values());
    List<Bucket> buckets =
        Buckets.fill(builder.comm, slots, builder.firstBucketBytes, builder.bucketBytes);
    reducer =
        new Reducer(builder.comm, slots, buckets, builder.findUnused, builder.gradientsAsViews);
    for (Slot slot : slots) {
      hooks.add(slot.parameter.registerPostAccumulateGradHook(_ -> reducer.arrived(slot)));
    }
  }

  /** One with everything as it is by default; parameters as {@link #newBuilder} takes them. */
  public static DataParallel over(Comm comm, Map<String, Tensor> parameters) {
    return newBuilder(comm, parameters).build();
  }

  /**
   * One that is told more.
   *
   * @param parameters by name, in the order in which the model uses them: a map that keeps it,
   *     which {@code Map.of} and {@code HashMap} do not. Those that require no gradient are only
   *     made equal at the start
   */
  public static Builder newBuilder(Comm comm, Map<String, Tensor> parameters) {
    return new Builder(comm, parameters);
  }

  /** What it is made with; the same on every rank. Used by one thread. */
  public static final class Builder {
    private final Comm comm;
    private final Map<String, Tensor> parameters;
    private long bucketBytes = BUCKET_BYTES;
    private long firstBucketBytes = FIRST_BUCKET_BYTES;
    private boolean findUnused;
    private boolean gradientsAsViews;

    private Builder(Comm comm, Map<String, Tensor> parameters) {
      this.comm = Objects.requireNonNull(comm, "comm");
      this.parameters = parameters;
    }

    /** A bucket is closed by the parameter that brings it to so many bytes. */
    public Builder bucketBytes(long bytes) {
      this.bucketBytes = positive("bucketBytes", bytes);
      return this;
    }

    /** The same of the first one, which is small so that communication begins early. */
    public Builder firstBucketBytes(long bytes) {
      this.firstBucketBytes = positive("firstBucketBytes", bytes);
      return this;
    }

    /**
     * Whether a pass may leave parameters without a gradient: they count as zeros where another
     * rank has one, and keep what they have where none has. Buckets that wait for such a parameter,
     * and those behind them, start at the end of the pass; and the ranks exchange who used what.
     */
    public Builder findUnused(boolean wanted) {
      this.findUnused = wanted;
      return this;
    }

    /**
     * Whether {@code grad()} becomes a view of its bucket, which saves the copy back, and the
     * memory once. Not of parameters on a device that the communicator does not serve.
     */
    public Builder gradientsAsViews(boolean wanted) {
      this.gradientsAsViews = wanted;
      return this;
    }

    /**
     * Collective over the communicator.
     *
     * @throws dev.jcomms.CommMismatchException on every rank, if the ranks have different names,
     *     shapes, dtypes or options, naming the first difference
     * @throws IllegalArgumentException if a parameter is missing or no leaf, or none requires a
     *     gradient; the other ranks then get a mismatch that says so
     */
    public DataParallel build() {
      return new DataParallel(this);
    }

    private String facts() {
      return "bucketBytes="
          + bucketBytes
          + " firstBucketBytes="
          + firstBucketBytes
          + " findUnused="
          + findUnused;
    }

    private static long positive(String name, long bytes) {
      if (bytes <= 0) {
        throw new IllegalArgumentException(name + "=" + bytes + " is not positive");
      }
      return bytes;
    }
  }

  /** The parameters by name, in the order they were given in. */
  public Map<String, Tensor> parameters() {
    return java.util.Collections.unmodifiableMap(parameters);
  }

  /** The parameters' names, bucket by bucket, in the order in which buckets are averaged. */
  public List<List<String>> buckets() {
    return reducer.bucketNames();
  }

  /**
   * Gives every rank rank 0's values of all that require no gradient, such as running averages,
   * which each rank works out for itself. Collective; PyTorch does so before every forward pass.
   */
  public void syncBuffers() {
    Parameters.broadcast(
        comm, parameters.values().stream().filter(t -> !t.requiresGrad()).toList());
  }

  /** Lets passes only add to the gradients of this rank, until the scope is closed. */
  public NoSync noSync() {
    reducer.pause();
    return new NoSync(reducer);
  }

  /** The time in which nothing is averaged. What has added up goes with the next pass after it. */
  public static final class NoSync implements AutoCloseable {
    private Reducer reducer; // null once closed

    private NoSync(Reducer reducer) {
      this.reducer = reducer;
    }

    @Override
    public void close() {
      if (reducer != null) {
        reducer.resume();
        reducer = null;
      }
    }
  }

  /** Takes the hooks away: from now on passes are each rank's own. */
  @Override
  public void close() {
    hooks.forEach(RegistrationHandle::close);
    hooks.clear();
  }
}
