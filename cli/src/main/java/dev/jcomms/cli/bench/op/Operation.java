package dev.jcomms.cli.bench.op;

import dev.jcomms.ReduceOp;
import dev.jcomms.tensor.DType;
import java.util.List;

/**
 * One operation as nccl-tests measures it: what its size means, what runs, what must come out, and
 * how its time becomes a bandwidth. One class an operation, without state.
 */
public sealed interface Operation
    permits AllGather,
        AllReduce,
        AllToAll,
        Barrier,
        Broadcast,
        Gather,
        Reduce,
        ReduceScatter,
        Scatter,
        SendRecv {

  /** The name in commands, tables and JSON. */
  String opName();

  /** The forms that its API has. */
  default List<Form> forms() {
    return List.of(Form.OUT_OF_PLACE, Form.IN_PLACE);
  }

  /** Whether elements of several ranks are combined. */
  default boolean reduces() {
    return false;
  }

  /** Whether it leaves anything that could be wrong. */
  default boolean moves() {
    return true;
  }

  /** Whether one rank differs from the others. */
  default boolean isRooted() {
    return false;
  }

  default int leastRanks() {
    return 1;
  }

  /** The equal sections its size is made of: one a rank, or one. */
  int sections(int ranks);

  /** Elements of a section, for a size as nccl-tests has it: at least one, so the size may grow. */
  default long elements(long bytes, DType dtype, int ranks) {
    return Math.max(1, bytes / ((long) dtype.bytes() * sections(ranks)));
  }

  /** The sections it reads from and writes to, whatever the form. */
  Room room(int ranks);

  /** By what the algorithm's bandwidth is multiplied to be compared with the hardware's. */
  double busFactor(int ranks);

  /** The operation, ready to run. */
  Trial trial(Scene scene, Form form);

  /** The least work on memory, for a size. */
  MemoryWork memoryWork(Place at, long bytes, Form form);

  /** The least traffic, for a size. */
  Traffic traffic(Place at, long bytes);

  /** The part of a size that is not one rank's own. */
  static long othersPart(long bytes, int ranks) {
    return bytes - bytes / ranks;
  }

  /** Whether values of this dtype can be combined so, if they are. */
  default boolean accepts(DType dtype, ReduceOp redop) {
    return !reduces() || redop.accepts(dtype);
  }
}
