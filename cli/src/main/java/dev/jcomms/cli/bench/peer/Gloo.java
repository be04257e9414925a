package dev.jcomms.cli.bench.peer;

import dev.jcomms.cli.bench.measure.Plan;
import dev.jcomms.cli.launch.JavaOptions;
import dev.jcomms.cli.launch.Job;
import dev.jcomms.cli.launch.LaunchSpec;
import dev.jcomms.cli.launch.Listener;
import dev.jcomms.cli.launch.Program;
import dev.jcomms.cli.launch.UserFolders;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.nio.channels.DatagramChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Gloo through {@code torch.distributed}: a Python script, started as torchrun would start it, with
 * one thread a rank for torch unless {@code OMP_NUM_THREADS} says otherwise.
 */
final class Gloo implements Peer {
  private static final String PYTHON = "JCOMMS_PYTHON";
  private static final String INTERFACE = "GLOO_SOCKET_IFNAME";
  private static final String QUESTION =
      "import torch, torch.distributed as d;"
          + " assert d.is_available() and d.is_gloo_available(), 'this torch has no gloo';"
          + " print('torch', torch.__version__)";

  private Path python;
  private Path script;

  @Override
  public String name() {
    return "gloo";
  }

  @Override
  public String prepare(Map<String, String> environment) throws Missing {
    String given = environment.getOrDefault(PYTHON, "");
    python =
        given.isEmpty()
            ? Tools.find("python3", environment)
                .orElseThrow(() -> new Missing("no python3 on PATH, and " + PYTHON + " is not set"))
            : Path.of(given);
    if (!Files.isExecutable(python)) throw new Missing(PYTHON + "=" + python + " is no program");
    Tools.Answer answer = Tools.ask(List.of(python.toString(), "-W", "ignore", "-c", QUESTION));
    String last = answer.text().lines().reduce((_, line) -> line).orElse("it says nothing");
    if (answer.status() != 0) {
      throw new Missing("%s: %s; name a Python with torch by %s".formatted(python, last, PYTHON));
    }
    script = written(environment);
    return last;
  }

  private static Path written(Map<String, String> environment) {
    byte[] source = Tools.resource("gloo.py");
    Path folder = UserFolders.forCache("bench", environment);
    Path result = folder.resolve("gloo-" + Tools.digest(source) + ".py");
    try {
      if (!Files.exists(result)) {
        Path draft = Files.createTempFile(folder, "new-", ".py");
        Files.write(draft, source);
        Files.move(draft, result, StandardCopyOption.ATOMIC_MOVE);
      }
      return result;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public boolean spansNodes() {
    return true;
  }

  @Override
  public Optional<String> refuses(Plan plan) {
    return Optional.empty(); // what it cannot do it says itself: that changes with its version
  }

  @Override
  public int run(Plan plan, LaunchSpec launch, Map<String, String> environment, Listener listener)
      throws InterruptedException {
    List<String> words =
        new ArrayList<>(List.of(python.toString(), "-W", "ignore", script.toString()));
    words.addAll(PeerWords.of(plan));
    LaunchSpec spec = launch.withOpenStore();
    if (!environment.containsKey(INTERFACE)) {
      spec = spec.withVariable(INTERFACE, network(launch.masterAddress()));
    }
    Program command = Program.command(words, environment.getOrDefault("PATH", ""));
    return new Job(spec, command, JavaOptions.NONE, environment, listener).run();
  }

  /** The network on the way to where the ranks meet: loopback on a single node. */
  private static String network(String master) {
    try (DatagramChannel probe = DatagramChannel.open()) {
      probe.connect(new InetSocketAddress(master, 9)); // sends nothing: it only finds the route
      InetSocketAddress local = (InetSocketAddress) probe.getLocalAddress();
      return NetworkInterface.getByInetAddress(local.getAddress()).getName();
    } catch (IOException e) {
      throw new UncheckedIOException("no way to " + master, e);
    }
  }
}
