package dev.jcomms.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

@Command(name = "dist", description = "x", mixinStandardHelpOptions = true)
final class DistCommand implements Callable<Integer> {
  @Override
  public Integer call() {
    return 0;
  }
}
