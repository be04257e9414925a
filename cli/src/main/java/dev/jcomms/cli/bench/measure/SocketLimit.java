package dev.jcomms.cli.bench.measure;

import dev.jcomms.Codecs;
import dev.jcomms.Comm;
import dev.jcomms.cli.bench.op.Form;
import dev.jcomms.cli.bench.op.Operation;
import dev.jcomms.cli.bench.op.Place;
import dev.jcomms.cli.bench.op.Traffic;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * The limit of the network: every rank has a plain connection to the next rank and one from the
 * rank before, and passes its {@link Traffic} through them.
 */
final class SocketLimit implements Limit {
  private static final int TOKEN_BYTES = 16;

  /** The ranks have just met, so the one before is about to connect. */
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** So long a caller may take to say who it is. */
  private static final int TOKEN_MILLIS = 1000;

  private final Operation op;
  private final Place place;
  private final Exchange exchange;

  private SocketLimit(Operation op, Place place, Exchange exchange) {
    this.op = op;
    this.place = place;
    this.exchange = exchange;
  }

  /**
   * Connects the ring; collective.
   *
   * @param local an address of this host that the rank before reaches
   */
  static Limit create(Operation op, Place place, long most, Comm comm, InetAddress local) {
    if (place.ranks() == 1) return Limit.none();
    byte[] token = new byte[TOKEN_BYTES];
    new SecureRandom().nextBytes(token);
    try (ServerSocketChannel listener = ServerSocketChannel.open()) {
      listener.bind(new InetSocketAddress(local, 0));
      int port = ((InetSocketAddress) listener.getLocalAddress()).getPort();
      String facts = local.getHostAddress() + " " + port + " " + HexFormat.of().formatHex(token);
      List<String> all = comm.allGatherObject(facts, Codecs.STRING);
      // A backend that moves nothing, such as fake, tells nobody's address.
      if (all.stream().anyMatch(one -> one.split(" ").length != 3)) return Limit.none();
      String[] next = all.get(place.next()).split(" ");
      InetSocketAddress address = new InetSocketAddress(next[0], Integer.parseInt(next[1]));
      SocketChannel out = SocketChannel.open();
      try {
        out.socket().connect(address, (int) PATIENCE.toMillis());
        out.setOption(StandardSocketOptions.TCP_NODELAY, true);
        Exchange.write(out, HexFormat.of().parseHex(next[2]));
        SocketChannel in = accept(listener, token, PATIENCE);
        Traffic traffic = op.traffic(place, most);
        return new SocketLimit(op, place, new Exchange(out, in, traffic));
      } catch (IOException e) {
        out.close();
        throw e;
      }
    } catch (IOException e) {
      throw new UncheckedIOException("no plain connection between ranks", e);
    }
  }

  /**
   * The rank before knows what was told to the ranks alone; who does not is nobody's peer.
   *
   * @throws SocketTimeoutException if it does not come in time
   */
  static SocketChannel accept(ServerSocketChannel listener, byte[] token, Duration patience)
      throws IOException {
    long deadline = System.nanoTime() + patience.toNanos();
    while (true) {
      long left = (deadline - System.nanoTime()) / 1_000_000;
      if (left <= 0) throw new SocketTimeoutException("the rank before did not connect in time");
      listener.socket().setSoTimeout((int) left);
      SocketChannel channel = listener.socket().accept().getChannel();
      if (knows(channel, token, Math.min(left, TOKEN_MILLIS))) return channel;
      channel.close();
    }
  }

  private static boolean knows(SocketChannel channel, byte[] token, long millis) {
    try {
      channel.socket().setSoTimeout((int) millis);
      return Arrays.equals(channel.socket().getInputStream().readNBytes(TOKEN_BYTES), token);
    } catch (IOException e) {
      return false; // too slow, or gone
    }
  }

  @Override
  public Optional<Batch> of(long bytes, Form form) {
    Traffic traffic = op.traffic(place, bytes);
    return Optional.of(iterations -> exchange.run(traffic, iterations));
  }

  @Override
  public void close() {
    exchange.close();
  }
}
