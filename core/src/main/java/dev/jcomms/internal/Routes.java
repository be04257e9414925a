package dev.jcomms.internal;

import dev.jcomms.Collective;
import dev.jcomms.Comm;
import dev.jcomms.Feature;
import dev.jcomms.spi.Backend;
import dev.jcomms.spi.BackendContext;
import dev.jcomms.spi.BackendProvider;
import dev.jcomms.spi.Backends;
import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Device;
import dev.jcomms.tensor.Tensor;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Which backend serves which device type: {@code "jccl"} for all it can, or {@code
 * "cpu:jccl,cuda:nccl"} one by one.
 *
 * <p>One opened backend per provider; an operation goes to the backend of its tensors' device.
 */
final class Routes {
  /** An opened backend. What it says of itself is asked once. */
  record Route(
      BackendProvider provider,
      Comm.BackendInfo info,
      Backend backend,
      Set<Class<? extends Collective>> kinds,
      Set<DType> dtypes) {

    static Route of(BackendProvider provider, Backend backend) {
      // Asked on every operation: these kinds of set answer faster than Set.copyOf's.
      Set<DType> dtypes = EnumSet.noneOf(DType.class);
      dtypes.addAll(backend.dtypes());
      Comm.BackendInfo info =
          new Comm.BackendInfo(provider.name(), provider.version(), backend.transport());
      return new Route(provider, info, backend, new HashSet<>(backend.supports()), dtypes);
    }

    String name() {
      return info.name();
    }

    /** That the backend lacks something, and what it has. */
    UnsupportedOperationException lacking(String what) {
      String has =
          kinds.stream().map(Collective::nameOf).sorted().collect(Collectors.joining(", "));
      return new UnsupportedOperationException(
          "backend '" + name() + "' has no " + what + "; it has " + has);
    }
  }

  private final Map<String, Route> byDevice;
  private final Route first;
  private final String firstType;

  /** A kind that the first route is known to have. Whichever thread's. */
  private Class<?> usual;

  private Routes(Map<String, Route> byDevice, Device device) {
    this.byDevice = byDevice;
    this.firstType = device.type();
    this.first = byDevice.get(device.type());
  }

  /** The providers that a specification names, by device type. Nothing is opened. */
  static Map<String, BackendProvider> parse(String spec, Device device) {
    Map<String, BackendProvider> providers = new TreeMap<>();
    if (!spec.contains(":")) {
      BackendProvider provider = named(spec.strip());
      provider.devices().forEach(type -> providers.put(type, provider));
    } else {
      for (String part : spec.split(",", -1)) {
        String[] pair = part.strip().split(":", -1);
        if (pair.length != 2 || pair[0].isBlank() || pair[1].isBlank()) {
          throw new IllegalArgumentException(
              "backend '"
                  + spec
                  + "': '"
                  + part
                  + "' is not DEVICE:BACKEND, as in cpu:jccl,cuda:nccl");
        }
        String type = Device.of(pair[0]).type();
        BackendProvider provider = named(pair[1]);
        if (!provider.devices().contains(type)) {
          throw new IllegalArgumentException(
              "backend '"
                  + pair[1]
                  + "' does not serve device "
                  + type
                  + "; it serves "
                  + new java.util.TreeSet<>(provider.devices()));
        }
        if (providers.put(type, provider) != null) {
          throw new IllegalArgumentException(
              "backend '" + spec + "' names device " + type + " twice");
        }
      }
    }
    if (!providers.containsKey(device.type())) {
      throw new IllegalArgumentException(
          "backend '"
              + spec
              + "' has nothing for device "
              + device
              + "; it serves "
              + providers.keySet());
    }
    return providers;
  }

  /**
   * A provider under the name it was asked for by: the one that users know and keys are kept under.
   */
  private record Named(String name, BackendProvider provider) implements BackendProvider {
    @Override
    public String version() {
      return provider.version();
    }

    @Override
    public Set<String> devices() {
      return provider.devices();
    }

    @Override
    public Map<Feature, String> features() {
      return provider.features();
    }

    @Override
    public Map<String, String> facts() {
      return provider.facts();
    }

    @Override
    public Backend open(BackendContext context) {
      return provider.open(context);
    }
  }

  private static BackendProvider named(String name) {
    BackendProvider provider = Backends.get(name);
    return provider.name().equals(name) ? provider : new Named(name, provider);
  }

  /** Opens one backend per provider; if one fails, those before it are closed again. */
  static Routes open(
      Map<String, BackendProvider> providers,
      Device device,
      BiFunction<String, Device, BackendContext> contexts) {
    Map<BackendProvider, Route> opened = new LinkedHashMap<>();
    Map<String, Route> byDevice = new TreeMap<>();
    try {
      providers.forEach(
          (type, provider) ->
              byDevice.put(
                  type,
                  opened.computeIfAbsent(
                      provider,
                      p -> {
                        Device where =
                            type.equals(device.type()) || p.devices().contains(device.type())
                                ? device
                                : Device.of(type);
                        return route(p, p.open(contexts.apply(p.name(), where)));
                      })));
    } catch (RuntimeException | Error e) {
      opened.values().forEach(route -> close(route.backend(), e));
      throw e;
    }
    return new Routes(byDevice, device);
  }

  private static Route route(BackendProvider provider, Backend backend) {
    try {
      return Route.of(provider, backend);
    } catch (RuntimeException | Error e) {
      close(backend, e);
      throw e;
    }
  }

  private static void close(Backend backend, Throwable because) {
    try {
      backend.close();
    } catch (RuntimeException | Error e) {
      because.addSuppressed(e);
    }
  }

  /** The ranks that a backend knows to have closed the communicator. */
  Set<Integer> departed() {
    return all().stream()
        .flatMap(route -> route.backend().departed().stream())
        .collect(Collectors.toSet());
  }

  /** Does something outside the backends that has its turn among their operations. */
  <T> T aside(String what, Supplier<T> meeting) {
    Supplier<T> within = meeting;
    for (Route route : all()) {
      Supplier<T> inner = within;
      within = () -> route.backend().aside(what, inner);
    }
    return within.get();
  }

  /**
   * The route of an operation, which its backend is known to have, for dtypes it is known to move.
   */
  Route of(Collective op) {
    Tensor tensor = firstTensor(op);
    Route route = tensor == null ? first : of(op, tensor.device());
    if (tensor != null) {
      if (op instanceof Collective.SendRecvBatch(var ops)) {
        for (Collective.PointToPoint part : ops) {
          same(op, tensor, part.tensor());
          dtype(part, route, part.tensor());
        }
      } else {
        sameDevice(op, tensor);
        dtype(op, route, tensor);
      }
    }
    // What was done last can be done again: that is found faster than in a set.
    if (op.getClass() != usual || route != first) {
      requireKind(op, route);
    }
    return route;
  }

  private void requireKind(Collective op, Route route) {
    if (!route.kinds().contains(op.getClass()) && !(op instanceof Collective.MonitoredBarrier)) {
      throw route.lacking(op.opName());
    }
    if (route == first) {
      usual = op.getClass();
    }
  }

  /** The route of the communicator's own device. */
  Route first() {
    return first;
  }

  /** Every backend once. */
  List<Route> all() {
    return new ArrayList<>(new java.util.LinkedHashSet<>(byDevice.values()));
  }

  Map<String, Comm.BackendInfo> infos() {
    Map<String, Comm.BackendInfo> infos = new TreeMap<>();
    byDevice.forEach((type, route) -> infos.put(type, route.info()));
    return infos;
  }

  Route of(Collective op, Device device) {
    // The common case costs one comparison.
    if (device.type().equals(firstType)) {
      return first;
    }
    Route route = byDevice.get(device.type());
    if (route == null) {
      throw new IllegalArgumentException(
          op.opName() + ": no backend for device " + device + "; the comm serves " + infos());
    }
    return route;
  }

  private static Tensor firstTensor(Collective op) {
    return switch (op) {
      case Collective.AllReduce(_, Tensor input, _) -> input;
      case Collective.Single single -> single.input();
      case Collective.Barrier _, Collective.MonitoredBarrier _ -> null;
      case Collective.Broadcast(Tensor tensor, _) -> tensor;
      case Collective.Scatter(Tensor output, _, _) -> output;
      case Collective.PointToPoint part -> part.tensor();
      case Collective.SendRecvBatch(var ops) -> ops.getFirst().tensor();
      default -> {
        List<Tensor> inputs = op.inputs();
        yield inputs.isEmpty() ? op.outputs().getFirst() : inputs.getFirst();
      }
    };
  }

  private static void sameDevice(Collective op, Tensor tensor) {
    if (op instanceof Collective.AllReduce(Tensor output, Tensor input, _)) {
      if (output != input) {
        same(op, tensor, output);
      }
      return;
    }
    if (op instanceof Collective.Broadcast || op instanceof Collective.PointToPoint) {
      return; // it has one tensor
    }
    if (op instanceof Collective.Single single) {
      same(op, tensor, single.output());
      return;
    }
    same(op, tensor, op.inputs());
    same(op, tensor, op.outputs());
  }

  private static void dtype(Collective op, Route route, Tensor tensor) {
    if (!route.dtypes().contains(tensor.dtype())) {
      throw new IllegalArgumentException(
          op.opName()
              + ": backend '"
              + route.name()
              + "' does not move "
              + tensor.dtype()
              + "; it moves "
              + route.dtypes().stream().sorted().toList());
    }
  }

  private static void same(Collective op, Tensor tensor, List<Tensor> others) {
    for (int i = 0; i < others.size(); i++) {
      same(op, tensor, others.get(i));
    }
  }

  private static void same(Collective op, Tensor a, Tensor b) {
    if (b != null && a.device() != b.device() && !a.device().equals(b.device())) {
      throw new IllegalArgumentException(
          op.opName() + ": tensors are on device " + a.device() + " and on device " + b.device());
    }
  }
}
