package dev.jcomms.cli.bench.op;

import dev.jcomms.Collective;
import dev.jcomms.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;

/** Every rank gets the inputs of all; the size is that of the output. */
record AllGather() implements Operation {
  @Override
  public String opName() {
    return "all_gather";
  }

  @Override
  public int sections(int ranks) {
    return ranks;
  }

  @Override
  public Room room(int ranks) {
    return new Room(1, ranks);
  }

  @Override
  public double busFactor(int ranks) {
    return (double) (ranks - 1) / ranks;
  }

  /** In place, the input is the rank's own section of the output. */
  @Override
  public Trial trial(Scene scene, Form form) {
    Tensor output = scene.recv(scene.ranks());
    Tensor input = form.inPlace() ? scene.section(output, scene.rank()) : scene.send(1);
    List<Trial.Part> expected = new ArrayList<>();
    for (int r = 0; r < scene.ranks(); r++) {
      expected.add(new Trial.Part(scene.section(output, r), scene.from(r, 0)));
    }
    return new Trial(
        new Collective.AllGatherSingle(output, input),
        List.of(new Trial.Part(input, scene.from(scene.rank(), 0))),
        expected);
  }

  /** Copies every section, in place all but its own. */
  @Override
  public MemoryWork memoryWork(Place at, long bytes, Form form) {
    return MemoryWork.copy(form.inPlace() ? Operation.othersPart(bytes, at.ranks()) : bytes);
  }

  @Override
  public Traffic traffic(Place at, long bytes) {
    return Traffic.both(Operation.othersPart(bytes, at.ranks()));
  }
}
