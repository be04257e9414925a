package dev.jcomms.cli.launch;

import dev.jcomms.cli.CliException;
import java.io.File;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/**
 * One rank: a process in a session of its own, so that it and all it started can be signalled
 * together, and nothing else.
 */
final class RankProcess {
  /** Absent on systems without it; then only the rank itself is signalled. */
  private static final List<String> OWN_SESSION =
      Stream.of("/usr/bin/setsid", "/bin/setsid")
          .filter(f -> new File(f).canExecute())
          .limit(1)
          .toList();

  private final Placement placement;
  private final Process process;
  private final Tail stderr;
  private final long started = System.nanoTime();
  private volatile long ended;
  private volatile boolean released;
  private final List<Pump> pumps = new ArrayList<>();

  private RankProcess(Placement placement, Process process, Tail stderr) {
    this.placement = placement;
    this.process = process;
    this.stderr = stderr;
  }

  /** Starts a rank; {@code events} hears of its end. */
  static RankProcess start(
      Placement placement,
      List<String> words,
      Map<String, String> environment,
      RankStreams streams,
      BlockingQueue<Event> events) {
    List<String> command = new ArrayList<>(OWN_SESSION);
    command.addAll(words);
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")));
    builder.environment().keySet().removeAll(RankEnvironment.STALE);
    builder.environment().putAll(environment);
    Process process;
    try {
      process = builder.start();
    } catch (IOException e) {
      throw CliException.failure(
          "cannot start rank %d: %s".formatted(placement.rank(), e.getMessage()));
    }
    RankProcess rank = new RankProcess(placement, process, streams.tail());
    rank.pumps.addAll(streams.pump(process, () -> events.add(new Event.ConsoleLost())));
    process.onExit().thenAccept(p -> rank.report(p.exitValue(), events));
    return rank;
  }

  private void report(int status, BlockingQueue<Event> events) {
    ended = System.nanoTime();
    events.add(new Event.Exited(this, status));
  }

  /** The words before a command that give it a session of its own, where the system has them. */
  static List<String> ownSession() {
    return OWN_SESSION;
  }

  Placement placement() {
    return placement;
  }

  int rank() {
    return placement.rank();
  }

  long pid() {
    return process.pid();
  }

  boolean alive() {
    return process.isAlive();
  }

  /** How long it ran, after it ended. */
  Duration age() {
    return Duration.ofNanos(ended - started);
  }

  Tail stderr() {
    return stderr;
  }

  /** What {@link Posix#kill} takes to reach the rank and all it started. */
  long group() {
    return OWN_SESSION.isEmpty() ? process.pid() : -process.pid();
  }

  void signal(int number) {
    if (!released) Posix.kill(group(), number);
  }

  /**
   * Ends what a rank that is gone has left behind. After this nothing is sent to its group: the
   * number is free, and may soon be that of somebody else's process.
   */
  void release() {
    signal(Posix.SIGKILL);
    released = true;
  }

  /** Waits until all that the rank wrote has been passed on, as {@link Pump#drain} does. */
  void drain(long start, Duration silence, BooleanSupplier enough) throws InterruptedException {
    for (Pump pump : pumps) pump.drain(start, silence, enough);
  }
}
