package dev.jcomms.cli.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Jobs of real processes: how they end, and that nothing is left of them. */
@Timeout(300)
final class JobTest {
  /**
   * What takes a second, on a machine that may stand still meanwhile; well below what ranks have
   * after a signal.
   */
  private static final Duration AT_ONCE = Duration.ofSeconds(5);

  /** For the system to notice; the processes were killed before the launcher ended. */
  private static final Duration GONE = Duration.ofSeconds(5);

  private static final Map<String, String> SECRET =
      Map.of("JCOMMS_SECRET", "a secret that both nodes know");

  private static final int SIGSTOP = 19;

  @TempDir Path folder;

  @Test
  void ranksAreToldTheirPlaceAndTheirLinesCarryIt() throws Exception {
    try (Launcher job =
        run("-n", "3", "--env", "MINE=x", "--", "sh", "-c", "echo $RANK/$WORLD_SIZE $MINE")) {
      assertThat(job.status()).isZero();
      assertThat(job.lines())
          .containsExactlyInAnyOrder("out [0] 0/3 x", "out [1] 1/3 x", "out [2] 2/3 x");
    }
  }

  @Test
  void theFirstFailureStopsTheOthersAtOnceAndIsReported() throws Exception {
    // Ranks 0 and 2 do not heed SIGTERM; rank 1 fails when both are up.
    String script =
        "trap '' TERM; echo up $$; : >up$RANK;"
            + " if [ $RANK = 1 ]; then while ! [ -e up0 -a -e up2 ]; do sleep 0.05; done;"
            + " echo broken >&2; exit 7; fi; sleep 300";
    try (Launcher job = run("-n", "3", "--", "sh", "-c", script)) {
      List<String> pids = job.await("up (\\d+)", 3);
      job.await("err \\[1\\] broken", 1);
      long failed = System.nanoTime();
      assertThat(job.status()).isEqualTo(7);
      assertThat(Duration.ofNanos(System.nanoTime() - failed)).isLessThan(AT_ONCE);
      Processes.assertGone(pids, GONE);
      assertThat(job.lines())
          .anyMatch(line -> line.startsWith("err jcomms: rank 1 of 3 failed first: exit code 7"))
          .contains("err   | broken");
    }
  }

  @Test
  void sharedMemoryOfRanksThatWereEndedGoesWithTheJob() throws Exception {
    assumeThat(Path.of("/dev/shm")).isDirectory();
    String script = "echo made $JCOMMS_JOB; : >/dev/shm/jcomms-$JCOMMS_JOB-left; kill -9 $$";
    try (Launcher job = run("-n", "1", "--", "sh", "-c", script)) {
      String mark = job.await("made (\\w+)", 1).getFirst();
      assertThat(job.status()).isEqualTo(137);
      assertThat(Path.of("/dev/shm", "jcomms-" + mark + "-left")).doesNotExist();
    }
  }

  @Test
  void deathBySignalIsNamedAndIs128AndTheSignal() throws Exception {
    try (Launcher job = run("-n", "1", "--", "sh", "-c", "kill -9 $$")) {
      assertThat(job.status()).isEqualTo(137);
      assertThat(job.lines()).anyMatch(line -> line.contains("exit code 137 (SIGKILL)"));
    }
  }

  @Test
  void aRequestToStopIsPassedOnAndWaitedFor() throws Exception {
    String script = "trap 'echo saved; exit 0' TERM; echo up; while :; do sleep 0.05; done";
    try (Launcher job = run("-n", "2", "--", "sh", "-c", script)) {
      job.await("up", 2);
      job.signal(15);
      assertThat(job.status()).isEqualTo(143);
      assertThat(job.lines()).contains("out [0] saved", "out [1] saved");
    }
  }

  @Test
  void anInterruptFromTheKeyboardIsPassedOn() throws Exception {
    assumeThat(ignoredSignals().testBit(2 - 1)).as("SIGINT is ignored here").isFalse();
    String script = "trap 'echo got it; exit 0' INT; echo up; while :; do sleep 0.05; done";
    try (Launcher job = run("-n", "2", "--", "sh", "-c", script)) {
      job.await("up", 2);
      job.signal(2);
      assertThat(job.status()).isEqualTo(130);
      assertThat(job.lines()).contains("out [0] got it", "out [1] got it");
    }
  }

  @Test
  void aSecondRequestToStopDoesNotWait() throws Exception {
    try (Launcher job = run("-n", "2", "--", "sh", "-c", "trap '' TERM; echo up $$; sleep 300")) {
      List<String> pids = job.await("up (\\d+)", 2);
      job.signal(15);
      job.signal(15);
      assertThat(job.status()).isEqualTo(143);
      Processes.assertGone(pids, GONE);
    }
  }

  @Test
  void aSignalThatAsksForNothingIsPassedOnAndTheJobGoesOn() throws Exception {
    String script = "trap 'echo usr1; exit 0' USR1; echo up; while :; do sleep 0.05; done";
    try (Launcher job = run("-n", "2", "--", "sh", "-c", script)) {
      job.await("up", 2);
      job.signal(10);
      assertThat(job.status()).isZero();
      assertThat(job.lines()).contains("out [0] usr1", "out [1] usr1");
    }
  }

  @Test
  void aSignalThatAsksForNothingIsPassedOnToRanksThatAreToldToEnd() throws Exception {
    // Rank 0 fails when rank 1 is up, which ends only by USR1.
    String script =
        "if [ $RANK = 0 ]; then while ! [ -e up ]; do sleep 0.05; done; exit 5; fi;"
            + " trap 'echo told' TERM; trap 'echo usr1; exit 0' USR1; : >up;"
            + " while :; do sleep 0.05; done";
    try (Launcher job = run("-n", "2", "--shutdown-timeout", "20", "--", "sh", "-c", script)) {
      job.await("told", 1);
      job.signal(10);
      assertThat(job.status()).isEqualTo(5);
      assertThat(job.lines()).contains("out [1] usr1");
    }
  }

  @Test
  void aSignalThatAsksForNothingIsForNobodyWhileNodesAreWaitedFor() throws Exception {
    String[] common = {"--nnodes", "2", "--rdzv-endpoint", "127.0.0.1:" + freePort()};
    String script = "echo up; exec sleep 0.5";
    try (Launcher first = Launcher.start(folder, SECRET, node(common, "0", "1", script))) {
      first.await("waiting for nodes", 1);
      first.signal(10);
      try (Launcher second = Launcher.start(folder, SECRET, node(common, "1", "1", script))) {
        assertThat(second.status()).isZero();
        assertThat(first.status()).isZero();
        assertThat(first.lines()).filteredOn("out [0] up"::equals).hasSize(1);
      }
    }
  }

  @Test
  void aKilledLauncherLeavesNothingNotEvenWhatRanksStartedAndLetGo() throws Exception {
    String script =
        "trap '' TERM; sleep 300 & echo pid $!; setsid sleep 301 & echo pid $!; echo pid $$; wait";
    try (Launcher job = run("-n", "2", "--", "sh", "-c", script)) {
      List<String> pids = job.await("pid (\\d+)", 6);
      job.signal(9);
      Processes.assertGone(pids, Launcher.DEADLINE);
    }
  }

  @Test
  void aKilledLauncherLeavesNoJvm() throws Exception {
    Path source =
        Files.writeString(
            folder.resolve("Forever.java"),
            """
            void main() throws Exception {
              IO.println("pid " + ProcessHandle.current().pid());
              new java.util.concurrent.CountDownLatch(1).await();
            }
            """);
    try (Launcher job = run("-n", "2", source.toString())) {
      List<String> pids = job.await("pid (\\d+)", 2);
      job.signal(9);
      Processes.assertGone(pids, Launcher.DEADLINE);
    }
  }

  @Test
  void aKilledLauncherOfLaunchersLeavesNothing() throws Exception {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    List<String> inner =
        List.of(
            java,
            "-XX:TieredStopAtLevel=1",
            "-p",
            System.getProperty("jdk.module.path"),
            "--enable-native-access=dev.jcomms.cli",
            "-m",
            "dev.jcomms.cli/dev.jcomms.cli.Main");
    List<String> words = new ArrayList<>(List.of("-n", "1", "--"));
    words.addAll(inner);
    // Ranks that outlast their launcher, which is killed while it waits for them.
    String script = "trap '' TERM; echo pid $$; sleep 300 & wait";
    words.addAll(List.of("run", "-n", "2", "--", "sh", "-c", script));
    try (Launcher job = run(words.toArray(String[]::new))) {
      List<String> pids = job.await("pid (\\d+)", 2);
      job.signal(9);
      Processes.assertGone(pids, Launcher.DEADLINE);
    }
  }

  @Test
  void whatARankLeavesRunningEndsWithTheRank() throws Exception {
    // Rank 1 stays until what rank 0 left is gone; a number that is free is never signalled again.
    String script =
        "if [ $RANK = 0 ]; then sleep 300 & echo $! >new; mv new left; exit 0; fi;"
            + " while ! [ -e left ]; do sleep 0.05; done; read -r pid <left;"
            + " while grep -q sleep /proc/$pid/cmdline 2>&-; do sleep 0.05; done; echo gone";
    try (Launcher job = run("-n", "2", "--", "sh", "-c", script)) {
      assertThat(job.status()).isZero();
      assertThat(job.lines()).contains("out [1] gone");
    }
  }

  @Test
  void whatARankLeavesRunningEndsWithTheJob() throws Exception {
    try (Launcher job = run("-n", "1", "--", "sh", "-c", "sleep 300 & echo pid $!")) {
      assertThat(job.status()).isZero();
      Processes.assertGone(job.await("pid (\\d+)", 1), GONE);
    }
  }

  @Test
  void allRanksAreStartedAnewAsOftenAsAsked() throws Exception {
    String script =
        "echo up $RANK in $TORCHELASTIC_RESTART_COUNT of $TORCHELASTIC_MAX_RESTARTS;"
            + " if [ $TORCHELASTIC_RESTART_COUNT = 2 ]; then exit 0; fi;"
            + " if [ $RANK = 1 ]; then exit 5; fi; sleep 300";
    try (Launcher job = run("-n", "2", "--max-restarts", "3", "--", "sh", "-c", script)) {
      assertThat(job.status()).isZero();
      assertThat(job.lines())
          .contains("out [1] up 1 in 0 of 3", "out [0] up 0 in 2 of 3", "out [1] up 1 in 2 of 3")
          .contains("err jcomms: restart 1 of 3", "err jcomms: restart 2 of 3")
          .noneMatch(line -> line.contains("restart 3"));
    }
  }

  @Test
  void aRequestToStopWhileAFailureIsClearedUpIsNotForgotten() throws Exception {
    // Rank 0 fails when rank 1 is up, which does not end when it is told.
    String script =
        "if [ $RANK = 0 ]; then while ! [ -e up ]; do sleep 0.05; done; exit 5; fi;"
            + " trap 'echo told' TERM; : >up; while :; do sleep 0.05; done";
    try (Launcher job =
        run(
            "-n",
            "2",
            "--max-restarts",
            "3",
            "--shutdown-timeout",
            "20",
            "--",
            "sh",
            "-c",
            script)) {
      job.await("told", 1);
      job.signal(15);
      assertThat(job.status()).isEqualTo(143);
      assertThat(job.lines()).noneMatch(line -> line.contains("restart"));
    }
  }

  @Test
  void allThatARankWroteIsPassedOnHoweverSlowTheReader() throws Exception {
    // More than fits into the launcher's pipe; the rest fits into the rank's, so the rank ends.
    String[] words = {
      "run", "--log-dir", "logs", "-t", "1", "--", "sh", "-c", "echo rank $$ >&2; exec seq 20000"
    };
    try (Launcher job = Launcher.startUnread(folder, Map.of(), words)) {
      Processes.assertGone(job.await("rank (\\d+)", 1), Launcher.DEADLINE);
      assertThat(job.ends(Duration.ofSeconds(2))).as("ended with output in hand").isFalse();
      job.read();
      assertThat(job.status()).isZero();
      assertThat(job.lines()).contains("out [0] 20000").hasSize(20001);
    }
    try (var files = Files.walk(folder.resolve("logs"))) {
      Path log = files.filter(file -> file.endsWith("stdout.log")).findFirst().orElseThrow();
      assertThat(log).content().endsWith("\n20000\n");
    }
  }

  @Test
  void aRequestToStopEndsAJobWhoseOutputNobodyReads() throws Exception {
    String[] words = {"run", "--", "sh", "-c", "echo rank $$ >&2; exec seq 20000"};
    try (Launcher job = Launcher.startUnread(folder, Map.of(), words)) {
      Processes.assertGone(job.await("rank (\\d+)", 1), Launcher.DEADLINE);
      job.signal(15);
      assertThat(job.ends(Launcher.DEADLINE)).isTrue();
      assertThat(job.status()).isEqualTo(143);
    }
  }

  @Test
  void aProcessThatGotAwayWithTheOutputIsNotWaitedFor() throws Exception {
    try (Launcher job = run("--", "sh", "-c", "setsid sleep 300 & echo pid $!")) {
      long pid = Long.parseLong(job.await("pid (\\d+)", 1).getFirst());
      try {
        assertThat(job.status()).isZero();
      } finally {
        Posix.kill(pid, Posix.SIGKILL);
      }
    }
  }

  @Test
  void restartsRunOut() throws Exception {
    try (Launcher job = run("-n", "1", "--max-restarts", "1", "--", "sh", "-c", "exit 5")) {
      assertThat(job.status()).isEqualTo(5);
      assertThat(job.lines()).filteredOn(line -> line.contains("failed first")).hasSize(2);
    }
  }

  @Test
  void logFilesLieAsTorchrunLaysThem() throws Exception {
    String script = "echo out; echo err >&2; echo $TORCHELASTIC_ERROR_FILE >error$RANK";
    try (Launcher job =
        run(
            "-n",
            "2",
            "--log-dir",
            "logs",
            "--run-id",
            "job",
            "-r",
            "1",
            "-t",
            "1:2",
            "--",
            "sh",
            "-c",
            script)) {
      assertThat(job.status()).isZero();
      assertThat(job.lines()).containsExactlyInAnyOrder("err [0] err", "err [1] err");
    }
    Path attempt;
    try (var jobs = Files.list(folder.resolve("logs"))) {
      Path only = jobs.toList().getFirst();
      assertThat(only.getFileName().toString()).startsWith("job_");
      attempt = only.resolve("attempt_0");
    }
    assertThat(attempt.resolve("0/stdout.log")).hasContent("out");
    assertThat(attempt.resolve("1/stdout.log")).hasContent("out");
    assertThat(attempt.resolve("1/stderr.log")).hasContent("err");
    assertThat(attempt.resolve("0/stderr.log")).doesNotExist();
    assertThat(folder.resolve("error1")).hasContent(attempt.resolve("1/error.json").toString());
  }

  @Test
  void launchersOfTwoNodesKeepInStep() throws Exception {
    String script =
        "echo $RANK/$WORLD_SIZE $GROUP_RANK/$GROUP_WORLD_SIZE in $TORCHELASTIC_RESTART_COUNT;"
            + " if [ $TORCHELASTIC_RESTART_COUNT = 1 ]; then exit 0; fi; : >up$RANK;"
            + " if [ $RANK = 2 ]; then while ! [ -e up0 -a -e up1 ]; do sleep 0.05; done;"
            + " exit 6; fi; sleep 300";
    String port = "" + freePort();
    String[] common = {"--nnodes", "2", "--rdzv-endpoint", "127.0.0.1:" + port};
    try (Launcher first = Launcher.start(folder, SECRET, node(common, "0", "2", script));
        Launcher second = Launcher.start(folder, SECRET, node(common, "1", "1", script))) {
      assertThat(second.status()).isZero();
      assertThat(first.status()).isZero();
      assertThat(first.lines())
          .contains("out [0] 0/3 0/2 in 0", "out [1] 1/3 0/2 in 1")
          .contains("err jcomms: another node ended the job: rank 2: exit code 6");
      assertThat(second.lines()).contains("out [2] 2/3 1/2 in 0", "out [2] 2/3 1/2 in 1");
    }
  }

  @Test
  void aNodeThatWaitsForNode0CanBeStopped() throws Exception {
    String[] common = {"--nnodes", "2", "--rdzv-endpoint", "127.0.0.1:" + freePort()};
    try (Launcher job = Launcher.start(folder, SECRET, node(common, "1", "1", ":"))) {
      job.await("err jcomms: waiting for node 0 at 127.0.0.1:", 1);
      job.signal(15);
      assertThat(job.status()).isEqualTo(143);
    }
  }

  @Test
  void aNodeCanBeStoppedWhileNode0IsFrozen() throws Exception {
    String[] common = {"--nnodes", "2", "--rdzv-endpoint", "127.0.0.1:" + freePort()};
    String script = "echo up $$; exec sleep 300";
    try (Launcher first = Launcher.start(folder, SECRET, node(common, "0", "1", script));
        Launcher second = Launcher.start(folder, SECRET, node(common, "1", "2", script))) {
      first.await("up", 1);
      List<String> pids = second.await("up (\\d+)", 2);
      first.signal(SIGSTOP);
      second.signal(15);
      Processes.assertGone(pids, Launcher.DEADLINE);
      assertThat(second.status()).isEqualTo(143);
      assertThat(second.lines()).anyMatch(line -> line.contains("node 0 does not answer"));
    }
  }

  @Test
  void severalNodesNeedASecret() throws Exception {
    try (Launcher job =
        run("--nnodes", "2", "--rdzv-endpoint", "127.0.0.1:29500", "--", "sh", "-c", ":")) {
      assertThat(job.status()).isEqualTo(2);
      assertThat(job.lines()).anyMatch(line -> line.contains("set JCOMMS_SECRET"));
    }
  }

  private static String[] node(String[] common, String rank, String ranks, String script) {
    return new String[] {
      "run",
      common[0],
      common[1],
      common[2],
      common[3],
      "--node-rank",
      rank,
      "-n",
      ranks,
      "--max-restarts",
      "1",
      "--",
      "sh",
      "-c",
      script
    };
  }

  private Launcher run(String... args) throws Exception {
    String[] words = new String[args.length + 1];
    words[0] = "run";
    System.arraycopy(args, 0, words, 1, args.length);
    return Launcher.start(folder, words);
  }

  private static int freePort() throws Exception {
    try (var socket = new java.net.ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  /** Tests started in the background by a shell find SIGINT ignored, and so do their children. */
  private static BigInteger ignoredSignals() throws Exception {
    Path status = Path.of("/proc/self/status");
    if (!Files.exists(status)) return BigInteger.ZERO;
    return Files.readAllLines(status).stream()
        .filter(line -> line.startsWith("SigIgn:"))
        .map(line -> new BigInteger(line.split("\\s+")[1], 16))
        .findFirst()
        .orElse(BigInteger.ZERO);
  }
}
