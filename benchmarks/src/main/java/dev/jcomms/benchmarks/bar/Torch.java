package dev.jcomms.benchmarks.bar;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** PyTorch in a process of its own, asked case by case over its standard streams. */
final class Torch implements AutoCloseable {
  private final Process process;
  private final BufferedReader answers;
  private final Writer questions;
  final String version;

  private Torch(Path script, String python) throws IOException {
    process =
        new ProcessBuilder(python, script.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    answers = process.inputReader(StandardCharsets.UTF_8);
    questions = process.outputWriter(StandardCharsets.UTF_8);
    version = answers.readLine();
    if (version == null) {
      throw new IOException(python + " has no torch that starts");
    }
  }

  /** Null where {@code JCOMMS_PYTHON} does not name a Python. */
  static Torch start() throws IOException {
    String python = System.getenv("JCOMMS_PYTHON");
    if (python == null || python.isEmpty()) {
      return null;
    }
    Path script = Files.createTempFile("torch_bar", ".py");
    script.toFile().deleteOnExit();
    try (var source = Torch.class.getResourceAsStream("torch_bar.py")) {
      Files.write(script, source.readAllBytes());
    }
    return new Torch(script, python);
  }

  double nanos(String name, double seconds) throws IOException {
    questions.write(name + " " + seconds + "\n");
    questions.flush();
    String answer = answers.readLine();
    if (answer == null) {
      throw new IOException("torch ended at " + name);
    }
    return Double.parseDouble(answer);
  }

  @Override
  public void close() throws IOException {
    questions.close();
    process.destroy();
  }
}
