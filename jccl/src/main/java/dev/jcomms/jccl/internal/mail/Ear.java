package dev.jcomms.jccl.internal.mail;

import dev.jcomms.CommException;
import dev.jcomms.PeerLostException;

/** Who is told what comes from a peer and is about more than a letter. Outside the guard. */
interface Ear {
  /**
   * A peer tells of a failure.
   *
   * @param elsewhere the failure as a rank reports it that it is not about, should it hear of it
   *     from this one
   */
  void told(CommException failure, CommException elsewhere);

  /** A peer takes part no more; what needs it fails. */
  void left(int peer, CommException reason);

  /**
   * A peer is lost.
   *
   * @param told what is done when it is known who else is, and all that needs any has failed
   */
  void lost(PeerLostException loss, Runnable told);
}
