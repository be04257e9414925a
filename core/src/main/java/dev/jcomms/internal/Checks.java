package dev.jcomms.internal;

import dev.jcomms.Collective;
import dev.jcomms.ReduceOp;
import dev.jcomms.tensor.Tensor;
import java.util.List;
import java.util.Locale;

/**
 * Every check of an operation's arguments, before anything moves. No backend repeats them.
 *
 * <p>What is found is an {@link IllegalArgumentException} that names the operation, the argument,
 * its value and what would be right. Devices are {@link Routes}' part.
 */
final class Checks {
  private static final Thread SOMEBODY = Thread.ofPlatform().unstarted(() -> {});

  private final String comm;
  private final int rank;
  private final int size;

  Checks(String comm, int rank, int size) {
    this.comm = comm;
    this.rank = rank;
    this.size = size;
  }

  void check(Collective op) {
    try {
      checkArguments(op);
    } catch (ArithmeticException e) {
      throw wrong(op, "the sizes do not fit 64 bits");
    }
  }

  /** Those that are called most, for a few bytes, do not pass the long list of the others. */
  private void checkArguments(Collective op) {
    if (op instanceof Collective.AllReduce reduction) {
      allReduce(reduction);
    } else if (op instanceof Collective.Broadcast(Tensor tensor, int root)) {
      tensor(op, "tensor", tensor);
      if (rank != root) {
        writable(op, "tensor", tensor);
      }
      rank(op, "root", root);
    } else if (op instanceof Collective.Single single) {
      single(single);
    } else {
      checkOther(op);
    }
  }

  private void allReduce(Collective.AllReduce op) {
    Tensor input = op.input();
    Tensor output = op.output();
    tensor(op, "input", input);
    reducible(op, op.op(), input);
    if (output != input) {
      written(op, "output", output);
      alike(op, "output", output, "input", input);
      elements(op, "output", output, input.elements(), "input");
    } else {
      writable(op, "tensor", output);
    }
  }

  private void single(Collective.Single op) {
    Tensor output = op.output();
    Tensor input = op.input();
    tensor(op, "input", input);
    written(op, "output", output);
    alike(op, "output", output, "input", input);
    switch (op) {
      case Collective.AllGatherSingle _ ->
          elements(op, "output", output, times(input.elements()), "size x input");
      case Collective.ReduceScatterSingle(_, _, ReduceOp redop) -> {
        elements(op, "input", input, times(output.elements()), "size x output");
        reducible(op, redop, input);
      }
      case Collective.AllToAllSingle _ -> {
        elements(op, "output", output, input.elements(), "input");
        if (input.elements() % size != 0) {
          throw wrong(
              op, "input has elements=" + input.elements() + ", not a multiple of size=" + size);
        }
      }
      case Collective.AllToAllVSingle rows -> rows(rows);
      case Collective.AllReduce reduction -> allReduce(reduction);
    }
  }

  /** Sections of several rows each. */
  private void rows(Collective.AllToAllVSingle op) {
    Tensor output = op.output();
    Tensor input = op.input();
    List<Long> to = op.outputSplits();
    List<Long> from = op.inputSplits();
    splits(op, "outputSplits", to, "output", output);
    splits(op, "inputSplits", from, "input", input);
    if (rowElements(output) != rowElements(input) && rows(output) > 0 && rows(input) > 0) {
      throw wrong(
          op,
          "a row of output has elements="
              + rowElements(output)
              + ", of input elements="
              + rowElements(input));
    }
    if (!to.get(rank).equals(from.get(rank))) {
      throw wrong(
          op,
          "outputSplits["
              + rank
              + "]="
              + to.get(rank)
              + ", inputSplits["
              + rank
              + "]="
              + from.get(rank)
              + "; what a rank sends itself must fit");
    }
  }

  private void checkOther(Collective op) {
    switch (op) {
      case Collective.Reduce(Tensor tensor, int root, ReduceOp redop) -> {
        tensor(op, "tensor", tensor);
        if (rank == root) {
          writable(op, "tensor", tensor);
        }
        rank(op, "root", root);
        reducible(op, redop, tensor);
      }
      case Collective.Send send -> pointToPoint(send);
      case Collective.Recv recv -> pointToPoint(recv);
      case Collective.SendRecvBatch(List<Collective.PointToPoint> ops) -> {
        if (ops.isEmpty()) {
          throw wrong(op, "the batch is empty");
        }
        ops.forEach(this::pointToPoint);
      }
      case Collective.AllGather(List<Tensor> outputs, Tensor input) -> {
        tensor(op, "input", input);
        onePerRank(op, "outputs", outputs);
        writtenAlike(op, outputs, input);
        outputs.forEach(o -> elements(op, "outputs", o, input.elements(), "input"));
      }
      case Collective.AllGatherV(List<Tensor> outputs, Tensor input) -> {
        tensor(op, "input", input);
        onePerRank(op, "outputs", outputs);
        writtenAlike(op, outputs, input);
        elements(op, "outputs[" + rank + "]", outputs.get(rank), input.elements(), "input");
      }
      case Collective.ReduceScatter(Tensor output, List<Tensor> inputs, ReduceOp redop) -> {
        written(op, "output", output);
        onePerRank(op, "inputs", inputs);
        readAlike(op, inputs, output);
        inputs.forEach(i -> elements(op, "inputs", i, output.elements(), "output"));
        reducible(op, redop, output);
      }
      case Collective.ReduceScatterV(Tensor output, List<Tensor> inputs, ReduceOp redop) -> {
        written(op, "output", output);
        onePerRank(op, "inputs", inputs);
        readAlike(op, inputs, output);
        elements(op, "inputs[" + rank + "]", inputs.get(rank), output.elements(), "output");
        reducible(op, redop, output);
      }
      case Collective.AllToAll(List<Tensor> outputs, List<Tensor> inputs) -> {
        onePerRank(op, "outputs", outputs);
        onePerRank(op, "inputs", inputs);
        tensor(op, "inputs", inputs.getFirst());
        readAlike(op, inputs, inputs.getFirst());
        writtenAlike(op, outputs, inputs.getFirst());
        elements(
            op,
            "outputs[" + rank + "]",
            outputs.get(rank),
            inputs.get(rank).elements(),
            "inputs[" + rank + "]");
      }
      case Collective.Scatter(Tensor output, List<Tensor> inputs, int root) -> {
        written(op, "output", output);
        rank(op, "root", root);
        if (rank == root) {
          onePerRank(op, "inputs", inputs);
          readAlike(op, inputs, output);
          inputs.forEach(i -> elements(op, "inputs", i, output.elements(), "output"));
        }
      }
      case Collective.Gather(List<Tensor> outputs, Tensor input, int root) -> {
        tensor(op, "input", input);
        rank(op, "root", root);
        if (rank == root) {
          onePerRank(op, "outputs", outputs);
          writtenAlike(op, outputs, input);
          outputs.forEach(o -> elements(op, "outputs", o, input.elements(), "input"));
        }
      }
      case Collective.GatherSingle(Tensor output, Tensor input, int root) -> {
        tensor(op, "input", input);
        rank(op, "root", root);
        if (rank == root) {
          written(op, "output", output);
          alike(op, "output", output, "input", input);
          elements(op, "output", output, times(input.elements()), "size x input");
        }
      }
      case Collective.Single _,
          Collective.Broadcast _,
          Collective.Barrier _,
          Collective.MonitoredBarrier _ -> {}
    }
  }

  void pointToPoint(Collective.PointToPoint op) {
    String name = op instanceof Collective.Send ? "dst" : "src";
    if (op instanceof Collective.Send) {
      tensor(op, "tensor", op.tensor());
    } else {
      written(op, "tensor", op.tensor());
    }
    rank(op, name, op.peer());
    if (op.peer() == rank) {
      throw wrong(op, name + "=" + rank + " is this rank itself");
    }
    if (op.tag() < 0) {
      throw wrong(op, "tag=" + op.tag() + " is negative");
    }
  }

  private void rank(Collective op, String name, int value) {
    if (value < 0 || value >= size) {
      throw wrong(
          op, name + "=" + value + " is not a rank of comm '" + comm + "' (size " + size + ")");
    }
  }

  private static void tensor(Collective op, String name, Tensor tensor) {
    if (tensor == null) {
      throw wrong(op, name + " is null");
    }
    if (!tensor.isContiguous()) {
      throw wrong(
          op,
          name
              + " is not contiguous: shape="
              + tensor.shape()
              + ", strides="
              + java.util.Arrays.toString(tensor.strides())
              + "; use contiguous()");
    }
    if (!tensor.segment().scope().isAlive() && !tensor.storage().isOpaque()) {
      throw wrong(op, name + " is over memory that was freed: its arena is closed");
    }
    if (!tensor.segment().isAccessibleBy(Thread.currentThread()) && !tensor.storage().isOpaque()) {
      throw wrong(op, name + " is over memory that belongs to another thread");
    }
  }

  /** Refuses memory of one thread's alone where another has to do the work. */
  void requireShared(Collective op) {
    if (isOfOneThread(op)) {
      throw wrong(
          op,
          "a tensor is over memory that belongs to one thread, and another does the work;"
              + " use Arena.ofShared() or ofAuto() for it");
    }
  }

  /** Whether one thread alone can do it: the memory of a tensor is in an arena that is confined. */
  boolean isOfOneThread(Collective op) {
    boolean here = !(op instanceof Collective.Rooted rooted) || rooted.root() == rank;
    // What is the root's alone is not looked at elsewhere.
    boolean reads = here || !(op instanceof Collective.Scatter);
    boolean writes =
        here || !(op instanceof Collective.Gather || op instanceof Collective.GatherSingle);
    return reads && isOfOneThread(op.inputs()) || writes && isOfOneThread(op.outputs());
  }

  private static boolean isOfOneThread(List<Tensor> tensors) {
    for (int i = 0; i < tensors.size(); i++) {
      Tensor tensor = tensors.get(i);
      if (!tensor.segment().isAccessibleBy(SOMEBODY) && !tensor.storage().isOpaque()) {
        return true;
      }
    }
    return false;
  }

  private static void written(Collective op, String name, Tensor tensor) {
    tensor(op, name, tensor);
    writable(op, name, tensor);
  }

  private static void writable(Collective op, String name, Tensor tensor) {
    if (tensor.storage().isReadOnly()) {
      throw wrong(op, name + " is read-only and would be written to");
    }
  }

  private static void alike(Collective op, String a, Tensor x, String b, Tensor y) {
    if (x.dtype() != y.dtype()) {
      throw wrong(op, a + " has dtype=" + x.dtype() + ", " + b + " has dtype=" + y.dtype());
    }
  }

  private static void writtenAlike(Collective op, List<Tensor> outputs, Tensor like) {
    for (int i = 0; i < outputs.size(); i++) {
      written(op, "outputs[" + i + "]", outputs.get(i));
      alike(op, "outputs[" + i + "]", outputs.get(i), "input", like);
    }
  }

  private static void readAlike(Collective op, List<Tensor> inputs, Tensor like) {
    for (int i = 0; i < inputs.size(); i++) {
      tensor(op, "inputs[" + i + "]", inputs.get(i));
      alike(op, "inputs[" + i + "]", inputs.get(i), "output", like);
    }
  }

  private void onePerRank(Collective op, String name, List<Tensor> list) {
    if (list.size() != size) {
      throw wrong(
          op, name + " has length=" + list.size() + "; comm '" + comm + "' has size=" + size);
    }
  }

  private static void elements(Collective op, String name, Tensor tensor, long wanted, String why) {
    if (tensor.elements() != wanted) {
      throw wrong(
          op, name + " has elements=" + tensor.elements() + "; " + why + " makes it " + wanted);
    }
  }

  private long times(long elements) {
    return Math.multiplyExact(elements, (long) size);
  }

  private void splits(Collective op, String name, List<Long> splits, String what, Tensor tensor) {
    if (splits.size() != size) {
      throw wrong(
          op, name + " has length=" + splits.size() + "; comm '" + comm + "' has size=" + size);
    }
    long rows = 0;
    for (Long split : splits) {
      if (split == null || split < 0) {
        throw wrong(op, name + "=" + splits + " has a negative or null entry");
      }
      rows = Math.addExact(rows, split);
    }
    long wanted = tensor.shape().dims() == 0 ? 1 : tensor.shape().size(0);
    if (rows != wanted) {
      throw wrong(
          op,
          name + "=" + splits + " adds up to rows=" + rows + "; " + what + " has rows=" + wanted);
    }
  }

  private static long rowElements(Tensor tensor) {
    return rows(tensor) == 0 ? 0 : tensor.elements() / rows(tensor);
  }

  private static long rows(Tensor tensor) {
    return tensor.shape().dims() == 0 ? 1 : tensor.shape().size(0);
  }

  private static void reducible(Collective op, ReduceOp redop, Tensor tensor) {
    if (redop == null) {
      throw wrong(op, "the reduce op is null");
    }
    if (!redop.accepts(tensor.dtype())) {
      String needs =
          switch (redop) {
            case ReduceOp.Standard.BAND, ReduceOp.Standard.BOR, ReduceOp.Standard.BXOR ->
                "an integer dtype";
            case ReduceOp.PremulSum _ -> "a floating dtype other than f8";
            case ReduceOp.Standard.AVG -> "a number dtype other than f8";
            case ReduceOp.Standard _ -> "a dtype other than f8, which is for transport";
          };
      throw wrong(
          op,
          "reduce op "
              + redop.opName().toUpperCase(Locale.ROOT)
              + " needs "
              + needs
              + "; tensor is "
              + tensor.dtype());
    }
  }

  private static IllegalArgumentException wrong(Collective op, String fact) {
    return new IllegalArgumentException(op.opName() + ": " + fact);
  }
}
