package dev.jcomms.jccl.internal.prove;

import dev.jcomms.ReduceOp;
import dev.jcomms.jccl.internal.prove.Region.Piece;
import dev.jcomms.jccl.plan.Op;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.TreeSet;

/** What an op makes of what it has read. */
final class Pieces {
  private Pieces() {}

  /** As packets of a launch. */
  static List<Piece> flagged(List<Piece> pieces, int launch) {
    return pieces.stream()
        .map(piece -> new Piece(piece.from(), piece.to(), piece.value(), launch))
        .toList();
  }

  /** All that was read, byte by byte, cut where any of it is. */
  static List<Piece> combine(Op.Data op, List<List<Piece>> values, int world, Budget budget) {
    if (values.size() == 1) {
      return values.getFirst();
    }
    TreeSet<Long> cuts = new TreeSet<>();
    for (List<Piece> pieces : values) {
      pieces.forEach(piece -> Collections.addAll(cuts, piece.from(), piece.to()));
    }
    List<Long> edges = List.copyOf(cuts);
    int[] at = new int[values.size()];
    List<Piece> combined = new ArrayList<>();
    // What has more terms is wrong for certain; a few more than needed say how.
    int most = 2 * world + 2;
    for (int e = 0; e + 1 < edges.size(); e++) {
      List<Value> parts = new ArrayList<>();
      for (int v = 0; v < at.length; v++) {
        List<Piece> pieces = values.get(v);
        while (pieces.get(at[v]).to() <= edges.get(e)) {
          at[v]++;
        }
        parts.add(pieces.get(at[v]).value());
      }
      budget.spend(20L * most);
      Value value = Value.combine(reduction(op), parts, most);
      combined.add(new Piece(edges.get(e), edges.get(e + 1), value, 0));
    }
    return combined;
  }

  private static ReduceOp reduction(Op.Data op) {
    return switch (op) {
      case Op.Reduce reduce -> reduce.reduction();
      case Op.ReducePackets reduce -> reduce.reduction();
      case Op.SwitchReduce reduce -> reduce.reduction();
      case Op.SwitchReduceStore reduce -> reduce.reduction();
      default -> throw new AssertionError(op.name() + " reads one value");
    };
  }
}
