package dev.jcomms.jccl.internal.exec;

/** Does its steps for one unit of their chunks after the other: {@code pipeline}. */
final class LoopStep extends Step {
  private final Step[] steps;
  private final long unitBytes;
  private final long units;
  private long unit;
  private int at;

  LoopStep(Step[] steps, long unitBytes, long units) {
    this.steps = steps;
    this.unitBytes = unitBytes;
    this.units = units;
  }

  @Override
  boolean advance(Launch launch, Block block, long from, long most) {
    for (; unit < units; unit++) {
      for (; at < steps.length; at++) {
        if (!steps[at].advance(launch, block, unit * unitBytes, unitBytes)) {
          return false;
        }
        block.stir();
      }
      at = 0;
    }
    unit = 0;
    return true;
  }

  @Override
  Awaited awaited(Launch launch) {
    Awaited inner = steps[Math.min(at, steps.length - 1)].awaited(launch);
    return new Awaited("unit %d of %d: %s".formatted(unit, units, inner.what()), inner.rank());
  }

  @Override
  void reset() {
    unit = 0;
    at = 0;
    for (Step step : steps) {
      step.reset();
    }
  }
}
