package dev.jcomms.cli.launch;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;

/**
 * Carries one stream of one rank to where the user wants it: console, file, memory, or several. One
 * thread for each pump.
 */
final class Pump implements LineSplitter.Receiver {
  private static final int LINE_LIMIT = 64 * 1024;
  private static final Duration LOOK = Duration.ofMillis(20);

  /** Where a stream goes. */
  record Route(boolean stderr, boolean console, Optional<OutputStream> file, Optional<Tail> tail) {}

  private final InputStream in;
  private final Route route;
  private final Console console;
  private final byte[] prefix;
  private final Runnable consoleLost;
  private final ByteArrayOutputStream batch = new ByteArrayOutputStream();
  private final ByteArrayOutputStream raw = new ByteArrayOutputStream();
  private boolean showing;
  private Thread thread;

  /** Since when it waits for the rank; empty while it has something to pass on. */
  private volatile OptionalLong waiting = OptionalLong.empty();

  Pump(InputStream in, Route route, Console console, int rank, Runnable consoleLost) {
    this.in = in;
    this.route = route;
    this.console = console;
    this.prefix = console.prefix(rank, route.stderr());
    this.consoleLost = consoleLost;
    this.showing = route.console();
  }

  Thread start(String name) {
    thread = Thread.ofPlatform().daemon().name(name).start(this::run);
    return thread;
  }

  /**
   * Waits until all is passed on, for as long as that takes, unless {@code enough} becomes true. A
   * process that got away may hold the rank's side open: the wait also ends when nothing has come
   * from there for {@code silence}, counted from {@code start} at the earliest.
   */
  void drain(long start, Duration silence, BooleanSupplier enough) throws InterruptedException {
    while (!thread.join(LOOK) && !enough.getAsBoolean()) {
      OptionalLong since = waiting;
      if (since.isEmpty()) continue;
      long now = System.nanoTime();
      if (Math.min(now - start, now - since.getAsLong()) > silence.toNanos()) return;
    }
  }

  private void run() {
    LineSplitter lines = new LineSplitter(LINE_LIMIT, this);
    byte[] bytes = new byte[32 * 1024];
    try (OutputStream file = route.file().orElse(OutputStream.nullOutputStream())) {
      for (int count; (count = read(bytes)) >= 0; ) {
        lines.feed(bytes, count);
        flush(file);
      }
      lines.end();
      flush(file);
    } catch (IOException e) {
      // The stream was closed under us when its process ended: what came before is out.
    }
  }

  private int read(byte[] bytes) throws IOException {
    waiting = OptionalLong.of(System.nanoTime());
    try {
      return in.read(bytes);
    } finally {
      waiting = OptionalLong.empty();
    }
  }

  @Override
  public void line(byte[] bytes, int from, int to, boolean ended) {
    batch.writeBytes(prefix);
    batch.write(bytes, from, to - from);
    batch.write('\n');
    raw.write(bytes, from, to - from);
    if (ended) raw.write('\n');
    route.tail().ifPresent(tail -> tail.add(bytes, from, to));
  }

  private void flush(OutputStream file) throws IOException {
    raw.writeTo(file);
    raw.reset();
    if (showing) {
      try {
        console.write(route.stderr(), batch);
      } catch (IOException e) {
        showing = false;
        consoleLost.run();
      }
    }
    batch.reset();
  }
}
