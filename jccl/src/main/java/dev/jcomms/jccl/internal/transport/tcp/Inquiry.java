package dev.jcomms.jccl.internal.transport.tcp;

import dev.jcomms.jccl.internal.transport.Deadline;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;

/**
 * Where the peers are that an operation waits for: asks them after a while, hears what they say,
 * and knows who is missing. Of the thread that performs the operation.
 */
final class Inquiry implements Deadline.Progress {
  /** Questions at a time: if everybody is missing, a few answers will do. */
  private static final int MOST_ASKED = 4;

  /** So long before the deadline everybody is asked, for the error to name who is missing. */
  private static final long LAST_ROUND_NANOS = Duration.ofMillis(400).toNanos();

  private static final int MOST_ASKED_LAST = 64;

  private final Switchboard switchboard;
  private final int group;
  private final Line[] lines;
  private final List<Line> busy;
  private final LongSupplier moved;
  private final Runnable wakeUp;
  private final BiConsumer<Line, Notice> compare;
  private final Queue<Answer> answers = new ConcurrentLinkedQueue<>();
  private final Set<Integer> asked = new TreeSet<>();
  private final Set<Integer> come = new TreeSet<>();
  private final Set<Integer> notCome = new TreeSet<>();
  private Notice notice = Notice.NONE;
  private int idleTicks;
  private boolean lastRound;

  /** What a peer said of the operation that this rank asked about. */
  private record Answer(Line line, Notice asked, Notice answer) {}

  /**
   * @param lines null where there is none
   * @param busy those that have something under way
   * @param moved bytes of the operation so far
   * @param wakeUp has this thread hear an answer
   * @param compare throws if a peer is in the same operation with other facts, or has not come to
   *     it because it waits elsewhere
   */
  Inquiry(
      Switchboard switchboard,
      int group,
      Line[] lines,
      List<Line> busy,
      LongSupplier moved,
      Runnable wakeUp,
      BiConsumer<Line, Notice> compare) {
    this.switchboard = switchboard;
    this.group = group;
    this.lines = lines;
    this.busy = busy;
    this.moved = moved;
    this.wakeUp = wakeUp;
    this.compare = compare;
  }

  /** Another operation begins. */
  void begin(Notice next) {
    notice = next;
    asked.clear();
    come.clear();
    notCome.clear();
    lastRound = false;
    rest();
  }

  /** Something moves: no reason to ask. */
  void rest() {
    idleTicks = 0;
  }

  /** Nothing has moved for a while: asks after 1, 2, 4, 8, … times. */
  void tick() {
    if (Integer.bitCount(++idleTicks) == 1) {
      ask(waitedFor().stream().limit(MOST_ASKED).toList());
    }
  }

  /** Asks everybody once, when the time is almost over. */
  void hurry(long leftNanos) {
    if (!lastRound && leftNanos < LAST_ROUND_NANOS) {
      lastRound = true;
      ask(Arrays.stream(lines).filter(Objects::nonNull).limit(MOST_ASKED_LAST).toList());
    }
  }

  private void ask(List<Line> whom) {
    Notice about = notice;
    for (Line line : whom) {
      asked.add(line.peer);
      switchboard.ask(
          line.peer,
          group,
          about,
          answer -> {
            answers.add(new Answer(line, about, answer));
            wakeUp.run();
          });
    }
  }

  /** Takes note of what has been answered. */
  void hear() {
    for (Answer heard; (heard = answers.poll()) != null; ) {
      if (heard.asked == notice) {
        if (heard.answer.sequence() < notice.sequence()) {
          notCome.add(heard.line.peer);
          compare.accept(heard.line, heard.answer);
          continue;
        }
        come.add(heard.line.peer);
        notCome.remove(heard.line.peer);
        if (heard.answer.sequence() == notice.sequence()) {
          compare.accept(heard.line, heard.answer);
        }
      }
    }
  }

  /** Peers that have something to send; if there are none, those that do not take what comes. */
  private List<Line> waitedFor() {
    boolean any = busy.stream().anyMatch(Line::awaitsPeer);
    return busy.stream()
        .filter(line -> line.awaitsPeer() || !any)
        .sorted(Comparator.comparing(line -> line.peer))
        .toList();
  }

  /**
   * Who is waited for: peers that have not come to the operation, in whatever way this rank depends
   * on them; else peers that do not answer; else those it has a message to receive from or, last,
   * to send to.
   */
  @Override
  public Set<Integer> missing() {
    Set<Integer> missing = new TreeSet<>(notCome);
    if (missing.isEmpty()) {
      missing.addAll(asked);
      missing.removeAll(come);
    }
    if (missing.isEmpty()) {
      waitedFor().forEach(line -> missing.add(line.peer));
    }
    return missing;
  }

  @Override
  public String text() {
    StringBuilder text = new StringBuilder(moved.getAsLong() + " bytes moved, waiting for ");
    String separator = "";
    Set<Integer> others = new TreeSet<>(notCome);
    for (Line line : waitedFor()) {
      text.append(separator).append("rank ").append(line.peer);
      text.append(" at ").append(line.endpoint);
      if (others.remove(line.peer)) {
        text.append(", which has not come to it");
      } else if (!line.isConnected()) {
        String trouble = line.trouble(switchboard.connections());
        text.append(trouble.isEmpty() ? ", not connected" : ", not connected: " + trouble);
      }
      separator = "; ";
    }
    for (int peer : others) {
      text.append("; rank ").append(peer).append(" has not come to it");
    }
    return text.toString();
  }
}
