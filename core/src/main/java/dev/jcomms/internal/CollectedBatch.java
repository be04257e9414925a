package dev.jcomms.internal;

import dev.jcomms.Batch;
import dev.jcomms.Collective;
import dev.jcomms.OpOptions;
import dev.jcomms.Work;
import dev.jcomms.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;

/** Sends and receives being collected, checked one by one. */
final class CollectedBatch implements Batch {
  private final Communicator comm;
  private final List<Collective.PointToPoint> ops = new ArrayList<>();
  private boolean issued;

  CollectedBatch(Communicator comm) {
    this.comm = comm;
  }

  @Override
  public Batch send(Tensor tensor, int dst, int tag) {
    return add(new Collective.Send(tensor, dst, tag));
  }

  @Override
  public Batch recv(Tensor tensor, int src, int tag) {
    return add(new Collective.Recv(tensor, src, tag));
  }

  @Override
  public void issue(OpOptions options) {
    comm.run(closed(), options);
  }

  @Override
  public Work issueAsync(OpOptions options) {
    return comm.start(closed(), options);
  }

  private Batch add(Collective.PointToPoint op) {
    if (issued) {
      throw new IllegalStateException("batch: issued already");
    }
    comm.checks().pointToPoint(op);
    ops.add(op);
    return this;
  }

  private Collective closed() {
    if (issued) {
      throw new IllegalStateException("batch: issued already");
    }
    if (ops.isEmpty()) {
      throw new IllegalStateException("batch: nothing to issue");
    }
    issued = true;
    return new Collective.SendRecvBatch(ops);
  }
}
