package dev.jcomms.cli.launch;

import dev.jcomms.cli.CliException;
import java.io.File;
import java.io.IOException;
import java.util.List;

/**
 * One rank under somebody else's launcher ({@code torchrun --no-python}, {@code mpirun}, {@code
 * srun}): this process becomes the program, with the environment it has.
 */
public final class SingleRank {
  private SingleRank() {}

  /** Does not return unless the program cannot be started. */
  public static void become(Program program, JavaOptions options) {
    JavaRuntime runtime = JavaRuntime.current();
    List<String> words =
        new CommandLines(runtime, SourceCompiler.forUser(runtime)).of(program, options);
    if (runtime.warns()) filterStderr();
    Posix.exec(words);
    throw CliException.failure("cannot execute " + words.getFirst());
  }

  /**
   * Puts a shell between the program's stderr and ours that drops the JVM's first line, then gets
   * out of the way. It ends when the program does.
   */
  private static void filterStderr() {
    int[] pipe = Posix.pipe();
    String script =
        "trap '' HUP INT QUIT TERM; exec >&2; IFS= read -r first;"
            + " [ \"$first\" = \"$1\" ] || printf '%s\\n' \"$first\"; exec cat";
    try {
      new ProcessBuilder("/bin/sh", "-c", script, "stderr", JavaRuntime.VECTOR_WARNING)
          .redirectInput(new File("/dev/fd/" + pipe[0]))
          .redirectOutput(ProcessBuilder.Redirect.DISCARD)
          .redirectError(ProcessBuilder.Redirect.INHERIT)
          .start();
    } catch (IOException e) {
      throw new IllegalStateException("no filter for stderr", e);
    }
    Posix.close(pipe[0]);
    Posix.rename(pipe[1], 2);
  }
}
