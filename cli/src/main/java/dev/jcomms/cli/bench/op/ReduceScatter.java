package dev.jcomms.cli.bench.op;

import dev.jcomms.Collective;
import dev.jcomms.tensor.Tensor;
import java.util.List;

/** Each rank gets its section of the reduction; the size is that of one rank's input. */
record ReduceScatter() implements Operation {
  @Override
  public String opName() {
    return "reduce_scatter";
  }

  @Override
  public boolean reduces() {
    return true;
  }

  @Override
  public int sections(int ranks) {
    return ranks;
  }

  @Override
  public Room room(int ranks) {
    return new Room(ranks, 1);
  }

  @Override
  public double busFactor(int ranks) {
    return (double) (ranks - 1) / ranks;
  }

  /** In place, the output is the rank's own section of the input. */
  @Override
  public Trial trial(Scene scene, Form form) {
    Tensor input = scene.send(scene.ranks());
    Tensor output = form.inPlace() ? scene.section(input, scene.rank()) : scene.recv(1);
    return new Trial(
        new Collective.ReduceScatterSingle(output, input, scene.redop()),
        scene.sections(input),
        List.of(new Trial.Part(output, scene.reduced(scene.rank()))));
  }

  /** Sums its section out of all ranks' inputs. */
  @Override
  public MemoryWork memoryWork(Place at, long bytes, Form form) {
    if (at.ranks() == 1) return MemoryWork.copy(form.inPlace() ? 0 : bytes);
    return MemoryWork.sum(bytes / at.ranks(), at.ranks(), 1);
  }

  @Override
  public Traffic traffic(Place at, long bytes) {
    return Traffic.both(Operation.othersPart(bytes, at.ranks()));
  }
}
