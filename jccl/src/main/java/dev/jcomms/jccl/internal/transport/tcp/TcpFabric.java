package dev.jcomms.jccl.internal.transport.tcp;

import dev.jcomms.BootstrapException;
import dev.jcomms.CommException;
import dev.jcomms.Setting;
import dev.jcomms.jccl.internal.transport.Alarm;
import dev.jcomms.jccl.internal.transport.Aside;
import dev.jcomms.jccl.internal.transport.Bulletin;
import dev.jcomms.jccl.internal.transport.Roster;
import dev.jcomms.jccl.internal.transport.Roster.Transport;
import dev.jcomms.spi.BackendContext;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * One rank's connections to the ranks it reaches by TCP. A communicator opens one; any thread.
 *
 * <p>Each rank listens on a port that the system picked, on the address that {@link LocalAddress}
 * picked, and tells the others through the store; rank 0 also tells the communicator's secret,
 * which every connection has to prove. Mail connections, one for each pair, are made at once, so
 * that the end of a process is seen by all; those for collectives when first needed.
 */
public final class TcpFabric implements AutoCloseable {
  private static final int DEFAULT_LANES = 4;
  private static final int MOST_LANES = 16;

  /** Three ways there and back; who calls again and again has few calls open. */
  private static final Duration CALL_TIME = Duration.ofSeconds(1);

  private final int rank;
  private final Map<Integer, Endpoint> peers;

  /** Those on other hosts: mail goes to them, while lines may lead to neighbours, too. */
  private final Set<Integer> remote;

  private final Alarm alarm;
  private final Switchboard switchboard;
  private final boolean coresAreFree;
  private final int lanes;
  private final Duration heartbeat;
  private final ConcurrentLinkedQueue<Lines> lines = new ConcurrentLinkedQueue<>();

  private TcpFabric(
      int rank,
      Map<Integer, Endpoint> peers,
      Set<Integer> remote,
      Alarm alarm,
      Switchboard switchboard,
      boolean coresAreFree,
      int lanes,
      Duration heartbeat) {
    this.rank = rank;
    this.peers = peers;
    this.remote = remote;
    this.alarm = alarm;
    this.switchboard = switchboard;
    this.coresAreFree = coresAreFree;
    this.lanes = lanes;
    this.heartbeat = heartbeat;
  }

  /** Whether any two ranks of a communicator need it. The same on all ranks. */
  public static boolean isNeeded(Roster roster) {
    return roster.size() > 1 && roster.hosts().size() > 1;
  }

  /**
   * Finds the peers and connects with them. Collective over the communicator.
   *
   * @throws BootstrapException naming the ranks that were not reached in the context's time
   * @throws IllegalArgumentException for a hint that this host cannot follow
   */
  public static TcpFabric open(
      BackendContext context, Roster roster, Bulletin bulletin, Alarm alarm, Aside aside) {
    long deadlineNanos = System.nanoTime() + context.timeout().toNanos();
    InetAddress own = LocalAddress.choose(context, oneHost(roster));
    ServerSocketChannel listener = null;
    try {
      listener = ServerSocketChannel.open();
      listener.bind(new InetSocketAddress(own, 0), 1024);
      int port = ((InetSocketAddress) listener.getLocalAddress()).getPort();
      String endpoint = new Endpoint(own, port).encode();
      String made = roster.rank() == 0 ? Pass.make(generation(context)).secretText() : "-";
      List<String> told =
          bulletin.exchange("tcp", endpoint + "/" + lanes(context, roster) + "/" + made);

      Map<Integer, Endpoint> peers = new TreeMap<>();
      Set<Integer> remote = new TreeSet<>();
      for (int peer = 0; peer < roster.size(); peer++) {
        if (peer != roster.rank()) {
          peers.put(peer, Endpoint.decode(told.get(peer).split("/")[0], own));
          if (roster.to(peer) == Transport.TCP) {
            remote.add(peer);
          }
        }
      }
      Pass pass = Pass.parse(told.getFirst().split("/")[2]);
      int lanes =
          told.stream().mapToInt(line -> Integer.parseInt(line.split("/")[1])).min().getAsInt();
      String name = "jccl-tcp-" + context.comm() + "-" + roster.rank();
      Switchboard switchboard =
          new Switchboard(name, roster.rank(), pass, listener, peers, aside, coresAreFree(roster));
      TcpFabric fabric =
          new TcpFabric(
              roster.rank(),
              peers,
              remote,
              alarm,
              switchboard,
              coresAreFree(roster),
              lanes,
              Setting.HEARTBEAT_SECONDS.secondsIn(context.environment()));
      try {
        fabric.connect(deadlineNanos);
        return fabric;
      } catch (RuntimeException | Error e) {
        fabric.close();
        throw e;
      }
    } catch (IOException e) {
      close(listener);
      throw new BootstrapException(
          "jccl: rank "
              + roster.rank()
              + " cannot listen on "
              + own.getHostAddress()
              + ": "
              + e.getMessage(),
          Set.of(),
          e);
    } catch (RuntimeException | Error e) {
      close(listener);
      throw e;
    }
  }

  private static boolean oneHost(Roster roster) {
    return roster.peers().stream()
        .allMatch(peer -> peer.sameHost(roster.peers().get(roster.rank())));
  }

  /** Whether a rank may use a core for nothing but waiting, for some microseconds. */
  private static boolean coresAreFree(Roster roster) {
    return roster.ranksHere() < Runtime.getRuntime().availableProcessors();
  }

  /** How many threads this rank may keep busy at a time: half of its share of the cores. */
  private static int lanes(BackendContext context, Roster roster) {
    String hint = context.hints().getOrDefault("tcp.lanes", "").strip();
    if (hint.isEmpty()) {
      long share = Runtime.getRuntime().availableProcessors() / (2 * roster.ranksHere());
      return Math.clamp(share, 1, DEFAULT_LANES);
    }
    if (!hint.matches("[1-9][0-9]?") || Integer.parseInt(hint) > MOST_LANES) {
      throw new IllegalArgumentException(
          "hint tcp.lanes=" + hint + " is not a number from 1 to " + MOST_LANES);
    }
    return Integer.parseInt(hint);
  }

  private static int generation(BackendContext context) {
    return Setting.GENERATION.intIn(context.environment(), 0, Integer.MAX_VALUE);
  }

  /** Makes the mail connections. */
  private void connect(long deadlineNanos) {
    Object arrival = new Object();
    Runnable listener =
        () -> {
          synchronized (arrival) {
            arrival.notifyAll();
          }
        };
    switchboard.connections().onArrival(listener);
    remote.forEach(peer -> switchboard.connect(Plug.mail(peer)));
    try {
      synchronized (arrival) {
        for (Set<Integer> missing; !(missing = unconnected()).isEmpty(); ) {
          alarm.check();
          long leftNanos = deadlineNanos - System.nanoTime();
          if (leftNanos <= 0) {
            throw new BootstrapException(
                "jccl: no connection with " + describe(missing), missing, null);
          }
          // In slices, for the alarm.
          arrival.wait(Math.clamp(leftNanos / 1_000_000, 1, 100));
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new BootstrapException("jccl: interrupted while connecting", unconnected(), e);
    } finally {
      switchboard.connections().forget(listener);
    }
  }

  private Set<Integer> unconnected() {
    Set<Integer> missing = new TreeSet<>(remote);
    missing.removeIf(peer -> switchboard.connections().isThere(Plug.mail(peer)));
    return missing;
  }

  private String describe(Set<Integer> missing) {
    StringBuilder text = new StringBuilder();
    for (int peer : missing) {
      String trouble = switchboard.connections().trouble(Plug.mail(peer));
      text.append(text.isEmpty() ? "" : ", ").append("rank ").append(peer);
      text.append(" at ").append(peers.get(peer));
      text.append(trouble.isEmpty() ? "" : " (" + trouble + ")");
    }
    return text.toString();
  }

  /**
   * Tells of ranks that take part no more, and why: who waits for one of them, need not.
   *
   * @param left why a rank takes part no more; null while it does
   * @param givenUp why any rank has given up waiting for another, also on this host; null if none
   *     has
   */
  public void excuse(IntFunction<CommException> left, Supplier<CommException> givenUp) {
    switchboard.excuse(left, givenUp);
  }

  /** Who of all ranks has come to what. Once for each fabric. */
  public RollCall rollCall() {
    return new RollCall(switchboard, peers.keySet());
  }

  /** The ranks that are reached by TCP only. */
  public Set<Integer> peers() {
    return remote;
  }

  /** How many lines between two ranks are worth having for large operations: the same on all. */
  public int lanes() {
    return lanes;
  }

  /** Where a rank listens, for messages: {@code 10.0.0.7:41822}. */
  public String address(int peer) {
    return peers.get(peer).toString();
  }

  /** Whether two ranks listen on the same address: on one machine, whatever they share there. */
  public boolean shareAddress(int one, int other) {
    Endpoint first = peers.get(one);
    Endpoint second = peers.get(other);
    return first != null && second != null && first.address().equals(second.address());
  }

  /**
   * The connection with a peer for everything but collectives: connected, authenticated,
   * non-blocking, and from now on the caller's to close. Once for each peer.
   */
  public SocketChannel mail(int peer) {
    SocketChannel channel = switchboard.connections().take(Plug.mail(peer));
    if (channel == null) {
      throw new IllegalStateException("mail: the connection with rank " + peer + " is taken");
    }
    return channel;
  }

  /**
   * Calls a peer over a new connection, to see whether it is there: one that is stopped is not.
   * Does not wait; a call that takes too long is hung up.
   */
  public void call(Runnable answered, int peer) {
    switchboard.ask(peer, 0, Notice.NONE, CALL_TIME, _ -> answered.run());
  }

  /**
   * Lines among some ranks, for collectives of one engine.
   *
   * @param group a number of its own for each engine, the same on all its ranks
   * @param ranks in the order in which the engine counts them; this one among them
   */
  public Lines lines(int group, List<Integer> ranks) {
    int[] members = ranks.stream().mapToInt(Integer::intValue).toArray();
    int self = ranks.indexOf(rank);
    Endpoint[] endpoints = IntStream.of(members).mapToObj(peers::get).toArray(Endpoint[]::new);
    for (int i = 0; i < members.length; i++) {
      if (self < 0 || i != self && endpoints[i] == null) {
        throw new IllegalArgumentException(
            "lines: rank " + rank + " has no TCP connection with all of " + ranks);
      }
    }
    Lines made =
        new Lines(switchboard, alarm, group, members, self, endpoints, coresAreFree, heartbeat);
    lines.add(made);
    return made;
  }

  /** Closes everything that was not handed over as mail, and ends the fabric's thread. */
  @Override
  public void close() {
    try {
      lines.forEach(Lines::close);
    } finally {
      switchboard.close();
    }
  }

  private static void close(ServerSocketChannel listener) {
    try {
      if (listener != null) {
        listener.close();
      }
    } catch (IOException e) {
      // It was never used.
    }
  }
}
