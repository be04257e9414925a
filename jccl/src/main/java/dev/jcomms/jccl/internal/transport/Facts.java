package dev.jcomms.jccl.internal.transport;

import dev.jcomms.Collective;
import dev.jcomms.CommMismatchException;
import dev.jcomms.OpOptions;
import dev.jcomms.ReduceOp;
import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Tensor;
import java.util.List;
import java.util.Set;

/**
 * What ranks must agree on in one operation, as two numbers that fit into a flag's cache line and
 * into a frame's header: a head (kind, dtype, reduce op, root, forced algorithm) and a count.
 *
 * <p>The count is the number of elements that all ranks share; for lists of {@link Sizes}, those;
 * for the all-to-all family, whose ranks need not agree, zero.
 */
public final class Facts {
  private static final List<Class<? extends Collective>> KINDS = Collective.kinds();
  private static final DType[] DTYPES = DType.values();
  private static final ReduceOp.Standard[] OPS = ReduceOp.Standard.values();
  private static final int NONE = 0xff;
  private static final int NO_ROOT = 0xffff;

  /** What is no collective but has its turn among them. Others than these have no name. */
  private static final List<String> ASIDES =
      List.of("symmetric", "monitored_barrier", "split", "window register", "something else");

  /** The head of symmetric memory being made. What is asked for is compared in the making. */
  public static final long SYMMETRIC = aside("symmetric");

  private Facts() {}

  /** The head of what is no collective but has its turn among them. */
  public static long aside(String what) {
    int place = ASIDES.indexOf(what);
    return aside(KINDS.size() + 1 + (place < 0 ? ASIDES.size() - 1 : place));
  }

  /** The same, of a kind as it is in a head. */
  static long aside(int kind) {
    return kind | NONE << 8 | NONE << 16 | (long) NO_ROOT << 24;
  }

  /** Kind 8 bits, dtype 8, reduce op 8, root 16, algorithm 16; never zero. */
  public static long head(Collective op, OpOptions options) {
    Tensor tensor = typical(op);
    long dtype = tensor == null ? NONE : tensor.dtype().ordinal();
    long redop = NONE;
    if (op instanceof Collective.Reduction reduction) {
      redop = reduction.op() instanceof ReduceOp.Standard s ? s.ordinal() : OPS.length;
    }
    long root = op instanceof Collective.Rooted rooted ? rooted.root() & NO_ROOT : NO_ROOT;
    return op.place() + 1 | dtype << 8 | redop << 16 | root << 24 | algorithm(options) << 40;
  }

  /** Whether a head names an algorithm. */
  public static boolean isForced(long head) {
    return head >>> 40 != 0;
  }

  /** The number of elements that ranks share, or their list of sizes. */
  public static long count(Collective op) {
    return op instanceof Collective.AllReduce || op instanceof Collective.Broadcast
        ? typical(op).elements()
        : countOfOther(op);
  }

  private static long countOfOther(Collective op) {
    return switch (op) {
      case Collective.AllToAllVSingle _ -> 0;
      case Collective.Single single -> single.input().elements();
      case Collective.AllGatherV(List<Tensor> outputs, _) -> Sizes.of(outputs);
      case Collective.ReduceScatterV(_, List<Tensor> inputs, ReduceOp _) -> Sizes.of(inputs);
      case Collective.AllToAll _,
          Collective.SendRecvBatch _,
          Collective.Barrier _,
          Collective.MonitoredBarrier _ ->
          0;
      default -> typicalOfOther(op).elements();
    };
  }

  /**
   * Compares with a peer's.
   *
   * @throws CommMismatchException that says who has what
   */
  public static void requireSame(
      int rank, long head, long count, int peer, long peerHead, long peerCount) {
    if (head != peerHead || count != peerCount) {
      throw mismatch(rank, head, count, peer, peerHead, peerCount);
    }
  }

  private static CommMismatchException mismatch(
      int rank, long head, long count, int peer, long peerHead, long peerCount) {
    boolean isSameKind = (head & 0xff) == (peerHead & 0xff);
    return new CommMismatchException(
        "rank "
            + rank
            + " has "
            + describe(head, count)
            + ", rank "
            + peer
            + " has "
            + describe(peerHead, peerCount)
            + (isSameKind && head >>> 40 != peerHead >>> 40 ? " by another algorithm" : ""),
        Set.of(peer));
  }

  /** {@code all_reduce of 1024 x f32, sum}; whatever the numbers are. */
  public static String describe(long head, long count) {
    int kind = (int) (head & 0xff) - 1;
    int dtype = (int) (head >>> 8) & 0xff;
    int redop = (int) (head >>> 16) & 0xff;
    int root = (int) (head >>> 24) & NO_ROOT;
    if (kind < 0 || kind >= KINDS.size() + ASIDES.size()) {
      return "an unknown operation";
    }
    if (kind >= KINDS.size()) {
      return ASIDES.get(kind - KINDS.size());
    }
    Class<? extends Collective> type = KINDS.get(kind);
    boolean listed = type == Collective.AllGatherV.class || type == Collective.ReduceScatterV.class;
    boolean counted =
        dtype < DTYPES.length
            && type != Collective.AllToAll.class
            && type != Collective.AllToAllVSingle.class;
    return Collective.nameOf(type)
        + (dtype < DTYPES.length ? " of " : "")
        + (counted ? (listed ? "sizes " + Sizes.describe(count) : "" + count) + " x " : "")
        + (dtype < DTYPES.length ? DTYPES[dtype].shortName() : "")
        + (redop < OPS.length
            ? ", " + OPS[redop].opName()
            : redop == OPS.length ? ", premul_sum" : "")
        + (root == NO_ROOT ? "" : ", root " + root);
  }

  /**
   * The tensor whose dtype and size stand for all: the one that is there on every rank. Those that
   * are called most, for a few bytes, do not pass the long list of the others.
   */
  private static Tensor typical(Collective op) {
    if (op instanceof Collective.AllReduce reduction) {
      return reduction.input();
    }
    return op instanceof Collective.Broadcast broadcast ? broadcast.tensor() : typicalOfOther(op);
  }

  private static Tensor typicalOfOther(Collective op) {
    return switch (op) {
      case Collective.Single single -> single.input();
      case Collective.Broadcast(Tensor tensor, _) -> tensor;
      case Collective.Reduce(Tensor tensor, _, _) -> tensor;
      case Collective.AllGather(_, Tensor input) -> input;
      case Collective.AllGatherV(_, Tensor input) -> input;
      case Collective.ReduceScatter(Tensor output, _, _) -> output;
      case Collective.ReduceScatterV(Tensor output, _, _) -> output;
      case Collective.AllToAll(List<Tensor> outputs, _) -> outputs.getFirst();
      case Collective.Scatter(Tensor output, _, _) -> output;
      case Collective.Gather(_, Tensor input, _) -> input;
      case Collective.GatherSingle(_, Tensor input, _) -> input;
      case Collective.Send(Tensor tensor, _, _) -> tensor;
      case Collective.Recv(Tensor tensor, _, _) -> tensor;
      case Collective.SendRecvBatch _, Collective.Barrier _, Collective.MonitoredBarrier _ -> null;
    };
  }

  private static long algorithm(OpOptions options) {
    if (options.hints().isEmpty()) {
      return 0;
    }
    String forced = options.hints().get("algorithm");
    return forced == null ? 0 : forced.hashCode() & 0xffff;
  }
}
