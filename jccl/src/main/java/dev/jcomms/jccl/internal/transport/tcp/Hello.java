package dev.jcomms.jccl.internal.transport.tcp;

import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * The first frame of a connection: who calls whom, and what for. Not believed before it is proved.
 *
 * @param group the engine a line belongs to; 0 for mail
 * @param near whether both are on one machine, as far as the caller could see, and run at a time
 * @param notice the operation a question is about
 */
record Hello(
    Purpose purpose, int group, int from, int to, boolean near, Notice notice, byte[] nonce) {
  static final int BYTES =
      Long.BYTES + 7 * Integer.BYTES + Pass.ID_BYTES + Notice.BYTES + Pass.NONCE_BYTES;
  private static final long MAGIC = 0x4a_43_43_4c_54_43_50_0aL; // "JCCLTCP\n"
  private static final int VERSION = 2;

  static Hello of(Plug plug, int from, boolean near, Notice notice) {
    return new Hello(plug.purpose(), plug.group(), from, plug.peer(), near, notice, Pass.nonce());
  }

  byte[] encode(Pass pass) {
    ByteBuffer frame = ByteBuffer.allocate(BYTES);
    frame.putLong(MAGIC).putInt(VERSION).put(pass.id()).putInt(pass.generation());
    frame.putInt(purpose.ordinal()).putInt(group).putInt(from).putInt(to).putInt(near ? 1 : 0);
    notice.put(frame);
    return frame.put(nonce).array();
  }

  /**
   * The hello of a frame.
   *
   * @throws ProtocolException if it is none, or one of another communicator
   */
  static Hello decode(byte[] bytes, Pass pass) throws ProtocolException {
    ByteBuffer frame = ByteBuffer.wrap(bytes);
    require(frame.getLong() == MAGIC, "no rank of JComms");
    require(frame.getInt() == VERSION, "another version");
    byte[] id = new byte[Pass.ID_BYTES];
    frame.get(id);
    boolean ours = Arrays.equals(id, pass.id()) && frame.getInt() == pass.generation();
    require(ours, "a rank of another communicator");
    Purpose purpose = Purpose.of(frame.getInt());
    require(purpose != null, "unknown purpose");
    int group = frame.getInt();
    int from = frame.getInt();
    int to = frame.getInt();
    boolean near = frame.getInt() == 1;
    Notice notice = Notice.get(frame);
    byte[] nonce = new byte[Pass.NONCE_BYTES];
    frame.get(nonce);
    return new Hello(purpose, group, from, to, near, notice, nonce);
  }

  private static void require(boolean condition, String otherwise) throws ProtocolException {
    if (!condition) {
      throw new ProtocolException("the caller is " + otherwise);
    }
  }

  /** The connection it asks for, as the rank that is called names it. */
  Plug plug() {
    return new Plug(purpose, group, from);
  }
}
