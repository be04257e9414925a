package dev.jcomms.jccl.internal.transport.tcp;

import dev.jcomms.jccl.internal.transport.Aside;
import java.net.ProtocolException;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Knows who may call a rank, and what to tell those who ask where it is. Any thread. */
final class Porter implements Callee.Door {
  private final int rank;
  private final Set<Integer> peers;
  private final Connections connections;
  private final Aside aside;
  private final Map<Integer, Logbook> logbooks = new ConcurrentHashMap<>();

  Porter(int rank, Set<Integer> peers, Connections connections, Aside aside) {
    this.rank = rank;
    this.peers = peers;
    this.connections = connections;
    this.aside = aside;
  }

  /** Answers questions about a group's operations. */
  void publish(int group, Logbook logbook) {
    logbooks.put(group, logbook);
  }

  @Override
  public void check(Hello hello) throws ProtocolException {
    boolean mayCall = hello.purpose() == Purpose.QUESTION || hello.from() > rank;
    if (hello.to() != rank || !peers.contains(hello.from()) || !mayCall) {
      throw new ProtocolException(
          "rank " + hello.from() + " does not call rank " + hello.to() + " for that");
    }
  }

  @Override
  public boolean admit(Hello hello) {
    // One that nobody has used is a first attempt whose end the caller never saw.
    return !connections.isTaken(hello.plug());
  }

  @Override
  public Notice answer(Hello hello) {
    if (hello.purpose() != Purpose.QUESTION) {
      return Notice.NONE;
    }
    // In this order: who has come to the operation in between may be aside since then.
    long word = aside.word();
    Logbook logbook = logbooks.get(hello.group());
    Notice found = logbook == null ? Notice.NONE : logbook.find(hello.notice().sequence());
    return found.sequence() < hello.notice().sequence() ? found.aside(word) : found;
  }
}
