package dev.jcomms.cli.bench.peer;

import dev.jcomms.ReduceOp;
import dev.jcomms.cli.bench.measure.Plan;
import dev.jcomms.cli.launch.JavaOptions;
import dev.jcomms.cli.launch.Job;
import dev.jcomms.cli.launch.LaunchSpec;
import dev.jcomms.cli.launch.Listener;
import dev.jcomms.cli.launch.Program;
import dev.jcomms.cli.launch.UserFolders;
import dev.jcomms.tensor.DType;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * OpenMPI: a C program, compiled once by {@code mpicc} into the user's cache, started by {@code
 * mpirun}.
 */
final class OpenMpi implements Peer {
  private static final Set<DType> DTYPES =
      EnumSet.of(DType.F64, DType.F32, DType.I64, DType.I32, DType.I16, DType.I8, DType.U8);

  private Path mpirun;
  private Path program;

  @Override
  public String name() {
    return "openmpi";
  }

  @Override
  public String prepare(Map<String, String> environment) throws Missing {
    mpirun = needed("mpirun", environment);
    Path mpicc = needed("mpicc", environment);
    Tools.Answer version = Tools.ask(List.of(mpirun.toString(), "--version"));
    String first = version.text().lines().findFirst().orElse("");
    if (version.status() != 0 || !first.contains("Open MPI")) {
      throw new Missing("%s is not OpenMPI's: %s".formatted(mpirun, first));
    }
    program = compiled(mpicc, version.text(), environment);
    return first.substring(first.lastIndexOf(' ') + 1);
  }

  private static Path needed(String tool, Map<String, String> environment) throws Missing {
    return Tools.find(tool, environment).orElseThrow(() -> new Missing("no " + tool + " on PATH"));
  }

  /** The program of this source, this compiler and this version; made if it is not there. */
  private static Path compiled(Path mpicc, String version, Map<String, String> environment)
      throws Missing {
    byte[] source = Tools.resource("openmpi.c");
    byte[] maker = (mpicc + version).getBytes(StandardCharsets.UTF_8);
    Path folder = UserFolders.forCache("bench", environment);
    Path result = folder.resolve("openmpi-" + Tools.digest(source, maker));
    if (Files.isExecutable(result)) return result;
    try {
      Path work = Files.createTempDirectory(folder, "new-");
      Path file = Files.write(work.resolve("openmpi.c"), source);
      Path draft = work.resolve("openmpi");
      Tools.Answer answer =
          Tools.ask(
              List.of(mpicc.toString(), "-O2", "-o", draft.toString(), file.toString(), "-lm"));
      if (answer.status() == 0) {
        Files.move(
            draft, result, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      }
      Files.deleteIfExists(draft);
      Files.delete(file);
      Files.delete(work);
      if (answer.status() != 0) throw new Missing(mpicc + ": " + reason(answer.text()));
      return result;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The line of a compiler's that says it, without the file's name. */
  private static String reason(String said) {
    return said.lines()
        .filter(line -> line.contains("error"))
        .findFirst()
        .or(() -> said.lines().findFirst())
        .map(line -> line.replaceFirst("^\\S+:\\d+(:\\d+)?: ", ""))
        .orElse("it failed");
  }

  /** mpirun would start them all itself, its own way. */
  @Override
  public boolean spansNodes() {
    return false;
  }

  @Override
  public Optional<String> refuses(Plan plan) {
    if (plan.op().reduces() && !DTYPES.contains(plan.dtype())) {
      return Optional.of("it cannot reduce " + plan.dtype());
    }
    if (plan.op().reduces() && plan.redop() == ReduceOp.AVG) return Optional.of("it has no avg");
    return Optional.empty();
  }

  @Override
  public int run(Plan plan, LaunchSpec launch, Map<String, String> environment, Listener listener)
      throws InterruptedException {
    int ranks = launch.ranks();
    List<String> words = new ArrayList<>(List.of(mpirun.toString(), "-n", "" + ranks));
    words.addAll(List.of("--bind-to", "none"));
    if (ranks > Runtime.getRuntime().availableProcessors()) words.add("--oversubscribe");
    if (UserFolders.isRoot()) words.add("--allow-run-as-root");
    // Sockets against sockets; left alone, OpenMPI takes shared memory on one host.
    if (plan.transport().equals("tcp")) {
      words.addAll(List.of("--mca", "pml", "ob1", "--mca", "btl", "tcp,self"));
    }
    words.add(program.toString());
    words.addAll(PeerWords.of(plan));
    Program command = Program.command(words, environment.getOrDefault("PATH", ""));
    return new Job(launch.withRanks(1), command, JavaOptions.NONE, environment, listener).run();
  }
}
