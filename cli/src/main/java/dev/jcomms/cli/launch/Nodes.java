package dev.jcomms.cli.launch;

import java.util.List;
import java.util.Optional;

/**
 * How the launchers of a job, one a node, keep in step. Each generation of ranks goes through it.
 * What is told to other nodes is not waited for.
 */
interface Nodes extends AutoCloseable {

  /**
   * Waits until every node is ready for this generation; returns how many ranks each runs, or
   * nothing if the launcher was told to stop meanwhile.
   */
  Optional<List<Integer>> meet(int generation, int ranksHere) throws InterruptedException;

  /** All ranks of this node ended well; {@link Event.AllDone} follows when all nodes said so. */
  void done(int generation);

  /** A rank of this node failed; the other nodes get {@link Event.NodeFailed}. */
  void failed(int generation, int status, String what);

  /** This node was told to stop, and so are the others by {@link Event.NodeFailed}. */
  void stopped(int generation, String why);

  @Override
  void close();
}
