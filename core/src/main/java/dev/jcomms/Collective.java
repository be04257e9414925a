package dev.jcomms;

import dev.jcomms.tensor.Tensor;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * One operation as data: what is asked for, of which tensors.
 *
 * <p>A {@link Comm} makes these from its named methods; hooks, the flight recorder, graphs and
 * backends take them apart with {@code switch}. The set is closed, so adding an operation fails to
 * compile exactly where thought is needed. Immutable, but for the tensors, which are the caller's.
 * In-place forms name one tensor as input and output. Beyond that, inputs may lie where outputs do,
 * on any rank and in any way: outputs become what they would from inputs elsewhere. Outputs lie
 * apart from each other.
 */
public sealed interface Collective {

  /** An operation between two ranks, which a {@link Batch} may hold. */
  sealed interface PointToPoint extends Collective {
    /** What is sent, or where what is received goes. */
    Tensor tensor();

    /** The other rank. */
    int peer();

    /** Messages are matched in order per peer and tag. */
    int tag();
  }

  /** An operation that combines elements of several ranks. */
  sealed interface Reduction extends Collective {
    ReduceOp op();
  }

  /** An operation of one tensor in and one out, on every rank. */
  sealed interface Single extends Collective {
    /** What is written. */
    Tensor output();

    /** What is read; in place it is the output, or a section of it, or the output one of it. */
    Tensor input();

    @Override
    default List<Tensor> inputs() {
      return List.of(input());
    }

    @Override
    default List<Tensor> outputs() {
      return List.of(output());
    }
  }

  /** An operation in which one rank differs from the others. */
  sealed interface Rooted extends Collective {
    int root();
  }

  /** Sends a tensor to a rank. */
  record Send(Tensor tensor, int dst, int tag) implements PointToPoint {
    @Override
    public int peer() {
      return dst;
    }

    @Override
    public List<Tensor> inputs() {
      return List.of(tensor);
    }
  }

  /** Receives a tensor from a rank. */
  record Recv(Tensor tensor, int src, int tag) implements PointToPoint {
    @Override
    public int peer() {
      return src;
    }

    @Override
    public List<Tensor> outputs() {
      return List.of(tensor);
    }
  }

  /** Several sends and receives that progress together, in no particular order between peers. */
  record SendRecvBatch(List<PointToPoint> ops) implements Collective {
    public SendRecvBatch {
      ops = copy(ops);
    }

    @Override
    public List<Tensor> inputs() {
      return tensors(Send.class);
    }

    @Override
    public List<Tensor> outputs() {
      return tensors(Recv.class);
    }

    private List<Tensor> tensors(Class<? extends PointToPoint> kind) {
      List<Tensor> tensors = new ArrayList<>(ops.size());
      for (int i = 0; i < ops.size(); i++) {
        if (kind.isInstance(ops.get(i))) {
          tensors.add(ops.get(i).tensor());
        }
      }
      return Collections.unmodifiableList(tensors);
    }
  }

  /** Every rank's tensor becomes the root's. */
  record Broadcast(Tensor tensor, int root) implements Rooted {
    @Override
    public List<Tensor> inputs() {
      return List.of(tensor);
    }

    @Override
    public List<Tensor> outputs() {
      return List.of(tensor);
    }
  }

  /** Every rank's output becomes the reduction of all inputs. */
  record AllReduce(Tensor output, Tensor input, ReduceOp op) implements Single, Reduction {}

  /** The root's tensor becomes the reduction of all; those of the others stay as they are. */
  record Reduce(Tensor tensor, int root, ReduceOp op) implements Reduction, Rooted {
    @Override
    public List<Tensor> inputs() {
      return List.of(tensor);
    }

    @Override
    public List<Tensor> outputs() {
      return List.of(tensor);
    }
  }

  /** {@code outputs[i]} becomes rank i's input; all of one size. */
  record AllGather(List<Tensor> outputs, Tensor input) implements Collective {
    public AllGather {
      outputs = copy(outputs);
    }

    @Override
    public List<Tensor> inputs() {
      return List.of(input);
    }
  }

  /** {@code outputs[i]} becomes rank i's input; sizes may differ by rank. */
  record AllGatherV(List<Tensor> outputs, Tensor input) implements Collective {
    public AllGatherV {
      outputs = copy(outputs);
    }

    @Override
    public List<Tensor> inputs() {
      return List.of(input);
    }
  }

  /** The output becomes the inputs of all ranks, one after the other. */
  record AllGatherSingle(Tensor output, Tensor input) implements Single {}

  /** Rank i's output becomes the reduction of all ranks' {@code inputs[i]}; all of one size. */
  record ReduceScatter(Tensor output, List<Tensor> inputs, ReduceOp op) implements Reduction {
    public ReduceScatter {
      inputs = copy(inputs);
    }

    @Override
    public List<Tensor> outputs() {
      return List.of(output);
    }
  }

  /**
   * Rank i's output becomes the reduction of all ranks' {@code inputs[i]}; sizes may differ by i.
   */
  record ReduceScatterV(Tensor output, List<Tensor> inputs, ReduceOp op) implements Reduction {
    public ReduceScatterV {
      inputs = copy(inputs);
    }

    @Override
    public List<Tensor> outputs() {
      return List.of(output);
    }
  }

  /** Rank i's output becomes the reduction of the i-th section of all inputs. */
  record ReduceScatterSingle(Tensor output, Tensor input, ReduceOp op)
      implements Single, Reduction {}

  /** {@code outputs[i]} becomes what rank i has at its own {@code inputs[rank]}. */
  record AllToAll(List<Tensor> outputs, List<Tensor> inputs) implements Collective {
    public AllToAll {
      outputs = copy(outputs);
      inputs = copy(inputs);
    }
  }

  /** Section i of the output becomes this rank's section of rank i's input; equal sections. */
  record AllToAllSingle(Tensor output, Tensor input) implements Single {}

  /** As {@link AllToAllSingle}, with sections that are so many rows of dimension 0. */
  record AllToAllVSingle(
      Tensor output, Tensor input, List<Long> outputSplits, List<Long> inputSplits)
      implements Single {
    public AllToAllVSingle {
      outputSplits = copy(outputSplits);
      inputSplits = copy(inputSplits);
    }
  }

  /** Rank i's output becomes the root's {@code inputs[i]}; the list is read on the root alone. */
  record Scatter(Tensor output, List<Tensor> inputs, int root) implements Rooted {
    public Scatter {
      inputs = copy(inputs);
    }

    @Override
    public List<Tensor> outputs() {
      return List.of(output);
    }
  }

  /**
   * The root's {@code outputs[i]} becomes rank i's input; the list is written on the root alone.
   */
  record Gather(List<Tensor> outputs, Tensor input, int root) implements Rooted {
    public Gather {
      outputs = copy(outputs);
    }

    @Override
    public List<Tensor> inputs() {
      return List.of(input);
    }
  }

  /**
   * The root's output becomes the inputs of all ranks, one after the other; elsewhere it is null or
   * left alone.
   */
  record GatherSingle(Tensor output, Tensor input, int root) implements Rooted {
    @Override
    public List<Tensor> inputs() {
      return List.of(input);
    }

    @Override
    public List<Tensor> outputs() {
      return output == null ? List.of() : List.of(output);
    }
  }

  /** Nobody leaves before everybody came. */
  record Barrier() implements Collective {}

  /**
   * A barrier whose deadline names the ranks that did not come. Core runs it over the store; no
   * backend sees it.
   */
  record MonitoredBarrier() implements Collective {}

  /** A list of its own; nulls stay in it, for the checks to name them. */
  private static <T> List<T> copy(List<T> list) {
    return list == null ? List.of() : Collections.unmodifiableList(new ArrayList<>(list));
  }

  /** The tensors that are read, in order. */
  default List<Tensor> inputs() {
    return List.of();
  }

  /** The tensors that are written, in order. */
  default List<Tensor> outputs() {
    return List.of();
  }

  /**
   * The name in text, JSON, hints and commands: {@code all_reduce}, {@code all_to_all_v_single}.
   */
  default String opName() {
    return OpNames.of(getClass());
  }

  /** The name of a kind of operation: {@code all_reduce} for {@code AllReduce.class}. */
  static String nameOf(Class<? extends Collective> kind) {
    return OpNames.of(kind);
  }

  /** The place of its kind among {@link #kinds()}. */
  default int place() {
    return OpNames.place(this);
  }

  /** Every kind of operation, by name order. */
  static List<Class<? extends Collective>> kinds() {
    return OpNames.KINDS;
  }
}
