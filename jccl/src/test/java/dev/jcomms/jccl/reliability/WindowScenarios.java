package dev.jcomms.jccl.reliability;

import dev.jcomms.Comm;
import dev.jcomms.OpOptions;
import dev.jcomms.ReduceOp;
import dev.jcomms.Window;
import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Windows of which one rank's part is gone, or does not answer. */
final class WindowScenarios extends Scenario {
  /** Each over and over again, but for those that wait for the victim to come. */
  static final List<String> CALLS =
      List.of(
          "put",
          "symmetric put",
          "get",
          "accumulate",
          "flush",
          "await_signal",
          "await_signal of another",
          "fence",
          "register",
          "deregister");

  WindowScenarios(RankComms comms, Orders orders) {
    super(comms, orders);
  }

  /** Everybody but the victim uses windows, in one way on each of some communicators. */
  void windows() throws Exception {
    Map<String, Window> windows = new LinkedHashMap<>();
    Map<String, Comm> all = new LinkedHashMap<>();
    for (String call : CALLS) {
      Comm comm = comms.open(call);
      boolean symmetric = call.startsWith("symmetric");
      Shape shape = Shape.of(LARGE);
      Tensor memory = symmetric ? comm.symmetric(DType.F32, shape) : Tensor.zeros(DType.F32, shape);
      all.put(call, comm);
      windows.put(call, comm.newWindow(memory));
    }
    say("READY");
    if (rank != victim) {
      windows.forEach(
          (call, window) -> inThread(call, () -> after(() -> use(call, window, all.get(call)))));
      joinAll();
      attempt("close", () -> after(() -> windows.values().forEach(Window::close)));
    }
  }

  private void use(String call, Window window, Comm comm) {
    Tensor x = Tensor.ones(DType.F32, Shape.of(LARGE));
    int another = (rank + 1) % size == victim ? (rank + 2) % size : (rank + 1) % size;
    switch (call) {
      case "await_signal" -> window.awaitSignal(victim);
      case "await_signal of another" -> window.awaitSignal(another);
      case "fence" -> window.fence();
      case "register" -> comm.newWindow(x);
      case "deregister" -> window.deregister();
      default -> {
        while (true) {
          once(call, window, x);
        }
      }
    }
  }

  private void once(String call, Window window, Tensor x) {
    switch (call) {
      case "get" -> window.get(x, victim, 0);
      case "accumulate" -> window.accumulate(x, victim, 0, ReduceOp.SUM);
      case "flush" -> window.flush(victim, OpOptions.timeout(LONG));
      default -> window.put(x, victim, 0);
    }
  }
}
