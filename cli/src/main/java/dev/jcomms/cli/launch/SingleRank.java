package dev.jcomms.cli.launch;

import dev.jcomms.cli.CliException;
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
        new CommandLines(runtime, SourceCompiler.forUser(runtime), 1).of(program, options);
    Posix.exec(words);
    throw CliException.failure("cannot execute " + words.getFirst());
  }
}
