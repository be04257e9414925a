package dev.jcomms.jccl.internal.dsl;

import dev.jcomms.jccl.plan.Chunk;
import dev.jcomms.jccl.plan.Op;
import dev.jcomms.jccl.plan.Op.Copy.Packing;
import java.util.ArrayList;
import java.util.List;

/**
 * Puts a {@code nop} before each op that touches what an earlier op of the block has touched since
 * the threads last met, unless both only read.
 *
 * <p>Only the block's own chunks count, and none that hold packets: their flags order them. What
 * peers write, and what goes through a switch, is for the author to order.
 */
public final class HazardSync {
  private record Touch(Chunk.Local chunk, boolean writes) {
    boolean conflictsWith(Touch other) {
      Chunk.Local theirs = other.chunk;
      return (writes || other.writes)
          && chunk.buffer() == theirs.buffer()
          && chunk.index() < theirs.index() + theirs.chunks()
          && theirs.index() < chunk.index() + chunk.chunks();
    }
  }

  private HazardSync() {}

  public static List<Op> insert(List<Op> ops) {
    List<Op> result = new ArrayList<>();
    List<Touch> sinceMeeting = new ArrayList<>();
    for (Op op : ops) {
      Op checked =
          op instanceof Op.Pipeline(long unitBytes, int chunks, var inner)
              ? new Op.Pipeline(unitBytes, chunks, insert(inner))
              : op;
      if (op instanceof Op.Nop || op instanceof Op.Barrier) {
        sinceMeeting.clear();
      }
      List<Touch> touches = touches(checked);
      if (touches.stream()
          .anyMatch(touch -> sinceMeeting.stream().anyMatch(touch::conflictsWith))) {
        result.add(new Op.Nop());
        sinceMeeting.clear();
      }
      sinceMeeting.addAll(touches);
      result.add(checked);
    }
    return result;
  }

  private static List<Touch> touches(Op op) {
    List<Touch> touches = new ArrayList<>();
    switch (op) {
      case Op.Pipeline pipeline -> pipeline.ops().forEach(inner -> touches.addAll(touches(inner)));
      case Op.Copy copy -> {
        if (copy.packing() != Packing.UNPACK) {
          touches.add(new Touch(copy.source(), false));
        }
        if (copy.packing() != Packing.PACK) {
          touches.add(new Touch(copy.destination(), true));
        }
      }
      case Op.Put put -> put.sources().forEach(chunk -> touches.add(new Touch(chunk, false)));
      case Op.PutPackets put ->
          put.sources().forEach(chunk -> touches.add(new Touch(chunk, false)));
      case Op.Get get -> get.destinations().forEach(chunk -> touches.add(new Touch(chunk, true)));
      case Op.Reduce reduce -> {
        reduce.sources().forEach(chunk -> touches.add(new Touch(chunk, false)));
        touches.add(new Touch(reduce.destination(), true));
      }
      case Op.ReducePackets reduce -> {
        touches.add(new Touch(reduce.source(), false));
        touches.add(new Touch(reduce.destination(), true));
      }
      default -> {}
    }
    return touches;
  }
}
