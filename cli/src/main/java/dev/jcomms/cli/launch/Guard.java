package dev.jcomms.cli.launch;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Outlives the launcher to end its ranks, should the launcher be killed in a way it cannot catch.
 *
 * <p>A shell waits on a pipe that only the launcher holds. The pipe's end without a farewell means
 * that the launcher is gone; then every process that carries the job's mark in its environment is
 * ended, and every group the launcher had named. Unlike a parent-death signal this does not depend
 * on the thread that started a rank, and it reaches what ranks started themselves. The guard has a
 * session of its own, so a signal to the launcher's group does not take it along.
 */
final class Guard implements AutoCloseable {
  private final OutputStream pipe;

  Guard(String job, JobFolder folder) {
    List<String> words = new ArrayList<>(RankProcess.ownSession());
    Path script = folder.scratch().resolve("guard.sh");
    words.addAll(List.of("/bin/sh", script.toString(), job, folder.scratch().toString()));
    try (InputStream text = Guard.class.getResourceAsStream("guard.sh")) {
      Files.copy(text, script);
      ProcessBuilder builder =
          new ProcessBuilder(words)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .redirectError(ProcessBuilder.Redirect.DISCARD);
      // Where this launcher is a rank itself, its launcher's guard must not end this one: nobody
      // else knows our ranks.
      builder.environment().remove(RankEnvironment.JOB);
      Process shell = builder.start();
      pipe = shell.getOutputStream();
    } catch (IOException e) {
      throw new UncheckedIOException("no guard for the ranks", e);
    }
  }

  /** From now on the guard would end this rank. */
  void watch(RankProcess rank) {
    tell("+ " + rank.group());
  }

  /** The rank and all it started are gone, and their number is free for others. */
  void forget(RankProcess rank) {
    tell("- " + rank.group());
  }

  /** All is well: the guard leaves. */
  @Override
  public void close() {
    tell("done");
  }

  private void tell(String line) {
    try {
      pipe.write((line + "\n").getBytes(StandardCharsets.US_ASCII));
      pipe.flush();
    } catch (IOException _) {
      // Someone ended the guard. The job goes on without this protection.
    }
  }
}
