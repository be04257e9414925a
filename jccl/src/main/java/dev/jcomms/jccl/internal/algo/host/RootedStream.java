package dev.jcomms.jccl.internal.algo.host;

import static dev.jcomms.jccl.internal.memory.Everything.EVERYTHING;

import dev.jcomms.Collective;
import dev.jcomms.jccl.internal.algo.host.HostSelector.Kind;
import dev.jcomms.jccl.internal.reduce.Reducers;
import dev.jcomms.jccl.internal.transport.Deadline;
import dev.jcomms.jccl.internal.transport.Facts;
import dev.jcomms.jccl.internal.transport.shm.Boards;
import dev.jcomms.jccl.internal.transport.shm.Floor;
import dev.jcomms.tensor.Tensor;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * Small operations with a root that follow each other alike: who gives speaks some of them ahead,
 * and who takes listens. In broadcast and scatter the root speaks to all; in gather and reduce all
 * speak to the root.
 *
 * <p>Ranks that disagree all learn it in the operation itself where they meet. So they do until
 * they have agreed on a few operations alike; from then on a speaker learns some operations later
 * that a rank has come with something else, at the latest when it comes with something else itself.
 */
final class RootedStream {
  /** Operations alike that ranks meet for, before one is streamed. */
  private static final int MET = 3;

  /** Operations alike after which a speaker goes as far ahead as notes or remarks allow. */
  private static final int TRUSTED = 1000;

  private final Floor floor;
  private final FlatReduce flatReduce;
  private long head;
  private long count;
  private int alike;

  /** Whether operations of these facts can be streamed. */
  private boolean able;

  /** Whether the last operation was streamed, here as on all ranks. */
  private boolean streaming;

  /** What was so before the last operation, if that has other facts than the one before it. */
  private boolean isOther;

  private long headBefore;
  private long countBefore;
  private int alikeBefore;
  private boolean ableBefore;

  RootedStream(Floor floor, FlatReduce flatReduce) {
    this.floor = floor;
    this.flatReduce = flatReduce;
  }

  /** Performs an operation, if it is one more of a stream; else ends the stream there is. */
  boolean run(Collective op, Deadline deadline) {
    isOther = floor.head() != head || floor.count() != count;
    if (isOther) {
      headBefore = head;
      countBefore = count;
      alikeBefore = alike;
      ableBefore = able;
      end(deadline);
      head = floor.head();
      count = floor.count();
      // Asked of every operation, so that the compiler has seen all kinds of them here.
      able = isAble(op) && !Facts.isForced(head);
    }
    if (!able) {
      return false;
    }
    if (alike < TRUSTED && ++alike == TRUSTED && isBrief(op)) {
      floor.beginRemarks(spoken(op));
    }
    if (alike <= MET) {
      return false;
    }
    if (!streaming && spoken(op) > Boards.PAYLOAD_BYTES) {
      floor.part(deadline); // somebody may still read the stage that is spoken from
    }
    streaming = true;
    stream(op, deadline);
    return true;
  }

  /** Whether it is small: what a root gives may fill a part of a stage, all else goes in notes. */
  private boolean isAble(Collective op) {
    long bytes = spoken(op);
    return isFromRoot(op)
        ? bytes <= floor.speechBytes() && Kind.FROM_ROOT.isFlat(bytes, floor.size())
        : bytes <= Boards.PAYLOAD_BYTES;
  }

  /** Whether a remark does for it: a reduce's factor has no place in one. */
  private boolean isBrief(Collective op) {
    return !(op instanceof Collective.Reduce) && spoken(op) <= Floor.REMARK_BYTES;
  }

  /** How many bytes a speaker has to say. */
  private long spoken(Collective op) {
    return switch (op) {
      case Collective.Broadcast(Tensor tensor, _) -> tensor.bytes();
      case Collective.Scatter(Tensor output, _, _) -> output.bytes() * floor.size();
      case Collective.Gather(_, Tensor input, _) -> input.bytes();
      case Collective.GatherSingle(_, Tensor input, _) -> input.bytes();
      case Collective.Reduce(Tensor tensor, _, _) -> tensor.bytes();
      default -> Long.MAX_VALUE;
    };
  }

  private void stream(Collective op, Deadline deadline) {
    switch (op) {
      case Collective.Broadcast(Tensor tensor, int root) ->
          broadcast(tensor.segment(), root, deadline);
      case Collective.Scatter(Tensor output, List<Tensor> inputs, int root) ->
          scatter(output.segment(), inputs, root, deadline);
      case Collective.Gather(List<Tensor> outputs, Tensor input, int root) -> {
        tell(input.segment(), root, deadline);
        for (int r = 0; floor.rank() == root && r < floor.size(); r++) {
          take(r, outputs.get(r).segment(), 0, input.bytes());
        }
      }
      case Collective.GatherSingle(Tensor output, Tensor input, int root) -> {
        tell(input.segment(), root, deadline);
        for (int r = 0; floor.rank() == root && r < floor.size(); r++) {
          take(r, output.segment(), r * input.bytes(), input.bytes());
        }
      }
      case Collective.Reduce(Tensor tensor, int root, var redop) -> {
        MemorySegment segment = tensor.segment();
        beginTelling(segment.byteSize(), root, deadline);
        flatReduce.putUp(segment, Fold.factor(redop));
        endTelling(root, deadline);
        if (floor.rank() == root) {
          flatReduce.reduce(
              segment, segment, Reducers.of(tensor.dtype(), redop), 0, tensor.elements());
        }
      }
      default -> throw new AssertionError(op);
    }
    if (!speaks(op)) {
      floor.nod();
    }
  }

  /** Whether this rank gives. */
  private boolean speaks(Collective op) {
    return isFromRoot(op) == (floor.rank() == ((Collective.Rooted) op).root());
  }

  private static boolean isFromRoot(Collective op) {
    return op instanceof Collective.Broadcast || op instanceof Collective.Scatter;
  }

  private void broadcast(MemorySegment segment, int root, Deadline deadline) {
    long bytes = segment.byteSize();
    if (floor.rank() == root) {
      floor.beginSpeech(Floor.ALL, ahead(bytes), deadline);
      MemorySegment.copy(segment, 0, EVERYTHING, floor.address(floor.speech(root, bytes)), bytes);
      floor.speak(deadline);
    } else {
      floor.beginListening(deadline);
      floor.listen(root, deadline);
      MemorySegment.copy(EVERYTHING, floor.address(floor.speech(root, bytes)), segment, 0, bytes);
    }
  }

  private void scatter(MemorySegment output, List<Tensor> inputs, int root, Deadline deadline) {
    long bytes = output.byteSize();
    long all = floor.size() * bytes;
    if (floor.rank() == root) {
      floor.beginSpeech(Floor.ALL, ahead(all), deadline);
      for (int r = 0; r < floor.size(); r++) {
        long at = floor.address(floor.speech(root, all) + r * bytes);
        MemorySegment.copy(inputs.get(r).segment(), 0, EVERYTHING, at, bytes);
      }
      floor.speak(deadline);
      MemorySegment.copy(inputs.get(root).segment(), 0, output, 0, bytes);
    } else {
      floor.beginListening(deadline);
      floor.listen(root, deadline);
      long at = floor.address(floor.speech(root, all) + floor.rank() * bytes);
      MemorySegment.copy(EVERYTHING, at, output, 0, bytes);
    }
  }

  /** Tells the root what this rank has; the root has its own on its board. */
  private void tell(MemorySegment input, int root, Deadline deadline) {
    long bytes = input.byteSize();
    beginTelling(bytes, root, deadline);
    long at = floor.address(floor.speech(floor.rank(), bytes));
    MemorySegment.copy(input, 0, EVERYTHING, at, bytes);
    endTelling(root, deadline);
  }

  private void beginTelling(long bytes, int root, Deadline deadline) {
    if (floor.rank() == root) {
      floor.beginListening(deadline);
    } else {
      floor.beginSpeech(root, ahead(bytes), deadline);
    }
  }

  /** The root hears all out. */
  private void endTelling(int root, Deadline deadline) {
    if (floor.rank() != root) {
      floor.speak(deadline);
      return;
    }
    for (int r = 0; r < floor.size(); r++) {
      if (r != root) {
        floor.listen(r, deadline);
      }
    }
  }

  /** Takes what a rank has told. */
  private void take(int of, MemorySegment output, long at, long bytes) {
    MemorySegment.copy(EVERYTHING, floor.address(floor.speech(of, bytes)), output, at, bytes);
  }

  private int ahead(long bytes) {
    return alike == TRUSTED && bytes <= Boards.PAYLOAD_BYTES ? floor.farAhead() : Floor.AHEAD;
  }

  /**
   * The last operation was refused before this rank came to any phase of it: for the others it
   * never was, and ranks have to count alike.
   */
  void forget() {
    if (isOther) {
      head = headBefore;
      count = countBefore;
      alike = alikeBefore;
      able = ableBefore;
    }
  }

  /** Something else follows: ends a stream by meeting for that. */
  void end(Deadline deadline) {
    alike = 0;
    if (streaming) {
      streaming = false;
      floor.part(deadline);
    }
  }
}
