package dev.jcomms.internal;

import dev.jcomms.BackendException;
import dev.jcomms.CommTimeoutException;
import dev.jcomms.OpOptions;
import dev.jcomms.spi.SymmetricBackend;
import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import java.util.function.Supplier;

/** A request for symmetric memory: a turn on the lane, since all ranks take part in it. */
final class SymmetricTurn extends Turn<Tensor> {
  private final Routes.Route route;
  private final DType dtype;
  private final Shape shape;
  private final OpOptions options;

  /** The options have a timeout. */
  SymmetricTurn(
      Communicator comm, Routes.Route route, DType dtype, Shape shape, OpOptions options) {
    super(comm, "symmetric");
    if (!(route.backend() instanceof SymmetricBackend)) {
      throw route.lacking("symmetric memory");
    }
    if (!route.dtypes().contains(dtype)) {
      throw new IllegalArgumentException(
          "symmetric: backend '%s' does not move %s; it moves %s"
              .formatted(route.name(), dtype, route.dtypes()));
    }
    if (shape.elements() > Long.MAX_VALUE / dtype.bytes()) {
      throw new IllegalArgumentException(
          "symmetric: shape=%s of %s has more bytes than a long can count".formatted(shape, dtype));
    }
    this.route = route;
    this.dtype = dtype;
    this.shape = shape;
    this.options = options;
  }

  @Override
  Supplier<Tensor> perform(long number) {
    comm().guard().requireHealthy(name(), number);
    try {
      Tensor tensor =
          comm()
              .guard()
              .sited(name(), number, () -> comm().guard().wakeable(name(), number, this::watched));
      return () -> tensor;
    } catch (CommTimeoutException e) {
      // Whoever comes now would be taken for one who asks for something else.
      comm().poison(e);
      throw e;
    }
  }

  /** The ranks may meet at a store, in a process that stops: another looks meanwhile. */
  private Tensor watched() {
    return comm().watch().during(this::ask, () -> comm().guard().requireAlive(name()));
  }

  private Tensor ask() {
    Tensor tensor = ((SymmetricBackend) route.backend()).symmetric(dtype, shape, options);
    if (tensor == null) {
      throw new BackendException("backend '" + route.name() + "' returned no tensor", null);
    }
    return tensor;
  }
}
