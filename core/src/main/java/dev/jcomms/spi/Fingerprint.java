package dev.jcomms.spi;

import dev.jcomms.Collective;
import dev.jcomms.CommMismatchException;
import dev.jcomms.ReduceOp;
import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What all ranks must agree on in one operation. A backend sends it along with the first bytes, so
 * that ranks that disagree learn it at once instead of hanging or mixing data.
 *
 * @param op the operation's name
 * @param dtype of its tensors; empty without tensors
 * @param sizes the element counts that ranks share, as text: one number, one per rank, or a shape;
 *     empty where they may differ
 * @param redop the reduce operation; empty without one. The factor of a premul_sum may differ
 * @param root -1 without one
 */
public record Fingerprint(String op, String dtype, String sizes, String redop, int root) {

  /** The fingerprint of an operation. */
  public static Fingerprint of(Collective op) {
    return new Fingerprint(
        op.opName(),
        dtype(op),
        sizes(op),
        op instanceof Collective.Reduction reduction ? reduction.op().opName() : "",
        op instanceof Collective.Rooted rooted ? rooted.root() : -1);
  }

  /** The fingerprint of a request for symmetric memory. */
  public static Fingerprint symmetric(DType dtype, Shape shape) {
    return new Fingerprint("symmetric", dtype.shortName(), shape.toString(), "", -1);
  }

  /** One line of text, for the wire. */
  public String encode() {
    return String.join("|", op, dtype, sizes, redop, Integer.toString(root));
  }

  /**
   * The fingerprint that {@link #encode} wrote.
   *
   * @throws IllegalArgumentException for anything else
   */
  public static Fingerprint decode(String line) {
    String[] parts = line.split("\\|", -1);
    if (parts.length != 5 || !parts[4].matches("-?\\d{1,9}")) {
      throw new IllegalArgumentException("not a fingerprint: " + line.length() + " characters");
    }
    return new Fingerprint(parts[0], parts[1], parts[2], parts[3], Integer.parseInt(parts[4]));
  }

  /**
   * Compares with a peer's.
   *
   * @throws CommMismatchException that says who has what
   */
  public void requireSame(int rank, int peer, Fingerprint theirs) {
    if (!equals(theirs)) {
      throw new CommMismatchException(
          "rank " + rank + " has " + this + ", rank " + peer + " has " + theirs, Set.of(peer));
    }
  }

  /** {@code all_reduce of 1024 x f32, sum}. */
  @Override
  public String toString() {
    return op
        + (dtype.isEmpty() ? "" : " of " + (sizes.isEmpty() ? "" : sizes + " x ") + dtype)
        + (redop.isEmpty() ? "" : ", " + redop)
        + (root < 0 ? "" : ", root " + root);
  }

  private static String dtype(Collective op) {
    if (op instanceof Collective.Scatter(Tensor output, _, _)) {
      // The list counts on the root alone.
      return output.dtype().shortName();
    }
    return java.util.stream.Stream.concat(op.inputs().stream(), op.outputs().stream())
        .findFirst()
        .map(tensor -> tensor.dtype().shortName())
        .orElse("");
  }

  private static String sizes(Collective op) {
    return switch (op) {
      case Collective.AllGatherV(List<Tensor> outputs, _) -> list(outputs);
      case Collective.ReduceScatterV(_, List<Tensor> inputs, ReduceOp _) -> list(inputs);
      case Collective.Scatter(Tensor output, _, _) -> "" + output.elements();
      case Collective.AllToAll _,
          Collective.AllToAllVSingle _,
          Collective.SendRecvBatch _,
          Collective.Barrier _,
          Collective.MonitoredBarrier _ ->
          "";
      case Collective.ReduceScatter(Tensor output, _, _) -> "" + output.elements();
      case Collective.Recv(Tensor tensor, _, _) -> "" + tensor.elements();
      case Collective.Send _,
          Collective.Broadcast _,
          Collective.AllReduce _,
          Collective.Reduce _,
          Collective.AllGather _,
          Collective.AllGatherSingle _,
          Collective.ReduceScatterSingle _,
          Collective.AllToAllSingle _,
          Collective.Gather _,
          Collective.GatherSingle _ ->
          "" + op.inputs().getFirst().elements();
    };
  }

  private static String list(List<Tensor> tensors) {
    return tensors.stream()
        .map(tensor -> Long.toString(tensor.elements()))
        .collect(Collectors.joining(",", "[", "]"));
  }
}
