package dev.jcomms.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

@Command(name = "exec", description = "x", mixinStandardHelpOptions = true)
final class ExecCommand implements Callable<Integer> {
  @Override
  public Integer call() {
    return 0;
  }
}
