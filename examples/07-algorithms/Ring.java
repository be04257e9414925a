import module dev.jcomms;
import module dev.jcomms.jccl;

import dev.jcomms.jccl.Selector; // not the one of java.nio.channels

/*
 * 07 Algorithms: a way of one's own to do a collective, chosen by a selector.
 *
 *   ./jcomms run -n 4 examples/07-algorithms/Ring.java
 *   ./jcomms run -n 4 examples/07-algorithms/Ring.java examples/07-algorithms/native/CustomizedAllGather.java
 *
 * An algorithm says what it is called and for, and prepares itself on every rank; what it prepared
 * runs for each operation. It sends and receives on whatever connects the ranks.
 */
record RingAllGather() implements Algorithm {
  public String name() {
    return "my_ring";
  }

  public String collective() {
    return "all_gather";
  }

  public String description() {
    return "Sections go around a ring, one hop a step.";
  }

  public Preparation prepare(Setup setup) {
    int n = setup.size();
    int me = setup.rank();
    return Preparation.ready(
        task -> {
          task.output(me).copyFrom(task.input());
          for (int step = 0; step < n - 1; step++) {
            int give = Math.floorMod(me - step, n);
            int take = Math.floorMod(give - 1, n);
            setup.sendRecv(task.output(give), (me + 1) % n, task.output(take), (me + n - 1) % n);
          }
        });
  }
}

/*
 * A backend is jccl with this algorithm beside its own, under a name of its own. The selector sees
 * what all ranks know, so all choose alike; whatever it leaves alone is jccl's choice.
 */
void main(String[] arguments) throws IOException {
  AlgorithmCollection algorithms = AlgorithmCollection.defaults().with(new RingAllGather());
  String taken = "my_ring";
  if (arguments.length > 0) {
    // Compiled now, or taken from the cache if its content was compiled before.
    Algorithm compiled = NativeAlgorithm.compile(Path.of(arguments[0]));
    algorithms = algorithms.with(compiled);
    taken = compiled.name();
  }
  Jccl mine = Jccl.with(algorithms).selector(Selector.of("all_gather", taken));

  try (Registration _ = Backends.register("mine", mine);
      Comm comm = Comm.newComm("mine", Device.CPU)) {
    Tensor section = Tensor.full(Shape.of(2), comm.rank());
    Tensor all = Tensor.zeros(Shape.of(2L * comm.size()));
    comm.allGatherSingle(all, section);
    say(comm, taken + " gives " + all);

    // A hint overrides every selector, and a name that does not exist is told what there is.
    comm.allGatherSingle(all.zero(), section, OpOptions.hint("algorithm", "staged"));
    try {
      comm.allGatherSingle(all, section, OpOptions.hint("algorithm", "my_rong"));
    } catch (IllegalArgumentException e) {
      say(comm, e.getMessage());
    }
  }
}

void say(Comm comm, String what) {
  IO.println("rank " + comm.rank() + "/" + comm.size() + ": " + what);
}
