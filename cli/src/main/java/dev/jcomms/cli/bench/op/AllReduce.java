package dev.jcomms.cli.bench.op;

import dev.jcomms.Collective;
import dev.jcomms.tensor.Tensor;
import java.util.List;

/** Every rank gets the reduction of all; the size is that of one rank's buffer. */
record AllReduce() implements Operation {
  @Override
  public String opName() {
    return "all_reduce";
  }

  @Override
  public boolean reduces() {
    return true;
  }

  @Override
  public int sections(int ranks) {
    return 1;
  }

  @Override
  public Room room(int ranks) {
    return new Room(1, 1);
  }

  @Override
  public double busFactor(int ranks) {
    return 2.0 * (ranks - 1) / ranks;
  }

  @Override
  public Trial trial(Scene scene, Form form) {
    Tensor output = scene.recv(1);
    Tensor input = form.inPlace() ? output : scene.send(1);
    return new Trial(
        new Collective.AllReduce(output, input, scene.redop()),
        List.of(new Trial.Part(input, scene.from(scene.rank(), 0))),
        List.of(new Trial.Part(output, scene.reduced(0))));
  }

  /** Sums its share of the buffer out of all ranks' and writes the sum to all ranks'. */
  @Override
  public MemoryWork memoryWork(Place at, long bytes, Form form) {
    int ranks = at.ranks();
    if (ranks == 1) return MemoryWork.copy(form.inPlace() ? 0 : bytes);
    return MemoryWork.sum(bytes / ranks, ranks, ranks);
  }

  @Override
  public Traffic traffic(Place at, long bytes) {
    return Traffic.both(2 * Operation.othersPart(bytes, at.ranks()));
  }
}
