package dev.jcomms.jccl.reliability;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jcomms.store.TcpStoreServer;
import java.io.File;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Ranks that are processes, each a {@link RankProgram}, and the store that they meet at: started,
 * killed, stopped and heard by a test. Every wait has a deadline; closing it ends every process and
 * looks that nothing is left in {@code /dev/shm}.
 */
final class Group implements AutoCloseable {
  /** For everything that is to happen, however busy the machine is. */
  static final Duration DEADLINE = Duration.ofSeconds(90);

  /**
   * What is to happen within a second on a machine of its own, where ranks outnumber the cores and
   * other builds run beside.
   */
  static final Duration SOON = Duration.ofSeconds(5);

  /** How a group is started. */
  static final class Options {
    private final int size;
    private final Map<String, String> properties = new HashMap<>();
    private final Map<String, String> environment = new HashMap<>();
    private IntFunction<List<String>> prefix = _ -> List.of();
    private String storeAddress = "127.0.0.1";
    private int storePort;
    private boolean rankZeroHosts;
    private Network network;

    private Options(int size, String transport) {
      this.size = size;
      property("size", size).property("transport", transport);
    }

    int size() {
      return size;
    }

    Options property(String name, Object value) {
      properties.put(name, value.toString());
      return this;
    }

    Options victim(int rank) {
      return property("victim", rank);
    }

    Options heartbeat(double seconds) {
      return environment("JCOMMS_HEARTBEAT_SECONDS", "" + seconds);
    }

    Options environment(String name, String value) {
      environment.put(name, value);
      return this;
    }

    /** A command that runs each rank's command. */
    Options prefix(IntFunction<List<String>> prefix) {
      this.prefix = prefix;
      return this;
    }

    /** A network that all connections between them pass. */
    Options through(Network network) {
      this.network = network;
      return property("routed", true);
    }

    /** A store that the test has started elsewhere. */
    Options store(String address, int port) {
      storeAddress = address;
      storePort = port;
      return this;
    }

    /** The store is in rank 0's process. */
    Options rankZeroHostsTheStore() {
      rankZeroHosts = true;
      return this;
    }

    Group start(String scenario) throws Exception {
      return new Group(this, scenario);
    }
  }

  static Options of(int size, String transport) {
    return new Options(size, transport);
  }

  private final String job = "reliability-" + UUID.randomUUID();
  private final TcpStoreServer server;
  private final List<Member> members = new ArrayList<>();

  private Group(Options options, String scenario) throws Exception {
    server = options.storePort > 0 || options.rankZeroHosts ? null : TcpStoreServer.start();
    int port =
        server != null ? server.port() : options.rankZeroHosts ? freePort() : options.storePort;
    for (int r = 0; r < options.size; r++) {
      Map<String, String> properties = new HashMap<>(options.properties);
      properties.put("rank", "" + r);
      Map<String, String> environment = new HashMap<>(options.environment);
      environment.put("JCOMMS_RANK", "" + r);
      environment.put("JCOMMS_SIZE", "" + options.size);
      environment.put("JCOMMS_MASTER_ADDR", options.storeAddress);
      environment.put("JCOMMS_MASTER_PORT", "" + port);
      environment.put("JCOMMS_AGENT_STORE", "" + !options.rankZeroHosts);
      environment.put("JCOMMS_JOB", job);
      List<String> command = command(options.prefix.apply(r), properties, scenario);
      String name = "rank " + r + " of '" + scenario + "'";
      members.add(new Member(name, command, environment, options.network));
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  /** A store in a process of its own. */
  static Member startStore(
      List<String> prefix, Map<String, String> properties, Map<String, String> environment)
      throws IOException {
    return new Member("the store", command(prefix, properties, "store"), environment, null);
  }

  private static List<String> command(
      List<String> prefix, Map<String, String> properties, String scenario) {
    List<String> command = new ArrayList<>(prefix);
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-Xmx256m", "-ea"));
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
    properties.forEach((name, value) -> command.add("-D" + name + "=" + value));
    command.addAll(List.of("-cp", classPath(), RankProgram.class.getName(), scenario));
    return command;
  }

  /** Tests may run as modules; a child runs from the class path, with all there is. */
  private static String classPath() {
    Stream<String> modules =
        ModuleLayer.boot().configuration().modules().stream()
            .map(module -> module.reference().location().orElseThrow())
            .filter(location -> location.getScheme().equals("file"))
            .map(location -> Path.of(location).toString());
    Stream<String> tests =
        Stream.ofNullable(System.getProperty("basedir"))
            .map(folder -> Path.of(folder, "target", "test-classes").toString());
    return Stream.of(modules, tests, Stream.of(System.getProperty("java.class.path")))
        .flatMap(paths -> paths)
        .collect(Collectors.joining(File.pathSeparator));
  }

  Member rank(int rank) {
    return members.get(rank);
  }

  List<Integer> allBut(int gone) {
    return IntStream.range(0, members.size()).filter(r -> r != gone).boxed().toList();
  }

  Group awaitReady() throws InterruptedException {
    for (Member member : members) {
      member.await("READY");
    }
    return this;
  }

  /**
   * Lets the ranks run for a while. They cannot say that they are blocked; should one not be so
   * yet, the test is another one but no less true.
   */
  void letRun(Duration time) throws InterruptedException {
    Thread.sleep(time);
  }

  /** What all but one report about the same thing; from none, from all. */
  List<Report> reports(String label, int but) throws InterruptedException {
    return reports(label, Set.of(but));
  }

  /** What all but some report about the same thing. */
  List<Report> reports(String label, Set<Integer> but) throws InterruptedException {
    List<Report> reports = new ArrayList<>();
    for (int r = 0; r < members.size(); r++) {
      if (!but.contains(r)) {
        reports.add(members.get(r).report(label));
      }
    }
    return reports;
  }

  /** Kills some at once, and waits until they are gone. */
  void kill(Set<Integer> ranks) throws Exception {
    for (int r : ranks) {
      members.get(r).close();
    }
    for (int r : ranks) {
      members.get(r).awaitEnd();
    }
  }

  /** Prints how long after a moment the last of these was heard, for the record. */
  static Duration latest(String what, List<Report> reports, long sinceNanos) {
    long last = reports.stream().mapToLong(Report::atNanos).max().orElseThrow();
    Duration time = Duration.ofNanos(Math.max(0, last - sinceNanos));
    System.out.println("reliability: " + what + ": " + time.toMillis() + " ms");
    return time;
  }

  /** Ends all that live; they close their communicators and leave. */
  void finish() throws Exception {
    List<Member> living = members.stream().filter(member -> member.process.isAlive()).toList();
    for (Member member : living) {
      member.tell("end");
    }
    for (Member member : living) {
      boolean ended = member.process.waitFor(DEADLINE.toSeconds(), TimeUnit.SECONDS);
      assertThat(ended).as("%s ends; it said%n%s", member.name, member.transcript()).isTrue();
      member.await("CLOSED");
      assertThat(member.process.exitValue()).as(member.transcript()).isZero();
    }
    assertNothingLeft();
  }

  private void assertNothingLeft() throws IOException {
    try (Stream<Path> files = Files.list(Path.of("/dev/shm"))) {
      assertThat(files.map(Path::toString).filter(name -> name.contains(job)))
          .as("left in /dev/shm")
          .isEmpty();
    }
  }

  @Override
  public void close() {
    members.forEach(Member::close);
    members.forEach(member -> member.process.onExit().orTimeout(30, TimeUnit.SECONDS).join());
    if (server != null) {
      server.close();
    }
  }
}
