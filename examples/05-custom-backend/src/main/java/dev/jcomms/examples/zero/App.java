package dev.jcomms.examples.zero;

import dev.jcomms.Comm;
import dev.jcomms.ReduceOp;
import dev.jcomms.spi.Backends;
import dev.jcomms.tensor.Device;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import java.util.List;

/**
 * 05 A custom backend: written in {@link ZeroBackend}, found through {@link ZeroProvider}, used
 * here.
 *
 * <pre>{@code
 * ./jcomms run -n 4 examples/05-custom-backend/src/main/java/dev/jcomms/examples/zero/App.java
 * }</pre>
 *
 * <p>The command finds {@code module-info.java} at the root of the sources and runs the module.
 * Once built, the jar serves any other program: {@code jcomms run -p folder/of/jars Program.java}.
 */
public final class App {
  private App() {}

  /** Runs on every rank. */
  public static void main(String[] args) {
    // One backend per device type; "zero" alone would do, too.
    try (Comm comm = Comm.newComm("cpu:zero", Device.CPU)) {
      say(comm, "backends " + Backends.all().keySet() + ", this is " + comm.backend());

      Tensor x = Tensor.ones(Shape.of(6));
      comm.allReduce(x, ReduceOp.SUM);
      say(comm, "all_reduce gives " + x);

      List<Tensor> all = comm.ranks().stream().map(_ -> Tensor.ones(Shape.of(2))).toList();
      comm.allGather(all, Tensor.ones(Shape.of(2)));
      say(comm, "all_gather gives " + all.getLast());

      // What the backend lacks is refused by core, which knows what it has.
      try {
        comm.broadcast(x, 0);
      } catch (UnsupportedOperationException e) {
        say(comm, e.getMessage());
      }
    }
  }

  private static void say(Comm comm, String what) {
    System.out.println("rank " + comm.rank() + "/" + comm.size() + ": " + what);
  }
}
