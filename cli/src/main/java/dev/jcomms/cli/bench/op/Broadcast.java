package dev.jcomms.cli.bench.op;

import dev.jcomms.Collective;
import dev.jcomms.tensor.Tensor;
import java.util.List;

/** Every rank's tensor becomes the root's; in place, as its API has it. */
record Broadcast() implements Operation {
  @Override
  public String opName() {
    return "broadcast";
  }

  @Override
  public List<Form> forms() {
    return List.of(Form.IN_PLACE);
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

  @Override
  public Trial trial(Scene scene, Form form) {
    Tensor tensor = scene.recv(1);
    Trial.Part content = new Trial.Part(tensor, scene.from(scene.root(), 0));
    return new Trial(
        new Collective.Broadcast(tensor, scene.root()),
        scene.place().isRoot() ? List.of(content) : List.of(),
        List.of(content));
  }

  /** All but the root copy the whole. */
  @Override
  public MemoryWork memoryWork(Place at, long bytes, Form form) {
    return MemoryWork.copy(at.isRoot() ? 0 : bytes);
  }

  /** A chain that starts at the root. */
  @Override
  public Traffic traffic(Place at, long bytes) {
    return new Traffic(at.next() == at.root() ? 0 : bytes, at.isRoot() ? 0 : bytes);
  }
}
