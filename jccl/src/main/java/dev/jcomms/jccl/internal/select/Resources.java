package dev.jcomms.jccl.internal.select;

import dev.jcomms.jccl.Selector;
import dev.jcomms.jccl.internal.algo.Engine;
import dev.jcomms.jccl.internal.exec.Executor;
import dev.jcomms.jccl.internal.mail.Mailroom;
import dev.jcomms.jccl.internal.transport.Alarm;
import dev.jcomms.jccl.internal.transport.Bulletin;
import dev.jcomms.jccl.internal.transport.Roster;
import dev.jcomms.jccl.internal.transport.shm.SymmetricMemory;

/**
 * What one rank of a communicator has for algorithms to work with.
 *
 * @param fileName how files of shared memory begin
 * @param attend raises the alarm if a peer is lost or has declared a failure; called by who waits
 */
public record Resources(
    Roster roster,
    Bulletin bulletin,
    Engine engine,
    SymmetricMemory symmetric,
    Mailroom mail,
    Executor executor,
    Alarm alarm,
    String fileName,
    Runnable attend) {

  /** How the ranks reach each other. */
  public Selector.Transport transport() {
    return Requests.transport(roster);
  }
}
