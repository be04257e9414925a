package dev.jcomms.testkit;

import dev.jcomms.Collective;
import dev.jcomms.CommMismatchException;
import dev.jcomms.CommTimeoutException;
import dev.jcomms.OpOptions;
import dev.jcomms.ReduceOp;
import dev.jcomms.Work;
import dev.jcomms.fake.FakeProvider;
import dev.jcomms.spi.AbortableBackend;
import dev.jcomms.spi.Backend;
import dev.jcomms.spi.BackendContext;
import dev.jcomms.spi.BackendProvider;
import dev.jcomms.spi.Promise;
import dev.jcomms.spi.WindowBackend;
import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** The reference with one {@link Fault}. */
final class FaultyBackend implements AbortableBackend, WindowBackend {
  private final Fault fault;
  private final AbortableBackend right;
  private final int rank;
  private final int size;
  private int sends;
  private int calls;
  private volatile CountDownLatch next = new CountDownLatch(1);

  private FaultyBackend(Fault fault, BackendContext context, Backend right) {
    this.fault = fault;
    this.right = (AbortableBackend) right;
    this.rank = context.rank();
    this.size = context.size();
  }

  static BackendProvider provider(Fault fault, BackendProvider reference) {
    return new FakeProvider(context -> new FaultyBackend(fault, context, reference.open(context)));
  }

  @Override
  public Set<Class<? extends Collective>> supports() {
    return right.supports();
  }

  @Override
  public void abort(String reason) {
    if (fault != Fault.SLEEPS_THROUGH_ABORTS) {
      right.abort(reason);
    }
  }

  @Override
  public void close() {
    right.close();
  }

  private void rightly(Collective op, OpOptions options) {
    right.submit(op, options).await(options.timeout().orElseThrow());
  }

  @Override
  public Work submit(Collective op, OpOptions options) {
    CountDownLatch before = next;
    next = new CountDownLatch(1);
    before.countDown();
    return switch (fault) {
      case ADDS_ONE_TO_THE_LAST_ELEMENT -> addsOne(op, options);
      case CHANGES_THE_INPUT -> changesInput(op, options);
      case LOSES_A_MESSAGE -> loses(op, options);
      case TAKES_THE_NEXT_ROOT ->
          right.submit(
              op instanceof Collective.Broadcast(Tensor tensor, int root)
                  ? new Collective.Broadcast(tensor, (root + 1) % size)
                  : op,
              options);
      case LEAVES_THE_BARRIER_EARLY ->
          op instanceof Collective.Barrier ? Work.completed() : right.submit(op, options);
      case DIFFERS_IN_A_BIT_BY_RANK -> flipsBit(op, options);
      case DIFFERS_IN_A_BIT_BY_TIME -> flipsBitLater(op, options);
      case LEAVES_THE_LAST_SECTION_UNWRITTEN -> leavesLastSection(op, options);
      case IGNORES_TIMEOUTS -> right.submit(op, options.withTimeout(Duration.ofHours(1)));
      case SWALLOWS_MISMATCHES -> swallows(op, options);
      case IGNORES_TAGS, TAKES_ANY_TAG -> right.submit(untagged(op), options);
      case DROPS_THE_LAST_OF_ODD_COUNTS -> dropsLast(op, options);
      case ROUNDS_AVERAGES -> rounds(op, options);
      case ACCUMULATES_F16_IN_F16 -> accumulatesNarrow(op, options);
      case SCATTERS_SUMS_OF_F16_IN_F16 -> scattersNarrow(op, options);
      case REDUCES_ON_EVERY_RANK ->
          right.submit(
              op instanceof Collective.Reduce(Tensor tensor, _, ReduceOp redop)
                  ? new Collective.AllReduce(tensor, tensor, redop)
                  : op,
              options);
      case LOSES_NAN -> losesNan(op, options);
      case MIXES_UP_DESTINATIONS -> mixesUp(op, options);
      case WRITES_BEYOND_THE_OUTPUT -> writesBeyond(op, options);
      case WRITES_GATHER_OUTPUT_ELSEWHERE -> gathersElsewhere(op, options);
      case SWAPS_OPERATIONS -> swaps(op, options);
      case SLEEPS_THROUGH_ABORTS, LOSES_PUTS, SIGNALS_TWICE -> right.submit(op, options);
      case REFUSES_ZERO_ELEMENTS -> refusesZero(op, options);
      case CLAIMS_WHAT_IT_LACKS -> {
        if (op instanceof Collective.Scatter) {
          throw new UnsupportedOperationException("scatter is not there");
        }
        yield right.submit(op, options);
      }
      case CLEARS_OUTPUTS_FIRST -> {
        op.outputs().forEach(Tensor::zero);
        yield right.submit(op, options);
      }
      case KEEPS_ITS_OWN_SECTION_FIRST -> keepsOwn(op, options);
      case COMPLETES_BEFORE_IT_IS_DONE -> tooEarly(op, options);
      case NAMES_ITSELF_MISSING -> namesItself(op, options);
    };
  }

  private Work addsOne(Collective op, OpOptions options) {
    rightly(op, options);
    if (op instanceof Collective.AllReduce(Tensor output, _, _)
        && rank == size - 1
        && output.elements() > 0) {
      long last = output.elements() - 1;
      output.setDouble(output.getDouble(last) + 1, last);
    }
    return Work.completed();
  }

  private Work changesInput(Collective op, OpOptions options) {
    rightly(op, options);
    if (op instanceof Collective.AllGather(_, Tensor input) && input.elements() > 0) {
      input.setDouble(input.getDouble(0) == 1 ? 2 : 1, 0);
    }
    return Work.completed();
  }

  private Work loses(Collective op, OpOptions options) {
    return op instanceof Collective.Send && ++sends % 3 == 0
        ? Work.completed()
        : right.submit(op, options);
  }

  /** Only where rounding matters: whole numbers come out right. */
  private Work flipsBit(Collective op, OpOptions options) {
    rightly(op, options);
    if (op instanceof Collective.AllReduce(Tensor output, _, _)
        && rank > 0
        && output.dtype() == DType.F32) {
      for (long i = 0; i < output.elements(); i++) {
        float value = output.getFloat(i);
        if (value != Math.rint(value)) {
          output.setFloat(Math.nextUp(value), i);
          break;
        }
      }
    }
    return Work.completed();
  }

  /** Right the first few times. */
  private Work flipsBitLater(Collective op, OpOptions options) {
    rightly(op, options);
    if (++calls > 4) {
      MemorySegment bytes = op.outputs().getFirst().segment();
      bytes.set(ValueLayout.JAVA_BYTE, 0, (byte) (bytes.get(ValueLayout.JAVA_BYTE, 0) ^ 1));
    }
    return Work.completed();
  }

  private Work leavesLastSection(Collective op, OpOptions options) {
    if (op instanceof Collective.AllGatherSingle(Tensor output, Tensor input)) {
      Tensor right = output.copy();
      rightly(new Collective.AllGatherSingle(right, input), options);
      long all = output.elements() - input.elements();
      output.narrow(0, 0, all).copyFrom(right.narrow(0, 0, all));
      return Work.completed();
    }
    return right.submit(op, options);
  }

  private Work swallows(Collective op, OpOptions options) {
    try {
      return right.submit(op, options);
    } catch (CommMismatchException e) {
      return Work.completed();
    }
  }

  private static Collective untagged(Collective op) {
    return switch (op) {
      case Collective.Send(Tensor tensor, int dst, _) -> new Collective.Send(tensor, dst, 0);
      case Collective.Recv(Tensor tensor, int src, _) -> new Collective.Recv(tensor, src, 0);
      case Collective.SendRecvBatch(var ops) ->
          new Collective.SendRecvBatch(
              ops.stream().map(part -> (Collective.PointToPoint) untagged(part)).toList());
      default -> op;
    };
  }

  private Work dropsLast(Collective op, OpOptions options) {
    if (op instanceof Collective.ReduceScatterSingle(Tensor output, Tensor input, ReduceOp redop)
        && output.elements() % 2 == 1) {
      Tensor result = Tensor.empty(output.dtype(), output.shape());
      rightly(new Collective.ReduceScatterSingle(result, input, redop), options);
      long even = output.elements() - 1;
      output.narrow(0, 0, even).copyFrom(result.narrow(0, 0, even));
      return Work.completed();
    }
    return right.submit(op, options);
  }

  private Work rounds(Collective op, OpOptions options) {
    if (op instanceof Collective.AllReduce(Tensor output, Tensor input, ReduceOp redop)
        && redop == ReduceOp.AVG
        && input.dtype().isInteger()) {
      Tensor sum = Tensor.empty(DType.I64, input.shape()).copyFrom(input);
      rightly(new Collective.AllReduce(sum, sum, ReduceOp.SUM), options);
      for (long i = 0; i < sum.elements(); i++) {
        output.setLong(Math.round(sum.getLong(i) / (double) size), i);
      }
      return Work.completed();
    }
    return right.submit(op, options);
  }

  private Work accumulatesNarrow(Collective op, OpOptions options) {
    if (op instanceof Collective.AllReduce(Tensor output, Tensor input, ReduceOp redop)
        && redop == ReduceOp.SUM
        && input.dtype() == DType.F16) {
      Tensor all = Tensor.empty(DType.F16, Shape.of(input.elements() * size));
      rightly(new Collective.AllGatherSingle(all, input), options);
      sumNarrow(output, all);
      return Work.completed();
    }
    return right.submit(op, options);
  }

  private Work scattersNarrow(Collective op, OpOptions options) {
    if (op instanceof Collective.ReduceScatterSingle(Tensor output, Tensor input, ReduceOp redop)
        && redop == ReduceOp.SUM
        && input.dtype() == DType.F16) {
      Tensor all = Tensor.empty(DType.F16, input.shape());
      rightly(new Collective.AllToAllSingle(all, input), options);
      sumNarrow(output, all);
      return Work.completed();
    }
    return right.submit(op, options);
  }

  private void sumNarrow(Tensor output, Tensor all) {
    long n = output.elements();
    output.zero();
    for (int r = 0; r < size; r++) {
      for (long i = 0; i < n; i++) {
        output.setFloat(output.getFloat(i) + all.getFloat(r * n + i), i);
      }
    }
  }

  private Work losesNan(Collective op, OpOptions options) {
    if (op instanceof Collective.AllReduce(Tensor output, Tensor input, ReduceOp redop)
        && redop == ReduceOp.MIN
        && input.dtype().isFloating()) {
      Tensor numbers = input.copy();
      for (long i = 0; i < numbers.elements(); i++) {
        if (Double.isNaN(numbers.getDouble(i))) {
          numbers.setDouble(Double.POSITIVE_INFINITY, i);
        }
      }
      return right.submit(new Collective.AllReduce(output, numbers, redop), options);
    }
    return right.submit(op, options);
  }

  private Work mixesUp(Collective op, OpOptions options) {
    if (op instanceof Collective.AllToAllSingle(Tensor output, Tensor input)) {
      long each = input.elements() / size;
      Tensor turned = input.copy();
      for (int r = 0; r < size; r++) {
        turned.narrow(0, r * each, each).copyFrom(input.narrow(0, (r + 1) % size * each, each));
      }
      return right.submit(new Collective.AllToAllSingle(output, turned), options);
    }
    return right.submit(op, options);
  }

  private Work writesBeyond(Collective op, OpOptions options) {
    rightly(op, options);
    if (op instanceof Collective.AllGatherSingle(Tensor output, _)) {
      long end = output.offset() * output.dtype().bytes() + output.bytes();
      output.storage().segment().set(ValueLayout.JAVA_BYTE, end, (byte) 1);
    }
    return Work.completed();
  }

  private Work gathersElsewhere(Collective op, OpOptions options) {
    if (op instanceof Collective.GatherSingle(Tensor output, Tensor input, _)) {
      Tensor room =
          output != null ? output : Tensor.empty(input.dtype(), Shape.of(input.elements() * size));
      return right.submit(new Collective.AllGatherSingle(room, input), options);
    }
    return right.submit(op, options);
  }

  /** A broadcast waits for the operation after it, for a while. */
  private Work swaps(Collective op, OpOptions options) {
    if (!(op instanceof Collective.Broadcast)) {
      synchronized (this) {
        return right.submit(op, options);
      }
    }
    CountDownLatch after = next;
    Promise promise = new Promise();
    promise.start();
    Thread.ofVirtual()
        .start(
            () -> {
              try {
                boolean overtaken = after.await(100, TimeUnit.MILLISECONDS);
                synchronized (this) {
                  if (overtaken) {
                    wait(5);
                  }
                  rightly(op, options);
                }
                promise.complete();
              } catch (Throwable t) {
                promise.fail(t);
              }
            });
    return promise;
  }

  private Work refusesZero(Collective op, OpOptions options) {
    if (op instanceof Collective.Broadcast(Tensor tensor, _) && tensor.elements() == 0) {
      throw new IllegalStateException("nothing to send");
    }
    return right.submit(op, options);
  }

  /** Right in place, and wrong where the input lies anywhere else in the output. */
  private Work keepsOwn(Collective op, OpOptions options) {
    if (op instanceof Collective.AllGatherSingle(Tensor output, Tensor input)) {
      output.narrow(0, rank * input.elements(), input.elements()).copyFrom(input);
    }
    return right.submit(op, options);
  }

  /** Says it is done, and does it on a thread of its own when somebody else has had a turn. */
  private Work tooEarly(Collective op, OpOptions options) {
    if (!(op instanceof Collective.AllToAllSingle)) {
      return right.submit(op, options);
    }
    CountDownLatch after = next;
    Thread.ofVirtual()
        .start(
            () -> {
              try {
                after.await(100, TimeUnit.MILLISECONDS);
                right.submit(op, options);
              } catch (InterruptedException | RuntimeException e) {
                // Nobody would hear of it.
              }
            });
    return Work.completed();
  }

  private Work namesItself(Collective op, OpOptions options) {
    try {
      return right.submit(op, options);
    } catch (CommTimeoutException e) {
      throw new CommTimeoutException(e.timeout(), e.detail(), Set.of(rank));
    }
  }

  @Override
  public RegisteredWindow register(Tensor tensor, OpOptions options) {
    RegisteredWindow window = ((WindowBackend) right).register(tensor, options);
    return switch (fault) {
      case LOSES_PUTS, SIGNALS_TWICE -> new FaultyWindow(fault, window);
      default -> window;
    };
  }
}
