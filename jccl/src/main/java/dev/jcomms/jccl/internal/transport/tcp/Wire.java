package dev.jcomms.jccl.internal.transport.tcp;

import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;

/** One connection of a {@link Line}, made when it is first needed. */
final class Wire {
  final Plug plug;
  private final Line line;
  private boolean asked;
  private SelectionKey key;

  /** Null until it is connected. */
  volatile SocketChannel channel;

  Wire(Plug plug, Line line) {
    this.plug = plug;
    this.line = line;
  }

  boolean isConnected() {
    return channel != null;
  }

  boolean isMade(Connections connections) {
    return isConnected() || connections.isThere(plug);
  }

  /** Has it made; only the first call does anything. */
  void open(Switchboard switchboard) {
    if (!asked) {
      asked = true;
      switchboard.connect(plug);
    }
  }

  /** Takes the connection, if it has been made. */
  void connect(Connections connections, Selector selector) throws IOException {
    if (channel == null) {
      SocketChannel made = connections.take(plug);
      if (made != null) {
        try {
          key = made.register(selector, 0, line);
        } catch (RuntimeException e) {
          made.close(); // the selector was closed meanwhile, and nobody else knows of it
          throw e;
        }
        channel = made;
      }
    }
  }

  /** What the selector looks for. */
  int watched() {
    return key.interestOps();
  }

  void watch(int ops) {
    if (key.interestOps() != ops) {
      key.interestOps(ops);
    }
  }

  boolean isOf(SelectionKey other) {
    return key == other;
  }

  /** Any thread. */
  void close() throws IOException {
    SocketChannel open = channel;
    if (open != null) {
      open.close();
    }
  }
}
