package dev.jcomms.cli.plan;

import dev.jcomms.Codecs;
import dev.jcomms.cli.Text;
import dev.jcomms.jccl.plan.Flaw;
import dev.jcomms.jccl.plan.Place;
import dev.jcomms.jccl.plan.Plan;
import dev.jcomms.jccl.plan.Proof;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code jcomms plan check}: a proof, or what is in its way. */
@Command(
    name = "check",
    description = "Prove that a plan does what its collective promises, or say why not.",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "The proof is for all data and for every order in which blocks can run, over",
      "three launches. Ranks, blocks and their ops are counted from 0.",
      "Exit status: 0 proved, 1 wrong, racy or stuck, 2 no plan or wrong usage.",
    })
final class PlanCheckCommand implements Callable<Integer> {
  /** Warnings of one kind that are shown in full. */
  private static final int SHOWN = 5;

  @Parameters(paramLabel = "FILE", description = "A plan.")
  private Path file;

  @Option(names = "--json", description = "As one line of JSON.")
  private boolean json;

  @Option(names = "--strict", description = "Let a warning count as an error.")
  private boolean strict;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    Plan plan = PlanFile.read(file);
    Proof proof = plan.check();
    boolean holds = strict ? proof.flaws().isEmpty() : proof.holds();
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      out.println(
          new String(Codecs.JSON.encode(document(plan, proof, holds)), StandardCharsets.UTF_8));
    } else {
      // A name may hold anything, also what a terminal would obey.
      lines(plan, proof, holds).forEach(line -> out.println(Text.of(line)));
    }
    out.flush();
    return holds ? 0 : 1;
  }

  private static List<String> lines(Plan plan, Proof proof, boolean holds) {
    List<String> lines = new ArrayList<>();
    proof.errors().forEach(flaw -> lines.add(flaw.toString()));
    Map<Flaw.Kind, Integer> shown = new TreeMap<>();
    for (Flaw flaw : proof.warnings()) {
      if (shown.merge(flaw.kind(), 1, Integer::sum) <= SHOWN) {
        lines.add("warning: " + flaw);
      }
    }
    shown.forEach(
        (kind, count) -> {
          if (count > SHOWN) {
            lines.add("warning: %s: %d more".formatted(kind.words(), count - SHOWN));
          }
        });
    lines.add(verdict(plan, proof, holds));
    return lines;
  }

  private static String verdict(Plan plan, Proof proof, boolean holds) {
    String what = "%s of %d ranks".formatted(plan.collective(), plan.ranks().size());
    if (holds) {
      return "proved: %s (%s; %d launches; chunks of %s bytes)"
          .formatted(proof.claim(), what, proof.launches(), numbers(proof.chunkBytes()));
    }
    Map<Flaw.Kind, Integer> counts = new TreeMap<>();
    proof.flaws().forEach(flaw -> counts.merge(flaw.kind(), 1, Integer::sum));
    List<String> kinds = new ArrayList<>();
    counts.forEach((kind, count) -> kinds.add(kind.words() + " " + count));
    return "not proved: that %s (%s): %s".formatted(proof.claim(), what, String.join(", ", kinds));
  }

  private static String numbers(List<Long> numbers) {
    return String.join(", ", numbers.stream().map(String::valueOf).toList());
  }

  private static Map<String, Object> document(Plan plan, Proof proof, boolean holds) {
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("name", plan.name());
    document.put("collective", plan.collective());
    document.put("ranks", (long) plan.ranks().size());
    document.put("proved", holds);
    document.put("claim", proof.claim());
    document.put("launches", (long) proof.launches());
    document.put("chunk_bytes", proof.chunkBytes());
    List<Object> flaws = new ArrayList<>();
    for (Flaw flaw : proof.flaws()) {
      Map<String, Object> entry = new LinkedHashMap<>();
      entry.put("kind", flaw.kind().words().replace(' ', '_'));
      entry.put("error", flaw.isError());
      entry.put("places", flaw.places().stream().map(PlanCheckCommand::place).toList());
      entry.put("problem", flaw.problem());
      flaws.add(entry);
    }
    document.put("flaws", flaws);
    return document;
  }

  private static Map<String, Object> place(Place place) {
    Map<String, Object> entry = new LinkedHashMap<>();
    int[] values = {place.rank(), place.block(), place.op(), place.inner()};
    String[] names = {"rank", "block", "op", "inner"};
    for (int i = 0; i < values.length; i++) {
      if (values[i] >= 0) {
        entry.put(names[i], (long) values[i]);
      }
    }
    return entry;
  }
}
