package dev.jcomms.cli.tune;

import dev.jcomms.cli.bench.report.Numbers;
import dev.jcomms.cli.launch.Terminal;
import dev.jcomms.jccl.Tuner;
import java.io.PrintStream;

/** How far it is: one line that changes on a terminal, a line a collective elsewhere. */
final class ProgressBar {
  private static final int WIDTH = 30;

  private final PrintStream err;
  private final boolean live = Terminal.isLive();
  private String collective = "";

  ProgressBar(PrintStream err) {
    this.err = err;
  }

  void show(Tuner.Progress p) {
    if (live) {
      int full = WIDTH * p.done() / p.total();
      err.printf(
          "\r\033[K[%s%s] %d/%d %s %s: %s",
          "#".repeat(full),
          ".".repeat(WIDTH - full),
          p.done(),
          p.total(),
          p.collective(),
          Numbers.bytes(p.entry().bytes()),
          p.entry().choice());
      err.flush();
    } else if (!p.collective().equals(collective)) {
      collective = p.collective();
      err.println("jcomms: tuning " + collective + ", size " + p.done() + " of " + p.total());
    }
  }

  void end() {
    if (live) {
      err.print("\r\033[K");
      err.flush();
    }
  }
}
