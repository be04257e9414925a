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
  private static final int SILENT_LOOKS = 5;

  /** Where a stream goes. */
  record Route(boolean stderr, boolean console, Optional<OutputStream> file, Optional<Tail> tail) {}

  private final InputStream in;
  private final Route route;
  private final Console console;
  private final String subject;
  private final byte[] prefix;
  private final Runnable consoleLost;
  private final ByteArrayOutputStream batch = new ByteArrayOutputStream();
  private final ByteArrayOutputStream raw = new ByteArrayOutputStream();
  private boolean showing;
  private boolean logging;
  private Thread thread;

  /** Since when it waits for the rank; empty while it has something to pass on. */
  private volatile OptionalLong waiting = OptionalLong.empty();

  Pump(InputStream in, Route route, Console console, int rank, Runnable consoleLost) {
    this.in = in;
    this.route = route;
    this.console = console;
    this.subject = (route.stderr() ? "stderr of rank " : "stdout of rank ") + rank;
    this.prefix = console.prefix(rank, route.stderr());
    this.consoleLost = consoleLost;
    this.showing = route.console();
    this.logging = route.file().isPresent();
  }

  Thread start(String name) {
    thread = Thread.ofPlatform().daemon().name(name).start(this::run);
    return thread;
  }

  /**
   * Waits until all is passed on, for as long as that takes, unless {@code enough} becomes true. A
   * process that got away may hold the rank's side open: the wait also ends when nothing has come
   * from there for {@code silence}, counted from {@code start} at the earliest, and some looks. A
   * clock alone does not tell a silent rank from a pump that has not had its turn.
   */
  void drain(long start, Duration silence, BooleanSupplier enough) throws InterruptedException {
    OptionalLong before = OptionalLong.empty();
    for (int looks = 1; !thread.join(LOOK) && !enough.getAsBoolean(); looks++) {
      OptionalLong since = waiting;
      if (since.isEmpty() || !since.equals(before)) looks = 0;
      before = since;
      long now = System.nanoTime();
      if (looks >= SILENT_LOOKS
          && Math.min(now - start, now - since.getAsLong()) > silence.toNanos()) return;
    }
  }

  /** Reads to the end, whatever becomes of what was read: a rank must not wait for a reader. */
  private void run() {
    LineSplitter lines = new LineSplitter(LINE_LIMIT, this);
    byte[] bytes = new byte[32 * 1024];
    try {
      for (int count; (count = read(bytes)) >= 0; ) {
        lines.feed(bytes, count);
        flush();
      }
      lines.end();
      flush();
    } catch (IOException e) {
      // The stream was closed under us when its process ended: what came before is out.
    }
    route.file().ifPresent(this::close);
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

  private void flush() {
    if (logging) log(route.file().get());
    if (showing) show();
    raw.reset();
    batch.reset();
  }

  private void log(OutputStream file) {
    try {
      raw.writeTo(file);
    } catch (IOException e) {
      stopLogging(e);
    }
  }

  private void close(OutputStream file) {
    try {
      file.close();
    } catch (IOException e) {
      if (logging) stopLogging(e);
    }
  }

  private void stopLogging(IOException why) {
    logging = false;
    console.say("%s is not logged any more: %s".formatted(subject, why.getMessage()));
  }

  private void show() {
    try {
      console.write(route.stderr(), batch);
    } catch (IOException e) {
      stopShowing();
    } catch (RuntimeException e) {
      console.say("%s cannot be used: %s".formatted(subject, e));
      stopShowing();
    }
  }

  private void stopShowing() {
    showing = false;
    consoleLost.run();
  }
}
