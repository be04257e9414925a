package dev.jcomms.jccl.internal.mail;

import dev.jcomms.Collective;
import dev.jcomms.CommException;

/** A rank of the same JVM. Any thread. */
final class LocalCorrespondent implements Correspondent {
  private final int rank;
  private final int peer;
  private final LocalExchange exchange;
  private final Handover to;
  private final Handover from;

  LocalCorrespondent(int rank, int peer, LocalExchange exchange) {
    this.rank = rank;
    this.peer = peer;
    this.exchange = exchange;
    this.to = exchange.between(rank, peer);
    this.from = exchange.between(peer, rank);
  }

  @Override
  public int peer() {
    return peer;
  }

  @Override
  public void post(Job job, Collective.PointToPoint op) {
    boolean sends = op instanceof Collective.Send;
    Handover handover = sends ? to : from;
    LocalLetter letter = new LocalLetter(job, handover, sends, op.tensor(), peer, op.tag());
    job.add(letter);
    handover.post(letter);
  }

  @Override
  public void announce(WindowPart part, long description) {
    exchange.announce(rank, peer, part, description);
  }

  @Override
  public RemotePart remote(int window, WindowBook.Announcement announcement) {
    return new LocalPart(rank, peer, announcement.part());
  }

  @Override
  public CommException left() {
    return exchange.left(peer);
  }
}
