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
  List<Thread> pump(Process process, Runnable consoleLost) {
    Pump.Route out = new Pump.Route(false, showStdout, stdoutFile, Optional.empty());
    Pump.Route err = new Pump.Route(true, showStderr, stderrFile, Optional.of(tail));
    return List.of(
        new Pump(process.getInputStream(), out, console, rank, consoleLost)
            .start("stdout of rank " + rank),
        new Pump(process.getErrorStream(), err, console, rank, consoleLost)
            .start("stderr of rank " + rank));
  }
}
