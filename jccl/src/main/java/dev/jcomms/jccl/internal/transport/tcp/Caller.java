package dev.jcomms.jccl.internal.transport.tcp;

import java.net.ProtocolException;
import java.nio.channels.SocketChannel;

/** The side of a handshake that dialled. */
final class Caller extends Handshake {
  static final String ROLE = "caller";

  private final Pass pass;
  private final byte[] hello;
  private byte[] nonce;
  private Welcome welcome;

  Caller(SocketChannel channel, Pass pass, Hello hello) {
    super(channel);
    this.pass = pass;
    this.hello = hello.encode(pass);
    next(this.hello, Pass.NONCE_BYTES);
  }

  @Override
  void received(byte[] frame) throws ProtocolException {
    if (nonce == null) {
      nonce = frame;
      next(pass.proof(ROLE, hello, nonce), Welcome.BYTES);
      return;
    }
    welcome = Welcome.decode(frame);
    byte[] unproved = Welcome.unproved(welcome.admitted(), welcome.answer());
    if (!Pass.matches(pass.proof(Callee.ROLE, hello, nonce, unproved), welcome.proof())) {
      throw new ProtocolException("who answers there does not know the communicator's secret");
    }
    if (!welcome.admitted()) {
      throw new ProtocolException("the rank there has this connection already");
    }
  }

  /** What was answered to the notice in the hello. */
  Notice answer() {
    return welcome.answer();
  }
}
