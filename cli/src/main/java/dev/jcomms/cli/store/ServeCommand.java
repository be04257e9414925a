package dev.jcomms.cli.store;

import dev.jcomms.cli.CliException;
import dev.jcomms.cli.GivenSecret;
import dev.jcomms.store.StoreException;
import dev.jcomms.store.StoreSecret;
import dev.jcomms.store.TcpStoreServer;
import dev.jcomms.store.TcpStoreServerOptions;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code jcomms store serve}: a store that lives as long as this command. */
@Command(
    name = "serve",
    description = "Serve a store until interrupted, or until its clients have left.",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Without a secret of your own one is made up, in a file that only you can read.",
      "The first line on stdout is the address; all else goes to stderr.",
    })
final class ServeCommand implements Callable<Integer> {
  private static final long POLL_MILLIS = 100;
  private static final long CHECK_MILLIS = 1000;

  @Option(
      names = "--listen",
      paramLabel = "HOST:PORT",
      description = "Where (default: ${DEFAULT-VALUE}; port 0 is any free one).")
  private String listen = "127.0.0.1:0";

  @Option(
      names = "--open",
      description = "Admit clients that prove no secret, as plain PyTorch's cannot.")
  private boolean open;

  @Option(
      names = "--world",
      paramLabel = "N",
      description =
          "Say when N connections are admitted; end when, after that, the last is closed. A client"
              + " that waits for a key has two.")
  private Integer world;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws InterruptedException {
    if (world != null && world < 1) throw CliException.usage("--world=" + world + " is below 1");
    Address address = Address.parse("--listen", listen);
    Optional<StoreSecret> given = GivenSecret.in(System.getenv());
    // An open store needs no secret; any other gets one, so that it is not open by oversight.
    StoreSecret secret = given.orElseGet(() -> open ? null : StoreSecret.generate());
    PrintWriter out = spec.commandLine().getOut();
    PrintWriter err = spec.commandLine().getErr();
    try (TcpStoreServer server = start(address, secret)) {
      Address at = new Address(server.address().getAddress().getHostAddress(), server.port());
      out.println(at);
      out.flush();
      if (secret == null) {
        say(err, "open to anybody who can reach " + at);
      } else if (given.isPresent()) {
        say(err, "clients prove the secret of your environment" + (open ? ", or none" : ""));
      } else {
        Path file = Secrets.leave(secret, server.port());
        say(err, "clients need: export JCOMMS_SECRET_FILE=" + file);
      }
      if (world == null) {
        while (server.isServing()) Thread.sleep(CHECK_MILLIS);
        throw failed();
      } else {
        attend(server, world, news -> say(err, news));
      }
    }
    return 0;
  }

  private TcpStoreServer start(Address address, StoreSecret secret) {
    try {
      TcpStoreServerOptions options =
          TcpStoreServerOptions.defaults()
              .address(InetAddress.getByName(address.host()))
              .port(address.port())
              .open(open);
      return TcpStoreServer.start(secret == null ? options : options.secret(secret));
    } catch (UnknownHostException e) {
      throw CliException.usage("--listen=" + listen + ": no such host");
    } catch (StoreException e) {
      throw CliException.failure(e.getMessage());
    }
  }

  /** Stays until as many clients as asked for have come, and all of them have gone. */
  static void attend(TcpStoreServer server, int world, Consumer<String> news)
      throws InterruptedException {
    boolean complete = false;
    while (true) {
      if (!server.isServing()) throw failed();
      int clients = server.usage().admitted();
      if (!complete && clients >= world) {
        complete = true;
        news.accept(world == 1 ? "a client is connected" : world + " clients are connected");
      } else if (complete && clients == 0) {
        news.accept("the last client has left");
        return;
      }
      Thread.sleep(POLL_MILLIS);
    }
  }

  private static CliException failed() {
    return CliException.failure("the store server has failed; its log is above");
  }

  private static void say(PrintWriter err, String what) {
    err.println("jcomms store: " + what);
    err.flush();
  }
}
