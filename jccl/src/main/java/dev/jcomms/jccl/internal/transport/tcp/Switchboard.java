package dev.jcomms.jccl.internal.transport.tcp;

import dev.jcomms.CommException;
import dev.jcomms.jccl.internal.transport.Aside;
import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.function.Supplier;

/**
 * Makes all connections of one rank, those it dials and those it is dialled for, on a thread of its
 * own that sleeps when there is nothing to do. Any thread may call the other methods.
 *
 * <p>For mail and lines the higher rank of a pair dials, and keeps trying until it gets through.
 * Who calls is a stranger until the {@link Handshake} is over: there are only so many strangers at
 * a time (one that has not named the communicator makes room, the one that has dawdled longest),
 * each has only so long for each frame, and none is worth more than its connection.
 */
final class Switchboard implements AutoCloseable {
  static final int MOST_STRANGERS = 64;

  /** So many are let in before those who were let in are heard again. */
  private static final int AT_A_TIME = 16;

  /**
   * What may be on its way to a peer on this machine; the system doubles it and counts its own
   * blocks. Such bytes lie in this machine's memory: a few are still in a cache when they are read,
   * and there is no way whose length more could make up for. Where ranks take turns on the cores,
   * though, each turn is to go far.
   */
  static final int NEAR_BYTES = 128 << 10;

  /** Connecting and three frames, each with a time of its own. */
  private static final Duration QUESTION_TIME = Handshake.FRAME_TIME.multipliedBy(4);

  private static final long BREATH_NANOS = Duration.ofMillis(100).toNanos();

  private final int rank;
  private final Pass pass;
  private final Map<Integer, Endpoint> peers;
  private final ServerSocketChannel listener;
  private final Aside aside;
  private final boolean coresAreFree;
  private final Selector selector;
  private final SelectionKey listening;
  private final Thread thread;
  private final Connections connections = new Connections();
  private final Porter porter;
  private final Queue<Call> newCalls = new ConcurrentLinkedQueue<>();
  private volatile IntFunction<CommException> left = _ -> null;
  private volatile Supplier<CommException> givenUp = () -> null;
  private volatile boolean closed;

  // The thread's own.
  private final ArrayDeque<Callee> strangers = new ArrayDeque<>();
  private final List<Call> calls = new ArrayList<>();
  private long listenAgainNanos;

  /**
   * Starts answering.
   *
   * @param listener bound; the switchboard closes it
   * @param peers where the other ranks are
   * @param aside where this rank is when it is not at operations
   * @param coresAreFree whether ranks of this host need not take turns on its cores
   */
  Switchboard(
      String name,
      int rank,
      Pass pass,
      ServerSocketChannel listener,
      Map<Integer, Endpoint> peers,
      Aside aside,
      boolean coresAreFree)
      throws IOException {
    this.rank = rank;
    this.pass = pass;
    this.peers = Map.copyOf(peers);
    this.listener = listener;
    this.aside = aside;
    this.coresAreFree = coresAreFree;
    this.porter = new Porter(rank, this.peers.keySet(), connections, aside);
    this.selector = Selector.open();
    listener.configureBlocking(false);
    this.listening = listener.register(selector, SelectionKey.OP_ACCEPT);
    this.thread = Thread.ofPlatform().daemon().name(name).start(this::run);
  }

  /** Answers questions about a group's operations. */
  void publish(int group, Logbook logbook) {
    porter.publish(group, logbook);
  }

  /** Dials, if that is this rank's part; else the peer will. Once for each connection. */
  void connect(Plug plug) {
    if (rank > plug.peer()) {
      call(Call.to(plug));
    }
  }

  /** Asks a peer what it knows of an operation; no answer if it cannot be reached. */
  void ask(int peer, int group, Notice notice, Consumer<Notice> answer) {
    ask(peer, group, notice, QUESTION_TIME, answer);
  }

  /** Asks a peer, and hangs up if it has not answered in time. */
  void ask(int peer, int group, Notice notice, Duration time, Consumer<Notice> answer) {
    call(Call.about(notice, peer, group, time, answer));
  }

  private void call(Call call) {
    newCalls.add(call);
    selector.wakeup();
  }

  /** What has been made. */
  Connections connections() {
    return connections;
  }

  /** Where this rank is when it is not at operations. */
  Aside aside() {
    return aside;
  }

  /** Tells of ranks that take part no more, and why; and of any that has given up. */
  void excuse(IntFunction<CommException> left, Supplier<CommException> givenUp) {
    this.left = left;
    this.givenUp = givenUp;
  }

  /** Why a rank has given up waiting for another; null if none has. */
  CommException givenUp() {
    return givenUp.get();
  }

  /** Why a rank takes part no more; null while it does. */
  CommException left(int peer) {
    return left.apply(peer);
  }

  @Override
  public void close() {
    closed = true;
    selector.wakeup();
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true; // it ends at once, whoever waits
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void run() {
    try {
      while (!closed) {
        dialDue();
        selector.select(restMillis());
        // A copy: a delivery selects again. What that finds is still ready the next time.
        List<SelectionKey> ready = List.copyOf(selector.selectedKeys());
        selector.selectedKeys().clear();
        for (SelectionKey key : ready) {
          if (key == listening) {
            accept();
          } else if (key.isValid()) {
            advance(key);
          }
        }
        dropLate();
      }
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e); // a selector that fails: out of memory, or a bug
    } finally {
      hangUp();
    }
  }

  private void accept() {
    try {
      SocketChannel channel;
      for (int i = 0; i < AT_A_TIME && (channel = listener.accept()) != null; i++) {
        greet(channel);
      }
    } catch (IOException e) {
      // No more descriptors. Who waits in the backlog is served when some are free again.
      listening.interestOps(0);
      listenAgainNanos = System.nanoTime() + BREATH_NANOS;
    }
  }

  /** Hears at once what a caller has said while it waited: a rank has, most strangers have not. */
  private void greet(SocketChannel channel) {
    Callee stranger = new Callee(channel, pass, porter);
    try {
      SelectionKey key = register(channel, stranger);
      strangers.add(stranger);
      advance(stranger, key);
    } catch (IOException e) {
      close(channel);
    }
    if (strangers.size() > MOST_STRANGERS) {
      drop(leastPromising());
    }
  }

  /**
   * Who has waited longest of those who have not named this communicator; of all, if all have. Only
   * who has seen a rank call can name it.
   */
  private Callee leastPromising() {
    for (Callee stranger : strangers) {
      if (stranger.hello() == null) {
        strangers.remove(stranger);
        return stranger;
      }
    }
    return strangers.pollFirst();
  }

  private void dialDue() {
    for (Call call; (call = newCalls.poll()) != null; ) {
      calls.add(call);
    }
    long now = System.nanoTime();
    if (listening.interestOps() == 0 && now - listenAgainNanos >= 0) {
      listening.interestOps(SelectionKey.OP_ACCEPT);
    }
    for (Call call : List.copyOf(calls)) {
      if (call.handshake == null && now - call.dueNanos() >= 0) {
        dial(call);
      }
    }
  }

  private void dial(Call call) {
    SocketChannel channel = null;
    try {
      channel = SocketChannel.open();
      channel.configureBlocking(false);
      // Within one machine, unless something slows it down, that is done before the call returns.
      boolean made =
          channel.connect(peers.get(call.plug.peer()).socket()) || channel.finishConnect();
      call.near = made && coresAreFree;
      Hello hello = Hello.of(call.plug, rank, call.near, call.notice);
      call.handshake = new Caller(channel, pass, hello);
      SelectionKey key = register(channel, call);
      // It goes on after the next select: the one of a delivery here would take what is to wake it.
      key.interestOps(made ? call.handshake.interest() : SelectionKey.OP_CONNECT);
    } catch (IOException e) {
      failed(call, channel, e);
    }
  }

  private SelectionKey register(SocketChannel channel, Object attachment) throws IOException {
    channel.configureBlocking(false);
    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    return channel.register(selector, SelectionKey.OP_READ, attachment);
  }

  private void advance(SelectionKey key) {
    switch (key.attachment()) {
      case Callee stranger -> advance(stranger, key);
      case Call call -> advance(call, key);
      default -> throw new AssertionError(key.attachment());
    }
  }

  private void advance(Callee stranger, SelectionKey key) {
    try {
      if (!stranger.advance()) {
        key.interestOps(stranger.interest());
        return;
      }
      strangers.remove(stranger);
      if (stranger.admitted() && stranger.hello().purpose() != Purpose.QUESTION) {
        deliver(stranger.hello().plug(), key, stranger.hello().near());
      } else {
        close(stranger.channel());
      }
    } catch (IOException e) {
      strangers.remove(stranger);
      close(stranger.channel());
    }
  }

  private void advance(Call call, SelectionKey key) {
    Caller handshake = call.handshake;
    try {
      if (key.isConnectable()) {
        handshake.channel().finishConnect();
      }
      if (!handshake.advance()) {
        key.interestOps(handshake.interest());
        return;
      }
      calls.remove(call);
      if (call.isQuestion()) {
        close(handshake.channel());
        call.question.accept(handshake.answer());
      } else {
        deliver(call.plug, key, call.near);
      }
    } catch (IOException e) {
      failed(call, handshake.channel(), e);
    }
  }

  private void failed(Call call, SocketChannel channel, IOException e) {
    close(channel);
    if (call.isQuestion()) {
      calls.remove(call);
      return;
    }
    connections.failed(call.plug, e);
    call.rest();
  }

  /** Lets go of a connection, so that whoever takes it is its only owner. */
  private void deliver(Plug plug, SelectionKey key, boolean near) throws IOException {
    SocketChannel channel = (SocketChannel) key.channel();
    if (near) {
      channel.setOption(StandardSocketOptions.SO_SNDBUF, NEAR_BYTES);
    }
    key.cancel();
    selector.selectNow();
    close(connections.add(plug, channel));
    connections.announce();
  }

  private void dropLate() {
    long now = System.nanoTime();
    for (Callee stranger : List.copyOf(strangers)) {
      if (now - stranger.deadlineNanos() >= 0) {
        strangers.remove(stranger);
        drop(stranger);
      }
    }
    for (Call call : List.copyOf(calls)) {
      if (call.handshake != null && now - call.dueNanos() >= 0) {
        failed(call, call.handshake.channel(), new IOException("no answer"));
      }
    }
  }

  private void drop(Callee stranger) {
    close(stranger.channel());
  }

  /** Until something is due; 0, which is for ever, if nothing is. */
  private long restMillis() {
    long now = System.nanoTime();
    long rest = Long.MAX_VALUE;
    if (listening.interestOps() == 0) {
      rest = listenAgainNanos - now;
    }
    for (Callee stranger : strangers) {
      rest = Math.min(rest, stranger.deadlineNanos() - now);
    }
    for (Call call : calls) {
      rest = Math.min(rest, call.dueNanos() - now);
    }
    return rest == Long.MAX_VALUE ? 0 : Math.max(1, rest / 1_000_000 + 1);
  }

  private void hangUp() {
    for (SelectionKey key : selector.keys()) {
      close(key.channel());
    }
    connections.takeAll().forEach(Switchboard::close);
    close(selector);
  }

  private static void close(AutoCloseable resource) {
    try {
      if (resource != null) {
        resource.close();
      }
    } catch (Exception e) {
      // It is of no use any more, in whatever state.
    }
  }
}
