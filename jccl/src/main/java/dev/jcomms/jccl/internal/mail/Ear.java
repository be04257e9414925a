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

  /**
   * A peer tells of a loss that it has found itself: it may be the one that was cut off.
   *
   * @param elsewhere as for {@link #told}
   */
  void claimed(int peer, PeerLostException loss, CommException elsewhere);

  /** A peer takes part no more; what needs it fails. */
  void left(int peer, CommException reason);

  /** A peer is lost. */
  void lost(PeerLostException loss);

  /**
   * What is done when it is clear what the loss of a peer means, or a failure that it has told of,
   * and everything under way has failed with that.
   */
  void settled(Runnable then);
}
