package dev.jcomms.benchmarks;

import dev.jcomms.tensor.Ops;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import dev.jcomms.tensor.dispatch.DispatchKey;
import dev.jcomms.tensor.dispatch.Dispatcher;
import dev.jcomms.tensor.dispatch.Library;
import dev.jcomms.tensor.dispatch.Operator;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.CompilerControl;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What the dispatcher adds to a kernel: an operator whose kernel returns its argument, called as
 * {@code Ops} does, through its handle, with boxed arguments, and not at all. The goal is less than
 * 40 ns between {@code typed} and {@code direct}, and no byte: {@code -prof gc} shows them. {@code
 * add16} is the shortest real call, end to end.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(
    value = 2,
    jvmArgsAppend = {"--add-modules=jdk.incubator.vector", "--enable-native-access=ALL-UNNAMED"})
public class DispatchOverhead {
  private static final Operator SAME = define();
  private static final MethodHandle HANDLE = SAME.handle();

  private final Tensor a = Tensor.ones(Shape.of(16));
  private final Tensor b = Tensor.ones(Shape.of(16));
  private final Tensor wanting = Tensor.ones(Shape.of(16)).requiresGrad(true);

  private static Operator define() {
    Library.define("bench", m -> m.def("first(Tensor self, Tensor other) -> Tensor"));
    Library.impl("bench", DispatchKey.CPU, m -> m.impl("first", MethodHandles.lookup(), "first"));
    return Dispatcher.operator("bench::first");
  }

  @CompilerControl(CompilerControl.Mode.DONT_INLINE)
  static Tensor first(Tensor self, Tensor other) {
    return self;
  }

  /** The kernel alone. */
  @Benchmark
  public Tensor direct() {
    return first(a, b);
  }

  /** Through the dispatcher, as {@code Ops} does. */
  @Benchmark
  public Tensor typed() throws Throwable {
    return (Tensor) SAME.kernelFor(a, b).invokeExact(a, b);
  }

  /** Through the handle of the operator. */
  @Benchmark
  public Tensor handle() throws Throwable {
    return (Tensor) HANDLE.invokeExact(a, b);
  }

  /** Found by name, with an array of arguments. */
  @Benchmark
  public Object boxed() {
    return Dispatcher.call("bench::first", a, b);
  }

  /** Sixteen elements, end to end. */
  @Benchmark
  public Tensor add16() {
    return Ops.add(a, b);
  }

  /** The same, recorded for a gradient. */
  @Benchmark
  public Tensor add16Recorded() {
    return Ops.add(a, wanting);
  }
}
