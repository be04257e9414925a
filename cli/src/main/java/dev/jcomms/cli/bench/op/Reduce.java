package dev.jcomms.cli.bench.op;

import dev.jcomms.Collective;
import dev.jcomms.tensor.Tensor;
import java.util.List;

/** The root's tensor becomes the reduction of all; in place, as its API has it. */
record Reduce() implements Operation {
  @Override
  public String opName() {
    return "reduce";
  }

  @Override
  public List<Form> forms() {
    return List.of(Form.IN_PLACE);
  }

  @Override
  public boolean reduces() {
    return true;
  }

  @Override
  public boolean isRooted() {
    return true;
  }

  @Override
  public int sections(int ranks) {
    return 1;
  }

  @Override
  public Room room(int ranks) {
    return new Room(0, 1);
  }

  @Override
  public double busFactor(int ranks) {
    return 1;
  }

  /** The tensors of the others must stay as they are. */
  @Override
  public Trial trial(Scene scene, Form form) {
    Tensor tensor = scene.recv(1);
    Trial.Part mine = new Trial.Part(tensor, scene.from(scene.rank(), 0));
    Trial.Part all = new Trial.Part(tensor, scene.reduced(0));
    return new Trial(
        new Collective.Reduce(tensor, scene.root(), scene.redop()),
        List.of(mine),
        List.of(scene.place().isRoot() ? all : mine));
  }

  /** Sums its share of the buffer out of all ranks' and writes the sum to the root's. */
  @Override
  public MemoryWork memoryWork(Place at, long bytes, Form form) {
    return at.ranks() == 1 ? MemoryWork.NONE : MemoryWork.sum(bytes / at.ranks(), at.ranks(), 1);
  }

  /** A chain that ends at the root. */
  @Override
  public Traffic traffic(Place at, long bytes) {
    return new Traffic(at.isRoot() ? 0 : bytes, at.previous() == at.root() ? 0 : bytes);
  }
}
