package dev.jcomms.cli.bench.op;

import dev.jcomms.Collective;
import dev.jcomms.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;

/** Each rank has a section for every rank; the size is that of one rank's input. */
record AllToAll() implements Operation {
  @Override
  public String opName() {
    return "all_to_all";
  }

  @Override
  public List<Form> forms() {
    return List.of(Form.OUT_OF_PLACE);
  }

  @Override
  public int sections(int ranks) {
    return ranks;
  }

  @Override
  public Room room(int ranks) {
    return new Room(ranks, ranks);
  }

  @Override
  public double busFactor(int ranks) {
    return (double) (ranks - 1) / ranks;
  }

  @Override
  public Trial trial(Scene scene, Form form) {
    Tensor input = scene.send(scene.ranks());
    Tensor output = scene.recv(scene.ranks());
    List<Trial.Part> expected = new ArrayList<>();
    for (int r = 0; r < scene.ranks(); r++) {
      expected.add(new Trial.Part(scene.section(output, r), scene.from(r, scene.rank())));
    }
    return new Trial(
        new Collective.AllToAllSingle(output, input),
        List.of(new Trial.Part(input, scene.from(scene.rank(), 0))),
        expected);
  }

  /** Copies a section of every rank. */
  @Override
  public MemoryWork memoryWork(Place at, long bytes, Form form) {
    return MemoryWork.copy(bytes);
  }

  @Override
  public Traffic traffic(Place at, long bytes) {
    return Traffic.both(Operation.othersPart(bytes, at.ranks()));
  }
}
