package dev.jcomms.cli.launch;

import java.util.Map;

/** How a process ended, in words. Java reports death by signal as {@code 128 + signal}. */
final class ExitStatus {
  private static final Map<Integer, String> NAMES =
      Map.of(
          1, "SIGHUP", 2, "SIGINT", 3, "SIGQUIT", 4, "SIGILL", 6, "SIGABRT", 8, "SIGFPE", 9,
          "SIGKILL", 11, "SIGSEGV", 13, "SIGPIPE", 15, "SIGTERM");

  private ExitStatus() {}

  static int ofSignal(int signal) {
    return 128 + signal;
  }

  static String describe(int status) {
    if (status <= 128 || status > 128 + 64) return "exit code " + status;
    String name = NAMES.getOrDefault(status - 128, "signal " + (status - 128));
    return "exit code %d (%s)".formatted(status, name);
  }
}
