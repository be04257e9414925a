package dev.jcomms.benchmarks;

import dev.jcomms.Comm;
import dev.jcomms.ReduceOp;
import dev.jcomms.Work;
import dev.jcomms.tensor.Device;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What a call costs: checks, routing, order, flight record. A world of one: on {@code fake}, which
 * returns at once, all that is measured is on the way there and back; on {@code jccl} it is the
 * whole of a call that need not wait.
 *
 * <p>The goal is less than 150 ns and less than 200 bytes for the blocking form: {@code -prof gc}
 * shows the bytes as {@code gc.alloc.rate.norm}.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class CallOverhead {
  /** The backend. */
  @Param({"fake", "jccl"})
  public String backend;

  private Comm comm;
  private Tensor x;

  /** A world of one. */
  @Setup
  public void open() {
    comm = Comm.newBuilder(backend, Device.CPU).ranks(0, 1).environment(Map.of()).build();
    x = Tensor.ones(Shape.of(1));
  }

  /** Ends it. */
  @TearDown
  public void close() {
    comm.close();
  }

  /** Runs on the caller's thread. */
  @Benchmark
  public void blocking() {
    comm.allReduce(x, ReduceOp.SUM);
  }

  /** Goes through the communicator's own thread and back. */
  @Benchmark
  public Work asyncAndAwait() {
    Work work = comm.allReduceAsync(x, ReduceOp.SUM);
    work.await();
    return work;
  }
}
