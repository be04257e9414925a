package dev.jcomms.cli.bench.op;

import dev.jcomms.Collective;
import dev.jcomms.tensor.Tensor;
import java.util.List;

/** Each rank sends to the next and receives from the one before, both at once. */
record SendRecv() implements Operation {
  @Override
  public String opName() {
    return "send_recv";
  }

  @Override
  public List<Form> forms() {
    return List.of(Form.OUT_OF_PLACE);
  }

  @Override
  public int leastRanks() {
    return 2;
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
    return 1;
  }

  @Override
  public Trial trial(Scene scene, Form form) {
    Tensor input = scene.send(1);
    Tensor output = scene.recv(1);
    int next = scene.place().next();
    int previous = scene.place().previous();
    return new Trial(
        new Collective.SendRecvBatch(
            List.of(new Collective.Send(input, next, 0), new Collective.Recv(output, previous, 0))),
        List.of(new Trial.Part(input, scene.from(scene.rank(), 0))),
        List.of(new Trial.Part(output, scene.from(previous, 0))));
  }

  /** Copies what the rank before has. */
  @Override
  public MemoryWork memoryWork(Place at, long bytes, Form form) {
    return MemoryWork.copy(bytes);
  }

  @Override
  public Traffic traffic(Place at, long bytes) {
    return Traffic.both(bytes);
  }
}
