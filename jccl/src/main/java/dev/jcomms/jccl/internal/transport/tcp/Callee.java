package dev.jcomms.jccl.internal.transport.tcp;

import java.net.ProtocolException;
import java.nio.channels.SocketChannel;

/** The side of a handshake that was dialled. */
final class Callee extends Handshake {
  static final String ROLE = "called";

  /** Who may come in. */
  interface Door {
    /** Refuses what is not for this rank, or not from one that may call it for this. */
    void check(Hello hello) throws ProtocolException;

    /** Whether there is room for this connection; the caller has proved who it is. */
    boolean admit(Hello hello);

    /** What this rank knows about the operation that the caller asks about. */
    Notice answer(Hello hello);
  }

  private final Pass pass;
  private final Door door;
  private byte[] nonce;
  private byte[] helloFrame;
  private Hello hello;
  private boolean admitted;

  Callee(SocketChannel channel, Pass pass, Door door) {
    super(channel);
    this.pass = pass;
    this.door = door;
    next(new byte[0], Hello.BYTES);
  }

  @Override
  void received(byte[] frame) throws ProtocolException {
    if (hello == null) {
      helloFrame = frame;
      hello = Hello.decode(frame, pass);
      door.check(hello);
      nonce = Pass.nonce();
      next(nonce, Pass.PROOF_BYTES);
      return;
    }
    if (!Pass.matches(pass.proof(Caller.ROLE, helloFrame, nonce), frame)) {
      throw new ProtocolException("the caller does not know the communicator's secret");
    }
    admitted = door.admit(hello);
    byte[] unproved = Welcome.unproved(admitted, door.answer(hello));
    next(join(unproved, pass.proof(ROLE, helloFrame, nonce, unproved)), LAST);
  }

  /** Null before it came; to be believed once the handshake is over. */
  Hello hello() {
    return hello;
  }

  /** Whether the connection is to be used, once the handshake is over. */
  boolean admitted() {
    return admitted;
  }
}
