package dev.jcomms;

import dev.jcomms.tensor.Tensor;
import java.util.List;

/**
 * The named operations of a communicator: each is one {@link Collective} handed to {@link #run} or
 * {@link #start}.
 *
 * <p>Every operation has a blocking form and an {@code …Async} form; both take {@link OpOptions} as
 * an optional last argument. Tensors are contiguous and on a device the communicator serves; what
 * is wrong with an argument is said before anything moves, by {@link IllegalArgumentException}.
 * Inputs are never written to. Zero elements are legal. Operations of one communicator take effect
 * in call order, whichever threads they come from: one that blocks holds up what other threads call
 * after it on this communicator. Sends, receives and batches of them do not, once they wait for
 * their peers: a thread may wait in {@link #recv} while others send, or reduce. (Those of objects
 * and those in a graph do; and a backend that moves messages in no other way than by blocking.) A
 * thread that is interrupted in a call ends the communicator, for all ranks: the others wait for
 * it.
 */
public interface Collectives {

  /** Runs an operation and returns when it is done. */
  void run(Collective op, OpOptions options);

  /** Starts an operation. */
  Work start(Collective op, OpOptions options);

  /** Sends a tensor to a rank. */
  default void send(Tensor tensor, int dst) {
    run(new Collective.Send(tensor, dst, 0), OpOptions.DEFAULT);
  }

  /** Sends a tensor to a rank. */
  default void send(Tensor tensor, int dst, OpOptions options) {
    run(new Collective.Send(tensor, dst, 0), options);
  }

  /** Sends a tensor to a rank. */
  default Work sendAsync(Tensor tensor, int dst) {
    return start(new Collective.Send(tensor, dst, 0), OpOptions.DEFAULT);
  }

  /** Sends a tensor to a rank. */
  default Work sendAsync(Tensor tensor, int dst, OpOptions options) {
    return start(new Collective.Send(tensor, dst, 0), options);
  }

  /** Sends a tensor to a rank; matched in order per peer and tag. */
  default void send(Tensor tensor, int dst, int tag) {
    run(new Collective.Send(tensor, dst, tag), OpOptions.DEFAULT);
  }

  /** Sends a tensor to a rank; matched in order per peer and tag. */
  default void send(Tensor tensor, int dst, int tag, OpOptions options) {
    run(new Collective.Send(tensor, dst, tag), options);
  }

  /** Sends a tensor to a rank; matched in order per peer and tag. */
  default Work sendAsync(Tensor tensor, int dst, int tag) {
    return start(new Collective.Send(tensor, dst, tag), OpOptions.DEFAULT);
  }

  /** Sends a tensor to a rank; matched in order per peer and tag. */
  default Work sendAsync(Tensor tensor, int dst, int tag, OpOptions options) {
    return start(new Collective.Send(tensor, dst, tag), options);
  }

  /** Receives a tensor from a rank. */
  default void recv(Tensor tensor, int src) {
    run(new Collective.Recv(tensor, src, 0), OpOptions.DEFAULT);
  }

  /** Receives a tensor from a rank. */
  default void recv(Tensor tensor, int src, OpOptions options) {
    run(new Collective.Recv(tensor, src, 0), options);
  }

  /** Receives a tensor from a rank. */
  default Work recvAsync(Tensor tensor, int src) {
    return start(new Collective.Recv(tensor, src, 0), OpOptions.DEFAULT);
  }

  /** Receives a tensor from a rank. */
  default Work recvAsync(Tensor tensor, int src, OpOptions options) {
    return start(new Collective.Recv(tensor, src, 0), options);
  }

  /** Receives a tensor from a rank; matched in order per peer and tag. */
  default void recv(Tensor tensor, int src, int tag) {
    run(new Collective.Recv(tensor, src, tag), OpOptions.DEFAULT);
  }

  /** Receives a tensor from a rank; matched in order per peer and tag. */
  default void recv(Tensor tensor, int src, int tag, OpOptions options) {
    run(new Collective.Recv(tensor, src, tag), options);
  }

  /** Receives a tensor from a rank; matched in order per peer and tag. */
  default Work recvAsync(Tensor tensor, int src, int tag) {
    return start(new Collective.Recv(tensor, src, tag), OpOptions.DEFAULT);
  }

  /** Receives a tensor from a rank; matched in order per peer and tag. */
  default Work recvAsync(Tensor tensor, int src, int tag, OpOptions options) {
    return start(new Collective.Recv(tensor, src, tag), options);
  }

  /** Makes every rank's tensor the root's. */
  default void broadcast(Tensor tensor, int root) {
    run(new Collective.Broadcast(tensor, root), OpOptions.DEFAULT);
  }

  /** Makes every rank's tensor the root's. */
  default void broadcast(Tensor tensor, int root, OpOptions options) {
    run(new Collective.Broadcast(tensor, root), options);
  }

  /** Makes every rank's tensor the root's. */
  default Work broadcastAsync(Tensor tensor, int root) {
    return start(new Collective.Broadcast(tensor, root), OpOptions.DEFAULT);
  }

  /** Makes every rank's tensor the root's. */
  default Work broadcastAsync(Tensor tensor, int root, OpOptions options) {
    return start(new Collective.Broadcast(tensor, root), options);
  }

  /** Makes every rank's tensor the reduction of all of them. */
  default void allReduce(Tensor tensor, ReduceOp op) {
    run(new Collective.AllReduce(tensor, tensor, op), OpOptions.DEFAULT);
  }

  /** Makes every rank's tensor the reduction of all of them. */
  default void allReduce(Tensor tensor, ReduceOp op, OpOptions options) {
    run(new Collective.AllReduce(tensor, tensor, op), options);
  }

  /** Makes every rank's tensor the reduction of all of them. */
  default Work allReduceAsync(Tensor tensor, ReduceOp op) {
    return start(new Collective.AllReduce(tensor, tensor, op), OpOptions.DEFAULT);
  }

  /** Makes every rank's tensor the reduction of all of them. */
  default Work allReduceAsync(Tensor tensor, ReduceOp op, OpOptions options) {
    return start(new Collective.AllReduce(tensor, tensor, op), options);
  }

  /** Makes every rank's output the reduction of all inputs. */
  default void allReduce(Tensor output, Tensor input, ReduceOp op) {
    run(new Collective.AllReduce(output, input, op), OpOptions.DEFAULT);
  }

  /** Makes every rank's output the reduction of all inputs. */
  default void allReduce(Tensor output, Tensor input, ReduceOp op, OpOptions options) {
    run(new Collective.AllReduce(output, input, op), options);
  }

  /** Makes every rank's output the reduction of all inputs. */
  default Work allReduceAsync(Tensor output, Tensor input, ReduceOp op) {
    return start(new Collective.AllReduce(output, input, op), OpOptions.DEFAULT);
  }

  /** Makes every rank's output the reduction of all inputs. */
  default Work allReduceAsync(Tensor output, Tensor input, ReduceOp op, OpOptions options) {
    return start(new Collective.AllReduce(output, input, op), options);
  }

  /** Makes the root's tensor the reduction of all; those of the others are not changed. */
  default void reduce(Tensor tensor, int root, ReduceOp op) {
    run(new Collective.Reduce(tensor, root, op), OpOptions.DEFAULT);
  }

  /** Makes the root's tensor the reduction of all; those of the others are not changed. */
  default void reduce(Tensor tensor, int root, ReduceOp op, OpOptions options) {
    run(new Collective.Reduce(tensor, root, op), options);
  }

  /** Makes the root's tensor the reduction of all; those of the others are not changed. */
  default Work reduceAsync(Tensor tensor, int root, ReduceOp op) {
    return start(new Collective.Reduce(tensor, root, op), OpOptions.DEFAULT);
  }

  /** Makes the root's tensor the reduction of all; those of the others are not changed. */
  default Work reduceAsync(Tensor tensor, int root, ReduceOp op, OpOptions options) {
    return start(new Collective.Reduce(tensor, root, op), options);
  }

  /** Makes {@code outputs[i]} rank i's input. */
  default void allGather(List<Tensor> outputs, Tensor input) {
    run(new Collective.AllGather(outputs, input), OpOptions.DEFAULT);
  }

  /** Makes {@code outputs[i]} rank i's input. */
  default void allGather(List<Tensor> outputs, Tensor input, OpOptions options) {
    run(new Collective.AllGather(outputs, input), options);
  }

  /** Makes {@code outputs[i]} rank i's input. */
  default Work allGatherAsync(List<Tensor> outputs, Tensor input) {
    return start(new Collective.AllGather(outputs, input), OpOptions.DEFAULT);
  }

  /** Makes {@code outputs[i]} rank i's input. */
  default Work allGatherAsync(List<Tensor> outputs, Tensor input, OpOptions options) {
    return start(new Collective.AllGather(outputs, input), options);
  }

  /** Makes {@code outputs[i]} rank i's input, whose size may differ by rank. */
  default void allGatherV(List<Tensor> outputs, Tensor input) {
    run(new Collective.AllGatherV(outputs, input), OpOptions.DEFAULT);
  }

  /** Makes {@code outputs[i]} rank i's input, whose size may differ by rank. */
  default void allGatherV(List<Tensor> outputs, Tensor input, OpOptions options) {
    run(new Collective.AllGatherV(outputs, input), options);
  }

  /** Makes {@code outputs[i]} rank i's input, whose size may differ by rank. */
  default Work allGatherVAsync(List<Tensor> outputs, Tensor input) {
    return start(new Collective.AllGatherV(outputs, input), OpOptions.DEFAULT);
  }

  /** Makes {@code outputs[i]} rank i's input, whose size may differ by rank. */
  default Work allGatherVAsync(List<Tensor> outputs, Tensor input, OpOptions options) {
    return start(new Collective.AllGatherV(outputs, input), options);
  }

  /** Makes the output all ranks' inputs, one after the other. */
  default void allGatherSingle(Tensor output, Tensor input) {
    run(new Collective.AllGatherSingle(output, input), OpOptions.DEFAULT);
  }

  /** Makes the output all ranks' inputs, one after the other. */
  default void allGatherSingle(Tensor output, Tensor input, OpOptions options) {
    run(new Collective.AllGatherSingle(output, input), options);
  }

  /** Makes the output all ranks' inputs, one after the other. */
  default Work allGatherSingleAsync(Tensor output, Tensor input) {
    return start(new Collective.AllGatherSingle(output, input), OpOptions.DEFAULT);
  }

  /** Makes the output all ranks' inputs, one after the other. */
  default Work allGatherSingleAsync(Tensor output, Tensor input, OpOptions options) {
    return start(new Collective.AllGatherSingle(output, input), options);
  }

  /** Makes rank i's output the reduction of all ranks' {@code inputs[i]}. */
  default void reduceScatter(Tensor output, List<Tensor> inputs, ReduceOp op) {
    run(new Collective.ReduceScatter(output, inputs, op), OpOptions.DEFAULT);
  }

  /** Makes rank i's output the reduction of all ranks' {@code inputs[i]}. */
  default void reduceScatter(Tensor output, List<Tensor> inputs, ReduceOp op, OpOptions options) {
    run(new Collective.ReduceScatter(output, inputs, op), options);
  }

  /** Makes rank i's output the reduction of all ranks' {@code inputs[i]}. */
  default Work reduceScatterAsync(Tensor output, List<Tensor> inputs, ReduceOp op) {
    return start(new Collective.ReduceScatter(output, inputs, op), OpOptions.DEFAULT);
  }

  /** Makes rank i's output the reduction of all ranks' {@code inputs[i]}. */
  default Work reduceScatterAsync(
      Tensor output, List<Tensor> inputs, ReduceOp op, OpOptions options) {
    return start(new Collective.ReduceScatter(output, inputs, op), options);
  }

  /**
   * Makes rank i's output the reduction of all ranks' {@code inputs[i]}, whose size may differ by
   * i.
   */
  default void reduceScatterV(Tensor output, List<Tensor> inputs, ReduceOp op) {
    run(new Collective.ReduceScatterV(output, inputs, op), OpOptions.DEFAULT);
  }

  /**
   * Makes rank i's output the reduction of all ranks' {@code inputs[i]}, whose size may differ by
   * i.
   */
  default void reduceScatterV(Tensor output, List<Tensor> inputs, ReduceOp op, OpOptions options) {
    run(new Collective.ReduceScatterV(output, inputs, op), options);
  }

  /**
   * Makes rank i's output the reduction of all ranks' {@code inputs[i]}, whose size may differ by
   * i.
   */
  default Work reduceScatterVAsync(Tensor output, List<Tensor> inputs, ReduceOp op) {
    return start(new Collective.ReduceScatterV(output, inputs, op), OpOptions.DEFAULT);
  }

  /**
   * Makes rank i's output the reduction of all ranks' {@code inputs[i]}, whose size may differ by
   * i.
   */
  default Work reduceScatterVAsync(
      Tensor output, List<Tensor> inputs, ReduceOp op, OpOptions options) {
    return start(new Collective.ReduceScatterV(output, inputs, op), options);
  }

  /** Makes rank i's output the reduction of the i-th section of all inputs. */
  default void reduceScatterSingle(Tensor output, Tensor input, ReduceOp op) {
    run(new Collective.ReduceScatterSingle(output, input, op), OpOptions.DEFAULT);
  }

  /** Makes rank i's output the reduction of the i-th section of all inputs. */
  default void reduceScatterSingle(Tensor output, Tensor input, ReduceOp op, OpOptions options) {
    run(new Collective.ReduceScatterSingle(output, input, op), options);
  }

  /** Makes rank i's output the reduction of the i-th section of all inputs. */
  default Work reduceScatterSingleAsync(Tensor output, Tensor input, ReduceOp op) {
    return start(new Collective.ReduceScatterSingle(output, input, op), OpOptions.DEFAULT);
  }

  /** Makes rank i's output the reduction of the i-th section of all inputs. */
  default Work reduceScatterSingleAsync(
      Tensor output, Tensor input, ReduceOp op, OpOptions options) {
    return start(new Collective.ReduceScatterSingle(output, input, op), options);
  }

  /** Makes {@code outputs[i]} what rank i has for this rank. */
  default void allToAll(List<Tensor> outputs, List<Tensor> inputs) {
    run(new Collective.AllToAll(outputs, inputs), OpOptions.DEFAULT);
  }

  /** Makes {@code outputs[i]} what rank i has for this rank. */
  default void allToAll(List<Tensor> outputs, List<Tensor> inputs, OpOptions options) {
    run(new Collective.AllToAll(outputs, inputs), options);
  }

  /** Makes {@code outputs[i]} what rank i has for this rank. */
  default Work allToAllAsync(List<Tensor> outputs, List<Tensor> inputs) {
    return start(new Collective.AllToAll(outputs, inputs), OpOptions.DEFAULT);
  }

  /** Makes {@code outputs[i]} what rank i has for this rank. */
  default Work allToAllAsync(List<Tensor> outputs, List<Tensor> inputs, OpOptions options) {
    return start(new Collective.AllToAll(outputs, inputs), options);
  }

  /** Exchanges equal sections: section i of the output comes from rank i. */
  default void allToAllSingle(Tensor output, Tensor input) {
    run(new Collective.AllToAllSingle(output, input), OpOptions.DEFAULT);
  }

  /** Exchanges equal sections: section i of the output comes from rank i. */
  default void allToAllSingle(Tensor output, Tensor input, OpOptions options) {
    run(new Collective.AllToAllSingle(output, input), options);
  }

  /** Exchanges equal sections: section i of the output comes from rank i. */
  default Work allToAllSingleAsync(Tensor output, Tensor input) {
    return start(new Collective.AllToAllSingle(output, input), OpOptions.DEFAULT);
  }

  /** Exchanges equal sections: section i of the output comes from rank i. */
  default Work allToAllSingleAsync(Tensor output, Tensor input, OpOptions options) {
    return start(new Collective.AllToAllSingle(output, input), options);
  }

  /** Exchanges sections of so many rows of dimension 0 each; zero rows are allowed. */
  default void allToAllVSingle(
      Tensor output, Tensor input, List<Long> outputSplits, List<Long> inputSplits) {
    run(
        new Collective.AllToAllVSingle(output, input, outputSplits, inputSplits),
        OpOptions.DEFAULT);
  }

  /** Exchanges sections of so many rows of dimension 0 each; zero rows are allowed. */
  default void allToAllVSingle(
      Tensor output,
      Tensor input,
      List<Long> outputSplits,
      List<Long> inputSplits,
      OpOptions options) {
    run(new Collective.AllToAllVSingle(output, input, outputSplits, inputSplits), options);
  }

  /** Exchanges sections of so many rows of dimension 0 each; zero rows are allowed. */
  default Work allToAllVSingleAsync(
      Tensor output, Tensor input, List<Long> outputSplits, List<Long> inputSplits) {
    return start(
        new Collective.AllToAllVSingle(output, input, outputSplits, inputSplits),
        OpOptions.DEFAULT);
  }

  /** Exchanges sections of so many rows of dimension 0 each; zero rows are allowed. */
  default Work allToAllVSingleAsync(
      Tensor output,
      Tensor input,
      List<Long> outputSplits,
      List<Long> inputSplits,
      OpOptions options) {
    return start(new Collective.AllToAllVSingle(output, input, outputSplits, inputSplits), options);
  }

  /** Makes rank i's output the root's {@code inputs[i]}; elsewhere the list may be empty. */
  default void scatter(Tensor output, List<Tensor> inputs, int root) {
    run(new Collective.Scatter(output, inputs, root), OpOptions.DEFAULT);
  }

  /** Makes rank i's output the root's {@code inputs[i]}; elsewhere the list may be empty. */
  default void scatter(Tensor output, List<Tensor> inputs, int root, OpOptions options) {
    run(new Collective.Scatter(output, inputs, root), options);
  }

  /** Makes rank i's output the root's {@code inputs[i]}; elsewhere the list may be empty. */
  default Work scatterAsync(Tensor output, List<Tensor> inputs, int root) {
    return start(new Collective.Scatter(output, inputs, root), OpOptions.DEFAULT);
  }

  /** Makes rank i's output the root's {@code inputs[i]}; elsewhere the list may be empty. */
  default Work scatterAsync(Tensor output, List<Tensor> inputs, int root, OpOptions options) {
    return start(new Collective.Scatter(output, inputs, root), options);
  }

  /** Makes the root's {@code outputs[i]} rank i's input; elsewhere the list may be empty. */
  default void gather(List<Tensor> outputs, Tensor input, int root) {
    run(new Collective.Gather(outputs, input, root), OpOptions.DEFAULT);
  }

  /** Makes the root's {@code outputs[i]} rank i's input; elsewhere the list may be empty. */
  default void gather(List<Tensor> outputs, Tensor input, int root, OpOptions options) {
    run(new Collective.Gather(outputs, input, root), options);
  }

  /** Makes the root's {@code outputs[i]} rank i's input; elsewhere the list may be empty. */
  default Work gatherAsync(List<Tensor> outputs, Tensor input, int root) {
    return start(new Collective.Gather(outputs, input, root), OpOptions.DEFAULT);
  }

  /** Makes the root's {@code outputs[i]} rank i's input; elsewhere the list may be empty. */
  default Work gatherAsync(List<Tensor> outputs, Tensor input, int root, OpOptions options) {
    return start(new Collective.Gather(outputs, input, root), options);
  }

  /** Makes the root's output all ranks' inputs, one after the other; elsewhere it may be null. */
  default void gatherSingle(Tensor output, Tensor input, int root) {
    run(new Collective.GatherSingle(output, input, root), OpOptions.DEFAULT);
  }

  /** Makes the root's output all ranks' inputs, one after the other; elsewhere it may be null. */
  default void gatherSingle(Tensor output, Tensor input, int root, OpOptions options) {
    run(new Collective.GatherSingle(output, input, root), options);
  }

  /** Makes the root's output all ranks' inputs, one after the other; elsewhere it may be null. */
  default Work gatherSingleAsync(Tensor output, Tensor input, int root) {
    return start(new Collective.GatherSingle(output, input, root), OpOptions.DEFAULT);
  }

  /** Makes the root's output all ranks' inputs, one after the other; elsewhere it may be null. */
  default Work gatherSingleAsync(Tensor output, Tensor input, int root, OpOptions options) {
    return start(new Collective.GatherSingle(output, input, root), options);
  }

  /** Returns when every rank has come. */
  default void barrier() {
    run(new Collective.Barrier(), OpOptions.DEFAULT);
  }

  /** Returns when every rank has come. */
  default void barrier(OpOptions options) {
    run(new Collective.Barrier(), options);
  }

  /** Returns when every rank has come. */
  default Work barrierAsync() {
    return start(new Collective.Barrier(), OpOptions.DEFAULT);
  }

  /** Returns when every rank has come. */
  default Work barrierAsync(OpOptions options) {
    return start(new Collective.Barrier(), options);
  }

  /**
   * A barrier whose deadline names the ranks that did not come.
   *
   * @throws CommTimeoutException if not all ranks came in time; {@link CommException#missingRanks}
   *     are the absent ones
   * @throws BootstrapException if the job's store is gone, where ranks meet; this communicator goes
   *     on, if it has lost none of its own
   */
  default void monitoredBarrier(java.time.Duration timeout) {
    run(new Collective.MonitoredBarrier(), OpOptions.timeout(timeout));
  }

  /** As {@link #monitoredBarrier}, without waiting here. */
  default Work monitoredBarrierAsync(java.time.Duration timeout) {
    return start(new Collective.MonitoredBarrier(), OpOptions.timeout(timeout));
  }
}
