package dev.jcomms.cli.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jcomms.cli.Cli;
import dev.jcomms.store.StoreSecret;
import dev.jcomms.store.TcpStore;
import dev.jcomms.store.TcpStoreServer;
import dev.jcomms.store.TcpStoreServerOptions;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class StoreCommandTest {
  private final TcpStoreServer server = TcpStoreServer.start();

  @AfterEach
  void close() {
    server.close();
  }

  @Test
  void whatIsSetCanBeRead() {
    assertThat(ask("set", "greeting", "grüß dich").status()).isZero();
    assertThat(ask("get", "greeting").out()).isEqualTo("grüß dich\n");
    assertThat(ask("add", "n", "3").out()).isEqualTo("3\n");
    assertThat(ask("add", "n").out()).isEqualTo("4\n");
    assertThat(ask("keys").out()).isEqualTo("greeting\nn\n");
    assertThat(ask("keys", "gr").out()).isEqualTo("greeting\n");
    assertThat(ask("wait", "greeting", "n").status()).isZero();
    assertThat(ask("delete", "greeting").status()).isZero();
    assertThat(ask("keys").out()).isEqualTo("n\n");
  }

  @Test
  void bytesAreEscapedOrRaw() {
    try (TcpStore store = TcpStore.connect("127.0.0.1", server.port())) {
      store.set("bytes", new byte[] {'a', 0, (byte) 0xff, '\n'});
      store.set("line\nbreak\u001b[2J", new byte[0]);
    }
    assertThat(ask("get", "bytes").out()).isEqualTo("a\\x00\\xff\\n\n");
    assertThat(ask("get", "--raw", "bytes").out()).isEqualTo("a\0\u00ff\n");
    assertThat(ask("keys").out()).isEqualTo("bytes\nline\\nbreak\\x1b[2J\n");
    assertThat(ask("keys", "--raw", "line").out()).isEqualTo("line\nbreak\u001b[2J\0");
  }

  @Test
  void anAbsentKeyIsNamedWithStatusOne() {
    Cli.Result get = ask("get", "--timeout", "0", "no such");
    assertThat(get.status()).isEqualTo(1);
    assertThat(get.err()).contains("no key 'no such' at store[127.0.0.1:" + server.port());
    ask("set", "there", "x");
    Cli.Result wait = ask("wait", "--timeout", "0", "there", "gone");
    assertThat(wait.status()).isEqualTo(1);
    assertThat(wait.err()).contains("no key 'gone'").doesNotContain("'there'");
    assertThat(ask("delete", "gone").status()).isEqualTo(1);
  }

  @Test
  void wrongUsageIsStatusTwo() {
    assertThat(Cli.run("store").status()).isEqualTo(2);
    assertThat(Cli.run("store", "get", "key").err()).contains("--at");
    for (String at : List.of("localhost", "127.0.0.1:", ":1", "::1:29500", "h:70000", "h:0")) {
      Cli.Result result = Cli.run("store", "get", "--at", at, "key");
      assertThat(result.status()).as(at).isEqualTo(2);
      assertThat(result.err()).contains("--at=" + at);
    }
    assertThat(ask("get", "--timeout", "-1", "key").status()).isEqualTo(2);
    assertThat(ask("set", "k".repeat(9000), "v").err()).contains("key bytes=9001");
  }

  @Test
  void aStoreThatIsNotThereIsStatusOne() {
    server.close();
    Cli.Result result = ask("get", "--timeout", "0.1", "key");
    assertThat(result.status()).isEqualTo(1);
    assertThat(result.err()).contains("no store at").contains("within 0.1 s");
  }

  @Test
  void aStoreWithASecretTurnsStrangersAway() {
    TcpStoreServerOptions options = TcpStoreServerOptions.defaults().secret(StoreSecret.generate());
    try (TcpStoreServer closed = TcpStoreServer.start(options)) {
      Cli.Result result = Cli.run("store", "get", "--at", "127.0.0.1:" + closed.port(), "key");
      assertThat(result.status()).isEqualTo(1);
      assertThat(result.err()).contains("it demands a secret");
    }
  }

  @Test
  void aMadeUpSecretIsLeftForItsOwnerAlone() throws Exception {
    StoreSecret secret = StoreSecret.generate();
    Path file = Secrets.leave(secret, 1);
    try {
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
          .isEqualTo("rw-------");
      assertThat(Files.readString(file, StandardCharsets.UTF_8)).isEqualTo(secret.reveal());
    } finally {
      Files.delete(file);
    }
  }

  @Test
  void serveRefusesWhatItCannotDo() {
    String taken = "127.0.0.1:" + server.port();
    Cli.Result busy = Cli.run("store", "serve", "--open", "--listen", taken);
    assertThat(busy.status()).isEqualTo(1);
    assertThat(busy.err()).contains("cannot listen at", taken);
    assertThat(Cli.run("store", "serve", "--world", "0").status()).isEqualTo(2);
    assertThat(Cli.run("store", "serve", "--listen", "here").status()).isEqualTo(2);
  }

  @Test
  void serveEndsWhenItsWorldHasLeft() throws Exception {
    BlockingQueue<String> news = new LinkedBlockingQueue<>();
    Thread serving =
        Thread.ofVirtual()
            .start(
                () -> {
                  try {
                    ServeCommand.attend(server, 2, news::add);
                  } catch (InterruptedException e) {
                    news.add("interrupted");
                  }
                });
    try (TcpStore _ = TcpStore.connect("127.0.0.1", server.port());
        TcpStore _ = TcpStore.connect("127.0.0.1", server.port())) {
      assertThat(news.poll(20, TimeUnit.SECONDS)).isEqualTo("2 clients are connected");
    }
    assertThat(news.poll(20, TimeUnit.SECONDS)).isEqualTo("the last client has left");
    assertThat(serving.join(Duration.ofSeconds(20))).isTrue();
  }

  private Cli.Result ask(String command, String... arguments) {
    List<String> words = new ArrayList<>(List.of("store", command));
    words.addAll(List.of("--at", "127.0.0.1:" + server.port()));
    words.addAll(List.of(arguments));
    return Cli.run(words.toArray(String[]::new));
  }
}
