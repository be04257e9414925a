package dev.jcomms.internal.ops;

import dev.jcomms.Comm;
import dev.jcomms.ReduceOp;
import dev.jcomms.internal.OpenComms;
import dev.jcomms.tensor.Device;
import dev.jcomms.tensor.Ops;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import dev.jcomms.tensor.dispatch.Implements;
import java.lang.invoke.MethodHandles;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * Every collective by way of its communicator: on the tensor's own device where the communicator
 * has a backend for it, else on a copy in the host's memory, whose result is brought back.
 */
final class CollectiveKernels {
  static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();

  private CollectiveKernels() {}

  @Implements("all_reduce")
  static Tensor allReduce(Tensor self, String op, String comm) {
    Comm c = OpenComms.find("comms::all_reduce", comm);
    ReduceOp reduction = ReduceOp.parse(op);
    return where(
        c,
        self,
        input -> {
          Tensor output = like(input, input.shape());
          c.allReduce(output, input, reduction);
          return output;
        });
  }

  /** What the other ranks get are zeros: so much does the result depend on their input. */
  @Implements("reduce")
  static Tensor reduce(Tensor self, String op, long root, String comm) {
    Comm c = OpenComms.find("comms::reduce", comm);
    ReduceOp reduction = ReduceOp.parse(op);
    return where(
        c,
        self,
        input -> {
          Tensor output = Ops.clone(input);
          c.reduce(output, rank("comms::reduce", root, c), reduction);
          return c.rank() == root ? output : output.zero();
        });
  }

  @Implements("broadcast")
  static Tensor broadcast(Tensor self, long root, String comm) {
    Comm c = OpenComms.find("comms::broadcast", comm);
    return where(
        c,
        self,
        input -> {
          Tensor output = Ops.clone(input);
          c.broadcast(output, rank("comms::broadcast", root, c));
          return output;
        });
  }

  @Implements("all_gather_into_tensor")
  static Tensor allGather(Tensor self, String comm) {
    Comm c = OpenComms.find("comms::all_gather_into_tensor", comm);
    long rows = rows("comms::all_gather_into_tensor", self);
    return where(
        c,
        self,
        input -> {
          Tensor output = like(input, withRows(input, Math.multiplyExact(rows, (long) c.size())));
          c.allGatherSingle(output, input);
          return output;
        });
  }

  @Implements("reduce_scatter_tensor")
  static Tensor reduceScatter(Tensor self, String op, String comm) {
    Comm c = OpenComms.find("comms::reduce_scatter_tensor", comm);
    ReduceOp reduction = ReduceOp.parse(op);
    long rows = evenRows("comms::reduce_scatter_tensor", self, c);
    return where(
        c,
        self,
        input -> {
          Tensor output = like(input, withRows(input, rows / c.size()));
          c.reduceScatterSingle(output, input, reduction);
          return output;
        });
  }

  @Implements("all_to_all_single")
  static Tensor allToAll(Tensor self, long[] outputSplits, long[] inputSplits, String comm) {
    String name = "comms::all_to_all_single";
    Comm c = OpenComms.find(name, comm);
    if ((outputSplits == null) != (inputSplits == null)) {
      throw new IllegalArgumentException(
          name
              + ": "
              + (outputSplits == null ? "input_splits" : "output_splits")
              + " is given alone; give both, or none for equal sections");
    }
    if (outputSplits == null) {
      evenRows(name, self, c);
      return where(
          c,
          self,
          input -> {
            Tensor output = like(input, input.shape());
            c.allToAllSingle(output, input);
            return output;
          });
    }
    rows(name, self);
    for (long split : outputSplits) {
      if (split < 0) {
        throw new IllegalArgumentException(
            name + ": output_splits=" + Arrays.toString(outputSplits) + " has a negative entry");
      }
    }
    return where(
        c,
        self,
        input -> {
          Tensor output = like(input, withRows(input, Arrays.stream(outputSplits).sum()));
          c.allToAllVSingle(output, input, list(outputSplits), list(inputSplits));
          return output;
        });
  }

  private static Tensor where(Comm comm, Tensor self, UnaryOperator<Tensor> collective) {
    Device device = self.device();
    if (comm.backends().containsKey(device.type())) {
      return collective.apply(self.contiguous());
    }
    return collective.apply(self.to(Device.CPU).contiguous()).to(device);
  }

  private static Tensor like(Tensor input, Shape shape) {
    return Ops.empty(input.dtype(), shape.toArray(), input.device());
  }

  private static long rows(String operator, Tensor self) {
    if (self.shape().dims() == 0) {
      throw new IllegalArgumentException(
          operator + ": self is 0-d; it needs a dimension to join or cut, as view(1) gives it");
    }
    return self.shape().size(0);
  }

  private static long evenRows(String operator, Tensor self, Comm comm) {
    long rows = rows(operator, self);
    if (rows % comm.size() != 0) {
      throw new IllegalArgumentException(
          operator
              + ": self has shape "
              + self.shape()
              + "; its dimension 0 is not a multiple of size="
              + comm.size()
              + " of comm '"
              + comm.name()
              + "'");
    }
    return rows;
  }

  private static Shape withRows(Tensor input, long rows) {
    long[] sizes = input.shape().toArray();
    sizes[0] = rows;
    return Shape.of(sizes);
  }

  private static int rank(String operator, long root, Comm comm) {
    if (root < 0 || root >= comm.size()) {
      throw new IllegalArgumentException(
          operator
              + ": root="
              + root
              + " is not a rank of comm '"
              + comm.name()
              + "' (size "
              + comm.size()
              + ")");
    }
    return (int) root;
  }

  private static List<Long> list(long[] splits) {
    return Arrays.stream(splits).boxed().toList();
  }
}
