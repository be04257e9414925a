package dev.jcomms.jccl.internal.mail;

import dev.jcomms.CommException;
import dev.jcomms.CommMismatchException;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Where one rank's sends meet the receives of another rank of the same JVM: the second to come
 * copies from tensor to tensor. Any thread.
 *
 * <p>A small send that comes first leaves a copy and is done, as long as the copies that wait stay
 * within a limit.
 */
final class Handover {
  private static final long EAGER_BYTES = 64 << 10;

  private final LocalExchange exchange;
  private final int src;
  private final int dst;
  private final ReentrantLock lock = new ReentrantLock();

  /** What waits under a tag: sends or receives, never both. */
  private final Map<Integer, ArrayDeque<LocalLetter>> lanes = new HashMap<>();

  private long kept;

  Handover(LocalExchange exchange, int src, int dst) {
    this.exchange = exchange;
    this.src = src;
    this.dst = dst;
  }

  /** Brings a send or a receive, and matches it with what waits for it. */
  void post(LocalLetter letter) {
    Runnable news;
    lock.lock();
    try {
      news = place(letter);
    } finally {
      lock.unlock();
    }
    news.run();
  }

  /** The lock is held during a copy too: who cancels a letter waits for the copy to end. */
  private Runnable place(LocalLetter letter) {
    ArrayDeque<LocalLetter> lane = lanes.get(letter.tag());
    if (lane != null && lane.peek().sends() != letter.sends()) {
      LocalLetter other = lane.poll();
      if (lane.isEmpty()) {
        lanes.remove(letter.tag());
      }
      return letter.sends() ? match(letter, other) : match(other, letter);
    }
    CommException left = exchange.left(letter.peer());
    if (left != null) {
      return () -> letter.fail(left);
    }
    boolean keeps = letter.sends() && keeps(letter.bytes());
    LocalLetter placed = keeps ? letter.kept() : letter; // may fail: no lane is ever empty
    lanes.computeIfAbsent(letter.tag(), _ -> new ArrayDeque<>(2)).add(placed);
    if (!keeps) {
      return () -> {};
    }
    kept += letter.bytes() + SendDesk.COST;
    return letter.done();
  }

  private boolean keeps(long bytes) {
    return bytes <= EAGER_BYTES && kept + bytes + SendDesk.COST <= SendDesk.CREDIT;
  }

  private Runnable match(LocalLetter send, LocalLetter receive) {
    if (send.isKept()) {
      kept -= send.bytes() + SendDesk.COST;
    }
    if (!receive.agreesWith(send)) {
      String sends = "rank " + src + " has " + send.what();
      String gets = "rank " + dst + " has " + receive.what();
      return () -> {
        receive.fail(new CommMismatchException(gets + ", " + sends, Set.of(src)));
        send.fail(new CommMismatchException(sends + ", " + gets, Set.of(dst)));
      };
    }
    try {
      receive.take(send);
    } catch (IllegalStateException e) {
      // The arena of one of them was closed.
      return () -> {
        receive.fail(e);
        send.fail(e);
      };
    }
    Runnable sent = send.done();
    Runnable received = receive.done();
    return () -> {
      sent.run();
      received.run();
    };
  }

  /** Takes a letter back; when this has returned, nobody touches its tensor. */
  void cancel(LocalLetter letter) {
    lock.lock();
    try {
      ArrayDeque<LocalLetter> lane = lanes.get(letter.tag());
      if (lane != null && lane.remove(letter) && lane.isEmpty()) {
        lanes.remove(letter.tag());
      }
    } finally {
      lock.unlock();
    }
  }
}
