package dev.jcomms.jccl.reliability;

import dev.jcomms.store.StoreSecret;
import dev.jcomms.store.TcpStoreServer;
import dev.jcomms.store.TcpStoreServerOptions;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.util.concurrent.CountDownLatch;

/**
 * One rank of a {@link Group}: does what its scenario says, reports how everything ended, and stays
 * until it is told to end or its test is gone.
 *
 * <p>Says {@code READY} when the trouble may begin, {@code REPORT|…} for each thing it tried and
 * {@code CLOSED} when all its communicators are. Hears {@code end}, {@code act} and, when it has
 * asked with {@code ROUTE PORT}, {@code route PORT OTHER}.
 */
final class RankProgram {
  private final Scenario.Orders orders =
      new Scenario.Orders(new CountDownLatch(1), new CountDownLatch(1));
  private final RankComms comms =
      new RankComms(Integer.getInteger("rank"), Integer.getInteger("size"), Scenario.LONG);

  public static void main(String[] args) throws Exception {
    if (args[0].equals("store")) {
      serveStore();
    }
    new RankProgram().run(args[0]);
    System.exit(0); // also where a thread is stuck, which its missing report tells
  }

  private static void serveStore() throws Exception {
    TcpStoreServerOptions options =
        TcpStoreServerOptions.defaults()
            .address(InetAddress.ofLiteral(System.getProperty("address", "127.0.0.1")));
    StoreSecret secret = StoreSecret.fromEnvironment(System.getenv()).orElse(null);
    TcpStoreServer server = TcpStoreServer.start(secret == null ? options : options.secret(secret));
    Scenario.say("PORT " + server.port());
    while (System.in.read() >= 0) {
      // until the test is gone
    }
    System.exit(0);
  }

  private void run(String scenario) throws Exception {
    Thread.ofPlatform().daemon().start(this::listen);
    LoopScenarios loops = new LoopScenarios(comms, orders);
    WaitScenarios waits = new WaitScenarios(comms, orders);
    DisagreementScenarios disagreements = new DisagreementScenarios(comms, orders);
    EnduranceScenarios endurance = new EnduranceScenarios(comms, orders);
    switch (scenario) {
      case "loop" -> loops.loop();
      case "left alone" -> loops.leftAlone();
      case "sent" -> loops.sent();
      case "seldom" -> loops.seldom();
      case "reused" -> loops.reused();
      case "waiting" -> waits.waiting();
      case "blocked" -> waits.blocked();
      case "open" -> waits.open();
      case "part" -> waits.part();
      case "whole" -> waits.whole();
      case "halves" -> waits.halves();
      case "abort" -> waits.abort();
      case "stopped" -> waits.stopped();
      case "absent" -> waits.absent();
      case "disagree" -> disagreements.disagree();
      case "open and close" -> endurance.openAndClose();
      case "slow" -> endurance.slow();
      case "tiny" -> endurance.tiny();
      case "rooted plans" -> endurance.rootedPlans();
      case "empty pieces" -> endurance.emptyPieces();
      case "random" -> loops.random();
      case "windows" -> new WindowScenarios(comms, orders).windows();
      default -> throw new IllegalArgumentException(scenario);
    }
    orders.ending().await();
    comms.close();
    Scenario.say("CLOSED");
  }

  private void listen() {
    try (BufferedReader in = new BufferedReader(new InputStreamReader(System.in))) {
      for (String line; (line = in.readLine()) != null; ) {
        String[] words = line.split(" ");
        switch (words[0]) {
          case "end" -> orders.ending().countDown();
          case "act" -> orders.acting().countDown();
          case "route" -> comms.route(words[1], words[2]);
          default -> throw new IllegalArgumentException(line);
        }
      }
    } catch (IOException e) {
      // as at its end
    }
    Runtime.getRuntime().halt(9); // the test is gone
  }
}
