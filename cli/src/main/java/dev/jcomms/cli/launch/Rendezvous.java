package dev.jcomms.cli.launch;

import java.util.Map;
import java.util.concurrent.BlockingQueue;

/** Where the processes of a job meet: the store, its secret, and the launchers of other nodes. */
record Rendezvous(int port, String secret, Nodes nodes) implements AutoCloseable {

  static Rendezvous open(LaunchSpec spec, Map<String, String> env, BlockingQueue<Event> events) {
    return new Rendezvous(
        spec.masterPort().orElse(0),
        Secret.given(env).orElseGet(Secret::fresh),
        new SingleNode(events));
  }

  @Override
  public void close() {
    nodes.close();
  }
}
