package dev.jcomms.cli.launch;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.SequenceInputStream;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

final class PumpTest {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private final ByteArrayOutputStream file = new ByteArrayOutputStream();
  private final Tail tail = new Tail();

  @Test
  void linesGetThePrefixHoweverTheyArrive() throws Exception {
    pump(false, "one\ntw", "o\n", "\nthr", "ee\n");
    assertThat(out.toString(UTF_8)).isEqualTo("[3] one\n[3] two\n[3] \n[3] three\n");
    assertThat(file.toString(UTF_8)).isEqualTo("one\ntwo\n\nthree\n");
  }

  @Test
  void anUnendedLineIsShownAtTheEnd() throws Exception {
    pump(false, "a\nno end");
    assertThat(out.toString(UTF_8)).isEqualTo("[3] a\n[3] no end\n");
    assertThat(file.toString(UTF_8)).isEqualTo("a\nno end");
  }

  @Test
  void anEndlessLineIsHandedOnInPieces() throws Exception {
    String piece = "x".repeat(16 * 1024);
    pump(false, piece, piece, piece, piece, piece, "end\n");
    String shown = out.toString(UTF_8);
    assertThat(shown.lines().map(String::length).max(Integer::compare).get())
        .isLessThanOrEqualTo(64 * 1024 + 32 * 1024);
    assertThat(shown.replace("[3] ", "").replace("\n", "")).isEqualTo(piece.repeat(5) + "end");
    assertThat(file.toString(UTF_8)).isEqualTo(piece.repeat(5) + "end\n");
  }

  @Test
  void bytesOfAnyEncodingPassUnchanged() throws Exception {
    byte[] bytes = {(byte) 0xff, 0, (byte) 0xc3, '\n'};
    pump(false, new ByteArrayInputStream(bytes));
    assertThat(file.toByteArray()).isEqualTo(bytes);
  }

  @Test
  void aConsoleThatIsGoneIsToldOnceAndTheFileGoesOn() throws Exception {
    OutputStream closed =
        new OutputStream() {
          @Override
          public void write(int b) throws IOException {
            throw new IOException("Broken pipe");
          }
        };
    AtomicBoolean lost = new AtomicBoolean();
    Pump pump =
        new Pump(
            stream("a\n", "b\n"),
            new Pump.Route(false, true, Optional.of(file), Optional.empty()),
            new Console(closed, closed, false, false),
            0,
            () -> assertThat(lost.getAndSet(true)).isFalse());
    assertThat(pump.start("test").join(Duration.ofSeconds(10))).isTrue();
    assertThat(lost).isTrue();
    assertThat(file.toString(UTF_8)).isEqualTo("a\nb\n");
  }

  @Test
  void aFileThatCannotBeWrittenIsToldOnceAndTheConsoleGoesOn() throws Exception {
    OutputStream full =
        new OutputStream() {
          private int room = 10;

          @Override
          public void write(int b) throws IOException {
            if (room-- <= 0) throw new IOException("No space left on device");
          }

          @Override
          public void close() throws IOException {
            throw new IOException("No space left on device");
          }
        };
    InputStream in = stream("one\n", "two\n", "three\n", "four\n", "five\n");
    Pump pump =
        new Pump(
            in,
            new Pump.Route(false, true, Optional.of(full), Optional.empty()),
            new Console(out, err, false, false),
            3,
            () -> {});
    assertThat(pump.start("test").join(Duration.ofSeconds(10))).isTrue();
    assertThat(out.toString(UTF_8)).isEqualTo("[3] one\n[3] two\n[3] three\n[3] four\n[3] five\n");
    assertThat(in.read()).as("all is read").isEqualTo(-1);
    assertThat(err.toString(UTF_8))
        .isEqualTo("jcomms: stdout of rank 3 is not logged any more: No space left on device\n");
  }

  @Test
  void aListenerThatFailsEndsTheJobAndNotTheReading() throws Exception {
    AtomicBoolean lost = new AtomicBoolean();
    InputStream in = stream("a\n", "b\n");
    Listener failing =
        line -> {
          throw new IllegalArgumentException("not a message: " + line);
        };
    Pump pump =
        new Pump(
            in,
            new Pump.Route(false, true, Optional.of(file), Optional.empty()),
            new Console(out, err, failing),
            3,
            () -> assertThat(lost.getAndSet(true)).isFalse());
    assertThat(pump.start("test").join(Duration.ofSeconds(10))).isTrue();
    assertThat(lost).isTrue();
    assertThat(file.toString(UTF_8)).isEqualTo("a\nb\n");
    assertThat(err.toString(UTF_8))
        .startsWith("jcomms: stdout of rank 3 cannot be used: ")
        .contains("not a message: a");
  }

  @Test
  void aPrefixHasColourOnATerminalOnly() {
    Console console = new Console(out, err, true, false);
    assertThat(new String(console.prefix(1, false), UTF_8)).isEqualTo("\033[33m[1]\033[0m ");
    assertThat(new String(console.prefix(1, true), UTF_8)).isEqualTo("[1] ");
  }

  private void pump(boolean stderr, String... chunks) throws Exception {
    pump(stderr, stream(chunks));
  }

  private void pump(boolean stderr, InputStream in) throws Exception {
    Pump.Route route = new Pump.Route(stderr, true, Optional.of(file), Optional.of(tail));
    Thread thread =
        new Pump(in, route, new Console(out, err, false, false), 3, () -> {}).start("test");
    assertThat(thread.join(Duration.ofSeconds(10))).isTrue();
  }

  /** A stream that yields each chunk by a read of its own, as a pipe does. */
  private static InputStream stream(String... chunks) {
    return new SequenceInputStream(
        Collections.enumeration(
            List.of(chunks).stream()
                .map(c -> new ByteArrayInputStream(c.getBytes(UTF_8)))
                .toList()));
  }
}
