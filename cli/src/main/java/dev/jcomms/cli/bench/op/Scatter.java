package dev.jcomms.cli.bench.op;

import dev.jcomms.Collective;
import dev.jcomms.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;

/** Each rank gets its section of the root's input; the size is that of the root's input. */
record Scatter() implements Operation {
  @Override
  public String opName() {
    return "scatter";
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
    return new Room(ranks, 1);
  }

  @Override
  public double busFactor(int ranks) {
    return (double) (ranks - 1) / ranks;
  }

  /** In place, the root's output is its own section of the input. */
  @Override
  public Trial trial(Scene scene, Form form) {
    boolean root = scene.place().isRoot();
    Tensor input = scene.send(scene.ranks());
    Tensor output = root && form.inPlace() ? scene.section(input, scene.root()) : scene.recv(1);
    List<Tensor> inputs = new ArrayList<>();
    for (int r = 0; root && r < scene.ranks(); r++) inputs.add(scene.section(input, r));
    return new Trial(
        new Collective.Scatter(output, inputs, scene.root()),
        root ? scene.sections(input) : List.of(),
        List.of(new Trial.Part(output, scene.from(scene.root(), scene.rank()))));
  }

  /** Every rank copies its own section from the root. */
  @Override
  public MemoryWork memoryWork(Place at, long bytes, Form form) {
    return MemoryWork.copy(at.isRoot() && form.inPlace() ? 0 : bytes / at.ranks());
  }

  /** All that is not the root's own passes the root's network. */
  @Override
  public Traffic traffic(Place at, long bytes) {
    long all = Operation.othersPart(bytes, at.ranks());
    return new Traffic(at.isRoot() ? all : 0, at.previous() == at.root() ? all : 0);
  }
}
