package dev.jcomms.jccl.internal.mail;

import dev.jcomms.Collective;
import dev.jcomms.CommException;
import dev.jcomms.PeerLostException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.util.Set;

/**
 * A rank at the other end of a pipe. Under the guard, but for {@link #post}, {@link #left} and
 * {@link #lost}.
 *
 * <p>It takes part until it says goodbye, gives up, is lost, or sends nonsense.
 */
final class PipedCorrespondent implements Correspondent, Inbox.Clerk {
  private final int rank;
  private final int peer;
  private final Pipe pipe;
  private final Guard guard;
  private final Ear ear;
  private final Outbox outbox;
  private final Inbox inbox;
  private final SendDesk sends;
  private final ReceiveDesk receives;
  private final WindowRequests requests;
  private final WindowService service;
  private volatile CommException left;
  private volatile PeerLostException lost;

  /** The failure that it has told of; null before. */
  private CommException trouble;

  private boolean over;
  private boolean goodbyeSeen;
  private boolean flushed = true;
  private boolean heard;
  private boolean spoke;
  private Runnable stuck = () -> {};
  private Runnable parted;

  /**
   * @param arena for buffers; closed after the correspondent
   */
  PipedCorrespondent(
      int rank, int peer, Pipe pipe, Guard guard, Ear ear, WindowBook book, Arena arena) {
    this.rank = rank;
    this.peer = peer;
    this.pipe = pipe;
    this.guard = guard;
    this.ear = ear;
    this.outbox = new Outbox(arena);
    this.inbox = new Inbox(this, arena);
    this.sends = new SendDesk(rank, peer, guard, outbox, pipe);
    this.receives = new ReceiveDesk(rank, peer, guard, outbox);
    int chunk = pipe.chunkBytes();
    this.requests = new WindowRequests(peer, guard, outbox, this::push, chunk);
    this.service = new WindowService(peer, guard, outbox, book, arena, chunk);
  }

  @Override
  public int peer() {
    return peer;
  }

  @Override
  public CommException left() {
    return left;
  }

  /** That it is lost, if it has ended without telling why; null otherwise. */
  PeerLostException lost() {
    return lost;
  }

  @Override
  public void post(Job job, Collective.PointToPoint op) {
    guard.enter();
    try {
      switch (op) {
        case Collective.Send send -> {
          Outgoing letter = new Outgoing(job, sends, send.tensor(), peer, send.tag());
          job.add(letter);
          sends.send(letter);
        }
        case Collective.Recv recv -> {
          Incoming letter = new Incoming(job, receives, recv.tensor(), peer, recv.tag());
          job.add(letter);
          receives.receive(letter);
        }
      }
      push();
    } finally {
      guard.leave();
    }
  }

  @Override
  public void announce(WindowPart part, long description) {
    requests.announce(part, description);
  }

  @Override
  public RemotePart remote(int window, WindowBook.Announcement announcement) {
    return new PipedPart(window, requests);
  }

  /** Lets go of the memory of this rank's part of a window. */
  void release(WindowPart part) {
    outbox.detach(part);
  }

  /** What is done when something is to be written that the pipe has no room for: quickly. */
  void whenStuck(Runnable stuck) {
    this.stuck = stuck;
  }

  /** Whether anything came since this was last asked. */
  boolean heard() {
    boolean came = heard;
    heard = false;
    return came;
  }

  /** Says that this rank is alive, unless something was written since this was last called. */
  void beat() {
    boolean silent = !spoke;
    spoke = false;
    if (silent && !wantsToWrite() && !goodbyeSeen) {
      outbox.news(new Note(new Header().of(Kind.BEAT)));
      push();
    }
  }

  /**
   * Reads what is there and writes what there is room for.
   *
   * @return whether anything has moved
   */
  boolean progress() {
    if (over) {
      return false;
    }
    try {
      long read = inbox.read(pipe);
      if (read == Pipe.END) {
        end();
        return true;
      }
      heard |= read > 0;
      return push() | read > 0;
    } catch (BadFrameException e) {
      lose("it sent a bad frame: " + e.getMessage());
    } catch (IOException e) {
      lose(String.valueOf(e.getMessage()));
    } catch (RuntimeException e) {
      lose("what it sent could not be handled: " + e);
    }
    return true;
  }

  /** Writes what there is room for. */
  private boolean push() {
    if (over) {
      return false;
    }
    try {
      boolean moved = outbox.pump(pipe);
      flushed = pipe.flush();
      spoke |= moved;
      if (!flushed || !outbox.isEmpty()) {
        stuck.run();
      }
      return moved;
    } catch (IOException e) {
      hearOut(e);
    } catch (RuntimeException e) {
      lose("mail for it could not be written: " + e);
    }
    return true;
  }

  /** Nothing can be written any more; what the peer has said before may tell why. */
  private void hearOut(IOException broken) {
    try {
      while (!over) {
        long read = inbox.read(pipe);
        if (read == Pipe.END) {
          end();
        } else if (read == 0) {
          throw broken;
        }
      }
    } catch (BadFrameException | IOException e) {
      lose(String.valueOf(broken.getMessage()));
    }
  }

  /** Whether something is still to be written. */
  boolean wantsToWrite() {
    return !over && !(outbox.isEmpty() && flushed);
  }

  private void end() {
    if (!goodbyeSeen && pipe.endMeansLost()) {
      lose("its connection has ended");
    } else {
      leaveFor(closed());
      close();
    }
  }

  private PeerLostException closed() {
    return new PeerLostException(Set.of(peer), "rank " + peer + " has closed the communicator");
  }

  /** Why it takes part no more: the failure that it has told of, or else that it does not. */
  private CommException because(PeerLostException end) {
    return trouble == null ? end : trouble;
  }

  /** Gives the peer up, and tells it why if it can still hear: it may only have been stopped. */
  void lose(String how) {
    if (over) {
      return;
    }
    if (goodbyeSeen) {
      close();
      return;
    }
    PeerLostException loss =
        new PeerLostException(Set.of(peer), "rank " + peer + " is lost: " + how);
    try {
      outbox.news(News.of(loss));
      outbox.pump(pipe);
      pipe.flush();
    } catch (IOException | RuntimeException e) {
      // Then not.
    }
    close();
    if (trouble == null) {
      lost = loss;
      guard.last(() -> ear.lost(loss));
    }
    leaveOnceSettled(because(loss));
  }

  /** What needs it fails with what is found out about the failure, and not before. */
  private void leaveOnceSettled(CommException reason) {
    guard.last(
        () ->
            ear.settled(
                () -> {
                  guard.enter();
                  try {
                    leave(reason);
                  } finally {
                    guard.leave();
                  }
                }));
  }

  private void leaveFor(PeerLostException end) {
    if (trouble == null) {
      leave(end);
    } else {
      leaveOnceSettled(trouble);
    }
  }

  private void leave(CommException reason) {
    if (left == null) {
      left = reason;
      sends.leave(reason);
      receives.leave(reason);
      requests.leave(reason);
      guard.last(() -> ear.left(peer, reason));
    }
  }

  private void told(Told news) {
    CommException failure = news.failure(rank, peer);
    if (news.kind() == Kind.GAVE_UP) {
      leave(failure);
    } else {
      boolean known = trouble != null && !news.isFirst();
      trouble = trouble == null ? failure : trouble;
      CommException elsewhere = elsewhere(news, failure);
      if (news.isFirst() && failure instanceof PeerLostException loss) {
        guard.afterwards(() -> ear.claimed(peer, loss, elsewhere));
      } else if (!known) {
        guard.afterwards(() -> ear.told(failure, elsewhere));
      }
    }
  }

  /** As others report it. That this rank is lost it would not say itself: its peer has given up. */
  private CommException elsewhere(Told news, CommException failure) {
    boolean givenUp = news.kind() == Kind.LOST && failure.missingRanks().contains(peer);
    return givenUp ? failure : news.failure(News.ANYBODY, peer);
  }

  /** Tells the peer of a failure. */
  void tell(CommException failure) {
    if (!over) {
      outbox.news(News.of(failure));
      push();
    }
  }

  /**
   * Tells the peer that this rank closes the communicator.
   *
   * @param reason the failure that it does so after: the peer may not have heard of it from who has
   *     found it; null for none
   * @param parted what is done when it has seen that, or is gone: outside the guard
   */
  void sayGoodbye(CommException reason, Runnable parted) {
    this.parted = parted;
    if (over) {
      part();
    } else {
      if (reason != null) {
        outbox.news(News.again(reason));
      }
      outbox.news(new Note(new Header().of(Kind.BYE)));
      push();
    }
  }

  private void part() {
    if (parted != null) {
      guard.afterwards(parted);
      parted = null;
    }
  }

  /** Whether nothing more is to be written or read. */
  boolean isOver() {
    return over;
  }

  /** Lets go of the pipe. */
  void close() {
    if (!over) {
      over = true;
      pipe.close();
      part();
    }
  }

  @Override
  public Sink frame(Header header) {
    switch (header.kind) {
      case OFFER -> {
        return receives.offer(header);
      }
      case TAKE -> sends.take(header);
      case DATA -> {
        return receives.data(header);
      }
      case REFUSE -> sends.refuse(header);
      case CREDIT -> sends.credit(header);
      case REGISTER -> service.register(header);
      case PUT -> {
        return service.put(header);
      }
      case ACCUMULATE -> {
        return service.accumulate(header);
      }
      case GET -> service.get(header);
      case GOT, FLUSHED -> {
        return requests.answer(header);
      }
      case SIGNAL -> service.signal(header);
      case FLUSH -> service.flush(header);
      case FENCE -> service.fence(header);
      case DEREGISTER -> service.end(header);
      case LOST, MISMATCH, ABORTED, GAVE_UP -> {
        News.check(header);
        return new Told(header, this::told);
      }
      case BEAT -> header.requirePayload(0);
      case BYE -> {
        header.requirePayload(0);
        goodbyeSeen = true;
        leaveFor(closed());
        outbox.news(new Note(new Header().of(Kind.SEEN)));
      }
      case SEEN -> {
        header.requirePayload(0);
        part();
      }
    }
    return null;
  }
}
