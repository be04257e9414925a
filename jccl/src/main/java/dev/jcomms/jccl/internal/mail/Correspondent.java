package dev.jcomms.jccl.internal.mail;

import dev.jcomms.Collective;
import dev.jcomms.CommException;

/** One other rank, as this one exchanges letters with it. */
interface Correspondent {
  /** The rank. */
  int peer();

  /** Begins a send or a receive as a part of a job. Any thread, outside the guard. */
  void post(Job job, Collective.PointToPoint op);

  /** Tells it of this rank's part of a window. Any thread, outside the guard. */
  void announce(WindowPart part, long description);

  /** Its part of a window, as it was announced. */
  RemotePart remote(int window, WindowBook.Announcement announcement);

  /** Why it takes part no more; null while it does. */
  CommException left();
}
