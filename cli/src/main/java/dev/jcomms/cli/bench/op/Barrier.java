package dev.jcomms.cli.bench.op;

import dev.jcomms.Collective;
import dev.jcomms.tensor.DType;
import java.util.List;

/** Nobody leaves before everybody came: no data, one row. */
record Barrier() implements Operation {
  @Override
  public String opName() {
    return "barrier";
  }

  @Override
  public List<Form> forms() {
    return List.of(Form.OUT_OF_PLACE);
  }

  @Override
  public boolean moves() {
    return false;
  }

  @Override
  public int sections(int ranks) {
    return 1;
  }

  @Override
  public long elements(long bytes, DType dtype, int ranks) {
    return 0;
  }

  @Override
  public Room room(int ranks) {
    return new Room(0, 0);
  }

  @Override
  public double busFactor(int ranks) {
    return 0;
  }

  @Override
  public Trial trial(Scene scene, Form form) {
    return new Trial(new Collective.Barrier(), List.of(), List.of());
  }

  @Override
  public MemoryWork memoryWork(Place at, long bytes, Form form) {
    return MemoryWork.NONE;
  }

  /** A byte to the next rank: who has heard from one has heard, in the end, from all. */
  @Override
  public Traffic traffic(Place at, long bytes) {
    return Traffic.both(1);
  }
}
