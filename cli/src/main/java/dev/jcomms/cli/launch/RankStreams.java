package dev.jcomms.cli.launch;

import java.io.OutputStream;
import java.util.List;
import java.util.Optional;

/** Where the output of one rank goes. */
record RankStreams(
    Console console,
    int rank,
    boolean showStdout,
    boolean showStderr,
    Optional<OutputStream> stdoutFile,
    Optional<OutputStream> stderrFile,
    Tail tail) {

  /** Starts to carry the output of a process. */
  List<Pump> pump(Process process, Runnable consoleLost) {
    Pump.Route out = new Pump.Route(false, showStdout, stdoutFile, Optional.empty());
    Pump.Route err = new Pump.Route(true, showStderr, stderrFile, Optional.of(tail));
    Pump stdout = new Pump(process.getInputStream(), out, console, rank, consoleLost);
    Pump stderr = new Pump(process.getErrorStream(), err, console, rank, consoleLost);
    stdout.start("stdout of rank " + rank);
    stderr.start("stderr of rank " + rank);
    return List.of(stdout, stderr);
  }
}
