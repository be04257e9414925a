package dev.jcomms.testkit;

import dev.jcomms.OpOptions;
import dev.jcomms.ReduceOp;
import dev.jcomms.Window;
import dev.jcomms.Work;
import dev.jcomms.spi.WindowBackend;
import dev.jcomms.tensor.Tensor;

/** A window of the reference with one {@link Fault}. */
final class FaultyWindow implements WindowBackend.RegisteredWindow {
  private final Fault fault;
  private final WindowBackend.RegisteredWindow right;
  private int puts;

  FaultyWindow(Fault fault, WindowBackend.RegisteredWindow right) {
    this.fault = fault;
    this.right = right;
  }

  @Override
  public Work put(Tensor tensor, int dst, long offset, OpOptions options) {
    return fault == Fault.LOSES_PUTS && ++puts % 5 == 0
        ? Work.completed()
        : right.put(tensor, dst, offset, options);
  }

  @Override
  public Work get(Tensor tensor, int src, long offset, OpOptions options) {
    return right.get(tensor, src, offset, options);
  }

  @Override
  public Work accumulate(Tensor tensor, int dst, long offset, ReduceOp op, OpOptions options) {
    return right.accumulate(tensor, dst, offset, op, options);
  }

  @Override
  public Work signal(int dst, OpOptions options) {
    if (fault == Fault.SIGNALS_TWICE) {
      right.signal(dst, options);
    }
    return right.signal(dst, options);
  }

  @Override
  public Work awaitSignal(int src, OpOptions options) {
    return right.awaitSignal(src, options);
  }

  @Override
  public Work flush(int dst, OpOptions options) {
    return right.flush(dst, options);
  }

  @Override
  public Work fence(OpOptions options) {
    return right.fence(options);
  }

  @Override
  public Tensor mapRemote(int rank) {
    return right.mapRemote(rank);
  }

  @Override
  public Window.Attributes attributes(int rank) {
    return right.attributes(rank);
  }

  @Override
  public void close() {
    right.close();
  }
}
