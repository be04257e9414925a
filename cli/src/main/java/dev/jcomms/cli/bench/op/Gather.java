package dev.jcomms.cli.bench.op;

import dev.jcomms.Collective;
import dev.jcomms.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;

/** The root gets the inputs of all; the size is that of the root's output. */
record Gather() implements Operation {
  @Override
  public String opName() {
    return "gather";
  }

  @Override
  public boolean isRooted() {
    return true;
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

  /** In place, the root's input is its own section of the output. */
  @Override
  public Trial trial(Scene scene, Form form) {
    boolean root = scene.place().isRoot();
    Tensor output = scene.recv(scene.ranks());
    Tensor input = root && form.inPlace() ? scene.section(output, scene.root()) : scene.send(1);
    List<Trial.Part> expected = new ArrayList<>();
    for (int r = 0; root && r < scene.ranks(); r++) {
      expected.add(new Trial.Part(scene.section(output, r), scene.from(r, 0)));
    }
    return new Trial(
        new Collective.GatherSingle(root ? output : null, input, scene.root()),
        List.of(new Trial.Part(input, scene.from(scene.rank(), 0))),
        expected);
  }

  /** Every rank copies its own section to the root. */
  @Override
  public MemoryWork memoryWork(Place at, long bytes, Form form) {
    return MemoryWork.copy(at.isRoot() && form.inPlace() ? 0 : bytes / at.ranks());
  }

  /** All that is not the root's own passes the root's network. */
  @Override
  public Traffic traffic(Place at, long bytes) {
    long all = Operation.othersPart(bytes, at.ranks());
    return new Traffic(at.next() == at.root() ? all : 0, at.isRoot() ? all : 0);
  }
}
