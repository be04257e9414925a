package dev.jcomms.cli.launch;

import java.util.List;
import java.util.Optional;
import java.util.Queue;

/** A job with nobody to keep in step with. */
record SingleNode(Queue<Event> events) implements Nodes {
  @Override
  public Optional<List<Integer>> meet(int generation, int ranksHere) {
    return Optional.of(List.of(ranksHere));
  }

  @Override
  public void done(int generation) {
    events.add(new Event.AllDone(generation));
  }

  @Override
  public void failed(int generation, int status, String what) {}

  @Override
  public void stopped(int generation, String why) {}

  @Override
  public void close() {}
}
