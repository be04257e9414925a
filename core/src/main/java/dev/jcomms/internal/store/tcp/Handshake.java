package dev.jcomms.internal.store.tcp;

import dev.jcomms.store.StoreException;
import dev.jcomms.store.StoreSecret;
import java.io.IOException;

/** How a client begins a connection: the magic number, then the secret or a ping. */
final class Handshake {
  private Handshake() {}

  /** As PyTorch's clients do: the server shows by its echo that it speaks the protocol. */
  static void plain(ClientConnection connection) throws IOException {
    int nonce = (int) ProcessHandle.current().pid();
    connection.put(Opcode.VALIDATE).put32(Protocol.MAGIC);
    connection.put(Opcode.PING).put32(nonce).flush();
    int echo = connection.get32();
    if (echo != nonce) throw new IOException("ping " + nonce + " came back as " + echo);
  }

  /**
   * Proves the secret and has the server prove it; false if the server says that it has none.
   *
   * @throws StoreException if the server's proof is wrong
   */
  static boolean secret(ClientConnection connection, StoreSecret secret) throws IOException {
    byte[] clientNonce = Proof.nonce();
    connection.put(Opcode.VALIDATE).put32(Protocol.MAGIC);
    connection.put(Opcode.HELLO).putRaw(clientNonce).flush();
    if (connection.get8() != Protocol.SECRET) return false;
    byte[] serverNonce = connection.getRaw(Proof.NONCE_BYTES);
    connection.put(Opcode.PROOF).putRaw(Proof.ofClient(secret, clientNonce, serverNonce)).flush();
    byte[] proof = connection.getRaw(Proof.PROOF_BYTES);
    if (!Proof.matches(Proof.ofServer(secret, clientNonce, serverNonce), proof)) {
      throw new StoreException(connection.remote() + ": the server's proof of the secret is wrong");
    }
    return true;
  }
}
