package dev.jcomms.testkit.operator;

import dev.jcomms.tensor.Device;
import dev.jcomms.tensor.Tensor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Runs a case on a device and keeps what came of it, on the cpu. */
final class Execution {
  private Execution() {}

  /** What a call came to. */
  sealed interface Outcome {}

  /**
   * It returned.
   *
   * @param results tensors (copies on the cpu), numbers, or null, in the order of the schema
   * @param written the arguments that it may have written, as they are now
   * @param devices of the results that are tensors
   */
  record Values(List<Object> results, List<Tensor> written, List<Device> devices)
      implements Outcome {}

  /** It refused the arguments. */
  record Refusal(String message) implements Outcome {}

  /** It broke: what it threw tells nothing to a caller. */
  record Crash(Throwable cause) implements Outcome {}

  static Outcome run(Case c, Device device) {
    if (c.form() == Case.Form.GRADIENTS) {
      return GradientExecution.run(c, device);
    }
    Object[] args = c.on(device);
    return guarded(
        () -> {
          Object result = c.operator().call(args);
          return values(flatten(result), c.written(args));
        });
  }

  /** Something to be run. */
  interface Body {
    Outcome run();
  }

  static Outcome guarded(Body body) {
    try {
      return body.run();
    } catch (NullPointerException
        | ClassCastException
        | ArrayIndexOutOfBoundsException
        | NegativeArraySizeException
        | Error e) {
      return new Crash(e);
    } catch (RuntimeException e) {
      return new Refusal(e.getClass().getSimpleName() + ": " + e.getMessage());
    }
  }

  static Values values(List<Object> results, List<Tensor> written) {
    List<Object> copies = new ArrayList<>();
    List<Device> devices = new ArrayList<>();
    for (Object result : results) {
      copies.add(result instanceof Tensor t ? t.cpu() : result);
      if (result instanceof Tensor t) {
        devices.add(t.device());
      }
    }
    return new Values(copies, written.stream().map(Tensor::cpu).toList(), devices);
  }

  /** Results one after the other, lists taken apart. */
  static List<Object> flatten(Object result) {
    List<Object> flat = new ArrayList<>();
    switch (result) {
      case Object[] several -> Arrays.stream(several).forEach(r -> flat.addAll(flatten(r)));
      case List<?> list -> list.forEach(r -> flat.addAll(flatten(r)));
      case null, default -> flat.add(result);
    }
    return flat;
  }
}
