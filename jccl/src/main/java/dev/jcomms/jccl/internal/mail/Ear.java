package dev.jcomms.jccl.internal.mail;

import dev.jcomms.CommException;
import dev.jcomms.PeerLostException;

/** Who is told what comes from a peer and is about more than a letter. Outside the guard. */
interface Ear {
  /** A peer tells of a failure. */
  void told(CommException failure);

  /** A peer takes part no more; what needs it fails. */
  void left(int peer, CommException reason);

  /** A peer is lost. */
  void lost(PeerLostException loss);
}
