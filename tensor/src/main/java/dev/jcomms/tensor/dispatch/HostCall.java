package dev.jcomms.tensor.dispatch;

import dev.jcomms.tensor.Device;
import dev.jcomms.tensor.Generator;
import dev.jcomms.tensor.Ops;
import dev.jcomms.tensor.Tensor;
import dev.jcomms.tensor.internal.Transfers;
import java.util.ArrayList;
import java.util.List;

/** One call of an operator on the cpu in place of a device: arguments there, results back. */
final class HostCall {
  private final Schema schema;
  private final Object[] given;
  private final Object[] onHost;
  private final Device device; // where results go
  private Generator random; // what the call draws from; null if it takes none
  private int place; // of the generator among the arguments

  private HostCall(Operator op, Object[] args) {
    this.schema = op.schema();
    this.given = args;
    Device meeting = DeviceArguments.device(op, args);
    HostCopies copies = new HostCopies(args);
    Object[] host = new Object[args.length];
    Device asked = meeting;
    for (int i = 0; i < args.length; i++) {
      if (args[i] instanceof Device d) {
        asked = d;
        host[i] = Device.CPU;
      } else {
        host[i] = copies.of(args[i]);
      }
    }
    this.device = asked;
    this.onHost = host;
    for (int i = 0; i < args.length; i++) {
      if (schema.arguments().get(i).type().javaType() == Generator.class) {
        random = host[i] != null ? (Generator) host[i] : Generator.defaultFor(asked);
        place = i;
      }
    }
  }

  static Object run(Operator op, Object[] args) {
    refuseViews(op);
    try (var _ = Dispatcher.belowAutograd()) {
      HostCall call = new HostCall(op, args);
      return call.back(call.runOnHost(op));
    }
  }

  private Object runOnHost(Operator op) {
    Object[] host = onHost.clone(); // kernels may change their array
    if (random == null || random.device().equals(Device.CPU)) {
      return op.redispatch(DispatchKeySet.of(DispatchKey.CPU), host);
    }
    synchronized (random) { // numbers of the device's generator, drawn by one of the cpu
      Generator drawn = new Generator(Device.CPU).restore(random.state());
      host[place] = drawn;
      try {
        return op.redispatch(DispatchKeySet.of(DispatchKey.CPU), host);
      } finally {
        random.restore(drawn.state());
      }
    }
  }

  private static void refuseViews(Operator op) {
    for (Return result : op.schema().returns()) {
      Alias alias = result.alias() != null ? result.alias() : result.elementAlias();
      if (alias != null && !alias.write()) {
        throw new UnsupportedOperationException(
            op.name()
                + ": its result shares memory with an argument, which a copy on the cpu cannot;"
                + " register a kernel for the device; schema: "
                + op.schema());
      }
    }
  }

  /** Writes what was written back to the device, and takes the results there. */
  private Object back(Object result) {
    for (int i = 0; i < given.length; i++) {
      if (schema.arguments().get(i).isWritten()) {
        List<Tensor> targets = DeviceArguments.tensors(given[i]);
        List<Tensor> sources = DeviceArguments.tensors(onHost[i]);
        for (int j = 0; j < targets.size(); j++) {
          if (targets.get(j).storage().isOpaque()) {
            Transfers.putBack(targets.get(j), sources.get(j));
          }
        }
      }
    }
    List<Return> returns = schema.returns();
    if (returns.size() == 1) {
      return toDevice(returns.getFirst(), result);
    }
    if (result instanceof Object[] several) {
      Object[] taken = several.clone();
      for (int i = 0; i < taken.length; i++) {
        taken[i] = toDevice(i < returns.size() ? returns.get(i) : returns.getLast(), several[i]);
      }
      return taken;
    }
    return result;
  }

  private Object toDevice(Return as, Object value) {
    return switch (value) {
      case Tensor t -> {
        Tensor argument = argument(t);
        yield argument != null && as.alias() != null ? argument : taken(t);
      }
      case List<?> list -> {
        List<Object> moved = new ArrayList<>();
        for (Object o : list) {
          moved.add(toDevice(as, o));
        }
        yield moved;
      }
      case null, default -> value;
    };
  }

  private Tensor taken(Tensor host) {
    return device.equals(Device.CPU) ? host : Ops.toCopy(host, null, device);
  }

  /** The device's argument that a host tensor stands for; null if it is a new one. */
  private Tensor argument(Tensor host) {
    for (int i = 0; i < given.length; i++) {
      List<Tensor> stand = DeviceArguments.tensors(onHost[i]);
      for (int j = 0; j < stand.size(); j++) {
        if (stand.get(j) == host) {
          return DeviceArguments.tensors(given[i]).get(j);
        }
      }
    }
    return null;
  }
}
