package dev.jcomms.cli.bench;

import dev.jcomms.Codecs;
import dev.jcomms.World;
import dev.jcomms.cli.PlainNumbers;
import dev.jcomms.cli.bench.measure.Bench;
import dev.jcomms.cli.bench.measure.Message;
import dev.jcomms.cli.bench.measure.Plan;
import dev.jcomms.cli.bench.report.Section;
import dev.jcomms.cli.bench.report.Table;
import dev.jcomms.cli.info.Machine;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * One process of {@code jcomms bench}: a rank, or all of them as threads. Rank 0 tells what it
 * measured, by messages to the command or, started without one, by the report itself.
 */
final class BenchRank {
  static final String MODULE_AND_CLASS = "dev.jcomms.cli/" + BenchRank.class.getName();
  static final String MESSAGES = "messages";
  static final String REPORT = "report";

  private BenchRank() {}

  public static void main(String[] args) {
    PlainNumbers.everywhere();
    List<String> words = List.of(args);
    try {
      System.exit(
          words.getFirst().equals(REPORT)
              ? report(Outputs.of(words.subList(1, 3)), plans(words.subList(3, words.size())))
              : messages(plans(words.subList(1, words.size()))));
    } catch (World.RankFailure e) {
      fail(e.getCause());
    } catch (RuntimeException | IOException e) {
      fail(e);
    }
  }

  /** What a user can act on in one line; the trace of anything else. */
  private static void fail(Throwable e) {
    boolean known =
        e instanceof dev.jcomms.CommException
            || e instanceof IllegalArgumentException
            || e instanceof UnsupportedOperationException;
    if (known) System.err.println("jcomms: " + e.getMessage());
    else e.printStackTrace();
    System.exit(1);
  }

  private static int messages(List<Plan> plans) {
    PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
    for (Plan plan : plans) {
      Bench.run(plan, System.getenv(), message -> out.println(message.line()));
    }
    return 0;
  }

  /** Each rank makes a report, and that of rank 0 has something in it. */
  private static int report(Outputs files, List<Plan> plans) throws IOException {
    PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
    Machine machine = Machine.current();
    List<Section> sections = new ArrayList<>();
    for (Plan plan : plans) {
      Live live = new Live(out, plan);
      boolean[] heard = new boolean[1];
      Bench.run(
          plan,
          System.getenv(),
          message -> {
            if (!heard[0] && message instanceof Message.Started && sections.isEmpty()) {
              Table.facts(out, machine, List.of());
            }
            heard[0] = true;
            live.accept(message);
          });
      if (heard[0]) {
        sections.add(live.end());
        files.write(machine, Map.of(), sections, plan == plans.getLast());
      }
    }
    return sections.stream().allMatch(Section::isGood) ? 0 : 1;
  }

  private static List<Plan> plans(List<String> words) {
    return words.stream()
        .map(word -> (Map<?, ?>) Codecs.JSON.decode(word.getBytes(StandardCharsets.UTF_8)))
        .map(Plan::of)
        .toList();
  }
}
