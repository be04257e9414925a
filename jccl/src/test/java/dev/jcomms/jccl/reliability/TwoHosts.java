package dev.jcomms.jccl.reliability;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Two network namespaces with a wire between them: hosts, to those who live there. The wire can be
 * cut, mended, and made to lose packets or to pass few at a time. Needs root; a test is skipped
 * where that is not permitted.
 */
final class TwoHosts implements AutoCloseable {
  private static final String SECRET = "a secret of the job, thirty bytes";
  private static final String FIRST_ADDRESS = "10.213.77.1";
  private static final String SECOND_ADDRESS = "10.213.77.2";

  private final String first = "jr" + ProcessHandle.current().pid() + "a";
  private final String second = "jr" + ProcessHandle.current().pid() + "b";

  private Member store;

  private TwoHosts() {}

  static TwoHosts open() {
    TwoHosts hosts = new TwoHosts();
    String trouble = hosts.wire();
    if (!trouble.isEmpty()) {
      hosts.close();
    }
    assumeTrue(trouble.isEmpty(), () -> "no network namespaces here: " + trouble);
    return hosts;
  }

  /** Why it cannot be done; empty if it was. */
  private String wire() {
    for (String command :
        List.of(
            "ip netns add " + first,
            "ip netns add " + second,
            "ip link add v0 netns " + first + " type veth peer name v0 netns " + second,
            in(first, "ip addr add " + FIRST_ADDRESS + "/24 dev v0"),
            in(second, "ip addr add " + SECOND_ADDRESS + "/24 dev v0"),
            in(first, "ip link set v0 up"),
            in(second, "ip link set v0 up"),
            in(first, "ip link set lo up"),
            in(second, "ip link set lo up"))) {
      String trouble = run(command);
      if (!trouble.isEmpty()) {
        return trouble;
      }
    }
    return "";
  }

  private static String in(String namespace, String command) {
    return "ip netns exec " + namespace + " " + command;
  }

  /** What went wrong; empty if nothing did. */
  private static String run(String command) {
    try {
      Process process = new ProcessBuilder(command.split(" ")).redirectErrorStream(true).start();
      process.getOutputStream().close();
      String output = new String(process.getInputStream().readAllBytes());
      boolean ended = process.waitFor(20, TimeUnit.SECONDS);
      return ended && process.exitValue() == 0 ? "" : command + ": " + output;
    } catch (IOException e) {
      return command + ": " + e.getMessage();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return command + ": interrupted";
    }
  }

  private static void require(String command) {
    String trouble = run(command);
    if (!trouble.isEmpty()) {
      throw new AssertionError(trouble);
    }
  }

  /** Half of the ranks live on each, and a store on the first. */
  Group.Options house(Group.Options options) throws Exception {
    Map<String, String> secret = Map.of("JCOMMS_SECRET", SECRET);
    store = Group.startStore(on(0), Map.of("address", FIRST_ADDRESS), secret);
    int port = Integer.parseInt(store.await("PORT").split(" ")[1]);
    return options
        .environment("JCOMMS_SECRET", SECRET)
        .store(FIRST_ADDRESS, port)
        .prefix(rank -> on(2 * rank / options.size()));
  }

  /** What to put before a command that is to run on one of them. */
  private List<String> on(int host) {
    return List.of("ip", "netns", "exec", host == 0 ? first : second);
  }

  /** No packet arrives: each side sends to a machine that is not there. */
  void cut() {
    require(in(first, neighbour("replace", SECOND_ADDRESS)));
    require(in(second, neighbour("replace", FIRST_ADDRESS)));
  }

  /** Every packet arrives again. */
  void mend() {
    require(in(first, neighbour("del", SECOND_ADDRESS)));
    require(in(second, neighbour("del", FIRST_ADDRESS)));
  }

  private static String neighbour(String verb, String address) {
    return "ip neigh " + verb + " " + address + " lladdr 02:00:00:00:00:99 dev v0 nud permanent";
  }

  /** Of a hundred packets, so many are lost, each way. Skips the test where there is no nft. */
  void losePercent(int percent) {
    String rule = " v0 numgen random mod 100 < " + percent + " drop";
    String trouble = "";
    for (String command :
        List.of(
            "nft add table ip wire",
            "nft add chain ip wire in { type filter hook input priority 0; }",
            "nft add chain ip wire out { type filter hook output priority 0; }",
            "nft add rule ip wire in iifname" + rule,
            "nft add rule ip wire out oifname" + rule)) {
      trouble += run(in(second, command));
    }
    String told = trouble;
    assumeTrue(told.isEmpty(), () -> "cannot lose packets here: " + told);
  }

  /** No more than so many megabits a second pass, each way. */
  void limitMegabits(int rate) {
    String shape = "tc qdisc add dev v0 root tbf rate " + rate + "mbit burst 128kb latency 50ms";
    String trouble = run(in(first, shape)) + run(in(second, shape));
    assumeTrue(trouble.isEmpty(), () -> "cannot limit the rate here: " + trouble);
  }

  @Override
  public void close() {
    if (store != null) {
      store.close();
    }
    run("ip netns del " + first);
    run("ip netns del " + second);
  }
}
