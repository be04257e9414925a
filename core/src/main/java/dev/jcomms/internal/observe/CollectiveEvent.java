package dev.jcomms.internal.observe;

import dev.jcomms.Collective;
import dev.jcomms.tensor.DType;
import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** One operation, for Java Flight Recorder. {@link EventSwitch} says whether to make one. */
@Name("dev.jcomms.Collective")
@Label("Collective")
@Category("JComms")
@StackTrace(false)
public final class CollectiveEvent extends Event {
  @Label("Operation")
  String op;

  @Label("Communicator")
  String comm;

  @Label("Bytes")
  @DataAmount
  long bytes;

  @Label("Element Type")
  String dtype;

  @Label("Algorithm")
  String algorithm;

  @Label("Outcome")
  String outcome;

  /** Ends and commits the event. */
  public void end(String comm, Collective op, String algorithm, RuntimeException failure) {
    end();
    if (shouldCommit()) {
      this.op = op.opName();
      this.comm = comm;
      this.bytes = Volume.bytes(op);
      this.dtype = Volume.dtype(Volume.what(op)).map(DType::shortName).orElse("");
      this.algorithm = algorithm;
      this.outcome = failure == null ? "completed" : failure.getClass().getSimpleName();
      commit();
    }
  }
}
