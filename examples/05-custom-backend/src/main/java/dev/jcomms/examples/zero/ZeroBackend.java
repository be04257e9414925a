package dev.jcomms.examples.zero;

import dev.jcomms.Collective;
import dev.jcomms.Collective.AllGather;
import dev.jcomms.Collective.AllReduce;
import dev.jcomms.OpOptions;
import dev.jcomms.Work;
import dev.jcomms.spi.Backend;
import java.util.Set;

/**
 * A backend that communicates nothing: every result is zero. What is left is the shape of a
 * backend.
 *
 * <p>Core has checked the arguments, keeps the order of calls, records, times and reports; a
 * backend moves data. It has two operations and says so; core refuses the others in its name.
 */
final class ZeroBackend implements Backend {
  @Override
  public Set<Class<? extends Collective>> supports() {
    return Set.of(AllReduce.class, AllGather.class);
  }

  @Override
  public Work submit(Collective op, OpOptions options) {
    switch (op) {
      case AllReduce(var output, _, _) -> output.fill(0);
      case AllGather(var outputs, _) -> outputs.forEach(output -> output.fill(0));
      default -> throw new AssertionError(op); // core has checked supports()
    }
    return Work.completed();
  }

  @Override
  public void close() {}
}
