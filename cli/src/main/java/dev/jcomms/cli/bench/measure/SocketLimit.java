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
import java.net.StandardSocketOptions;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * The limit of the network: every rank has a plain connection to the next rank and one from the
 * rank before, and passes its {@link Traffic} through them.
 */
final class SocketLimit implements Limit {
  private static final int TOKEN_BYTES = 16;

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
      SocketChannel out =
          SocketChannel.open(new InetSocketAddress(next[0], Integer.parseInt(next[1])));
      out.setOption(StandardSocketOptions.TCP_NODELAY, true);
      Exchange.write(out, HexFormat.of().parseHex(next[2]));
      SocketChannel in = accept(listener, token);
      Traffic traffic = op.traffic(place, most);
      return new SocketLimit(op, place, new Exchange(out, in, traffic));
    } catch (IOException e) {
      throw new UncheckedIOException("no plain connection between ranks", e);
    }
  }

  /** The rank before knows what was told to the ranks alone; who does not is nobody's peer. */
  private static SocketChannel accept(ServerSocketChannel listener, byte[] token)
      throws IOException {
    while (true) {
      SocketChannel channel = listener.accept();
      if (java.util.Arrays.equals(Exchange.read(channel, TOKEN_BYTES), token)) return channel;
      channel.close();
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
