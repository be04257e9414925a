package dev.jcomms.jccl.internal.algo.host;

import dev.jcomms.Collective;
import dev.jcomms.jccl.internal.algo.host.HostSelector.Kind;
import dev.jcomms.jccl.internal.transport.Deadline;
import dev.jcomms.jccl.internal.transport.Facts;
import dev.jcomms.jccl.internal.transport.shm.Boards;
import dev.jcomms.jccl.internal.transport.shm.Floor;
import java.lang.foreign.MemorySegment;

/**
 * Small broadcasts that follow each other alike: the root speaks some of them ahead, and the others
 * listen to it alone.
 *
 * <p>Ranks that disagree all learn it in the operation itself where they meet. So they do until
 * they have agreed on a few operations alike; from then on the root learns some operations later
 * that a rank has come with something else, at the latest when it comes with something else itself.
 */
final class StreamedBroadcast {
  /** Operations alike that ranks meet for, before one is streamed. */
  private static final int MET = 3;

  /** Operations alike after which the root goes as far ahead as notes allow. */
  private static final int TRUSTED = 1000;

  private final Floor floor;
  private long head;
  private long count;
  private int alike;

  /** Whether operations of these facts can be streamed. */
  private boolean able;

  /** Whether the last operation was streamed, here as on all ranks. */
  private boolean streaming;

  StreamedBroadcast(Floor floor) {
    this.floor = floor;
  }

  /** Performs an operation, if it is one more of a stream; else ends the stream there is. */
  boolean run(Collective op, Turn turn) {
    if (turn.head() != head || turn.count() != count) {
      end(turn);
      head = turn.head();
      count = turn.count();
      // Asked of every operation, so that the compiler has seen all kinds of them here.
      able = isAble(op);
    }
    if (!able) return false;
    if (alike < TRUSTED) {
      alike++;
    }
    if (alike <= MET) {
      return false;
    }
    streaming = true;
    var broadcast = (Collective.Broadcast) op;
    stream(broadcast.tensor().segment(), broadcast.root(), turn.deadline());
    return true;
  }

  private boolean isAble(Collective op) {
    return op instanceof Collective.Broadcast broadcast
        && broadcast.tensor().bytes() <= floor.speechBytes()
        && Kind.FROM_ROOT.isFlat(broadcast.tensor().bytes(), floor.size())
        && !Facts.isForced(head);
  }

  private void stream(MemorySegment segment, int root, Deadline deadline) {
    long bytes = segment.byteSize();
    if (floor.rank() == root) {
      boolean far = alike == TRUSTED && bytes <= Boards.PAYLOAD_BYTES;
      floor.beginSpeech(head, count, far ? Floor.FAR_AHEAD : Floor.AHEAD, deadline);
      MemorySegment.copy(segment, 0, floor.memory(), floor.speech(root, bytes), bytes);
      floor.speak(head, count, deadline);
    } else {
      floor.begin();
      floor.listen(root, head, count, deadline);
      MemorySegment.copy(floor.memory(), floor.speech(root, bytes), segment, 0, bytes);
      floor.nod(head, count);
    }
  }

  /** Something else follows: ends a stream by meeting for that. */
  void end(Turn next) {
    alike = 0;
    if (streaming) {
      streaming = false;
      next.part();
    }
  }
}
